"""Global styles: the theme's own, its variations, and those of the site's owner with their revisions.

Rules: interface.md, "Global styles"; facts, "Global styles". There is no list of them and no removal; the number of the
owner's stands in the links of the active theme.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.content.records.model import Record
from vetrina.content.records.precondition_arguments import check as check_preconditions
from vetrina.content.records.precondition_arguments import state
from vetrina.content.revisions import rules as revisions
from vetrina.content.revisions.routes import CannotRead, InvalidParent, OtherParent, RevisionUnknown
from vetrina.content.revisions.rules import Revision, RevisionQuery
from vetrina.content.types.registry import GLOBAL_STYLES
from vetrina.core.unit_of_work import Frame, Work
from vetrina.design.styles import rules as styles
from vetrina.design.templates.schema import title_field
from vetrina.design.themes import rules as themes
from vetrina.design.themes.routes import THEME_NAME, ThemeUnknown
from vetrina.design.themes.rules import Theme
from vetrina.kernel.errors import Refused
from vetrina.kernel.times import iso
from vetrina.rest.call import Call, Result
from vetrina.rest.common_arguments import context, paging
from vetrina.rest.fields import EDIT, EMBED, VIEW, AnyOf, Array, Field, Integer, Object, String
from vetrina.rest.paging import page_headers
from vetrina.rest.response_fields import Free
from vetrina.rest.route import CHANGE, READ, Route
from vetrina.rest.serializer import CURIES, Shape, choice

__all__ = ["routes"]

_ALL = (VIEW, EDIT, EMBED)
_SHOWN = (VIEW, EDIT)
_PATH: Final = "/cms/v2/global-styles"
_OF_THEME: Final = Object(properties={
    "settings": Free("Settings, as the theme's file has them."),
    "styles": Free("Styles, as the theme's file has them."),
})  # fmt: skip
_VARIATION: Final = Object(properties={
    "version": Integer("Version of the theme's file."), "title": String(), **_OF_THEME.properties,
})  # fmt: skip
_ANY_THEME: Final = r"[\/\s%\w\.\(\)\[\]\@_\-]+"


class CannotView(Refused):
    code = "rest_cannot_view"
    message = "You may not see the styles of this site."


class CannotEdit(Refused):
    code = "rest_cannot_edit"
    message = "You may not change the styles of this site."


class ForbiddenContext(Refused):
    code = "rest_forbidden_context"
    message = "You may not see the styles of this site as an editor does."


class CannotReadTheme(Refused):
    code = "rest_cannot_read_global_styles"
    message = "You may not see the styles of the theme."


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of global styles."""
    parent = Integer("Number of the styles.", null="keep")
    theme: dict[str, Field] = {"stylesheet": String("Name of the theme.", null="keep")}
    history: dict[str, Field] = {
        "parent": parent, "context": context(), **paging(per_page=None),
        "offset": Integer("How many to leave out at the start.", null="keep"),
    }  # fmt: skip
    del history["search"]
    one: dict[str, Field] = {"parent": parent, "id": Integer("Number of the revision.", null="keep")}
    item = f"{_PATH}/{{id:[\\/\\d+]+}}"
    return (
        Route(READ, f"{_PATH}/{{parent}}/revisions", _list_revisions, history, _may_read_history, _revision_schema),
        Route(READ, f"{_PATH}/{{parent}}/revisions/{{id}}", _read_revision, {**one, "context": context()},
              _may_read_history, _revision_schema),
        Route(READ, f"{_PATH}/themes/{{stylesheet:{_ANY_THEME}}}/variations", _list_variations, theme, _may_read_theme,
              batch=False, answers=Array("Settings and styles of each variation.", items=_VARIATION)),
        Route(READ, f"{_PATH}/themes/{{stylesheet:{THEME_NAME}}}", _read_theme, theme, _may_read_theme, batch=False,
              answers=_OF_THEME),
        Route(READ, item, _read, {"id": Integer("Number of the styles.", null="keep")}, _may_read, _schema,
              batch=False),
        Route(CHANGE, item, _change, _write_arguments(), _may_change, _schema, batch=False),
    )  # fmt: skip


def _write_arguments() -> dict[str, Field]:
    return {
        "id": Integer("Number of the styles.", null="keep"),
        "styles": AnyOf("Styles; they replace all that were there.", (Object(),), null="keep"),
        "settings": AnyOf("Settings; they replace all that were there.", (Object(),), null="keep"),
        "title": title_field("Name of the styles.").but(context=(), null="keep"),
    }


def _schema() -> dict[str, Any]:
    return _SHAPE.schema(GLOBAL_STYLES.name)


def _revision_schema() -> dict[str, Any]:
    return _REVISION.schema(f"{GLOBAL_STYLES.name}-revision")


# -- what may be done


def _record(call: Call) -> Record:
    """Return the styles that a call names, and keep them. Raises StylesUnknown."""
    found: Record | None = call.kept.get("styles")
    if found is None:
        number = call.args.get("id")
        found = call.kept["styles"] = styles.known(call.work, number if isinstance(number, int) else 0)
    return found


def _reads(work: Work) -> bool:
    return any(work.user.can(type.caps["edit_posts"]) for type in work.frame.types.values())


def _changes(work: Work) -> bool:
    return work.user.can(GLOBAL_STYLES.caps["edit_posts"])


def _may_read(call: Call) -> None:
    """Those who write records of any type; the editing view is for those who design the site."""
    _record(call)
    if call.request.raw("context") == EDIT and not _changes(call.work):
        raise ForbiddenContext(bool(call.work.user))
    if not _reads(call.work):
        raise CannotView(bool(call.work.user))


def _may_change(call: Call) -> None:
    """Those who design the site (`edit_theme_options`)."""
    _record(call)
    if not _changes(call.work):
        raise CannotEdit(bool(call.work.user))


def _may_read_theme(call: Call) -> None:
    """Those who write records of any type."""
    if not _reads(call.work):
        raise CannotReadTheme(bool(call.work.user))


def _may_read_history(call: Call) -> None:
    """Those who design the site (`edit_theme_options`)."""
    number = call.args.get("parent")
    try:
        parent = styles.known(call.work, number if isinstance(number, int) else 0)
    except styles.StylesUnknown:
        raise InvalidParent(id=number) from None
    if not _changes(call.work):
        raise CannotRead(bool(call.work.user))
    call.kept["parent"] = parent


# -- what is done


def _read(call: Call) -> Result:
    asked = call.request.raw("context")
    return _shown(call, _record(call), asked if asked in _ALL else VIEW)


def _change(call: Call) -> Result:
    old = _record(call)
    check_preconditions(call, old)
    given = {name: call.args[name] for name in call.args.given if name in ("styles", "settings", "title")}
    new = call.kept["styles"] = styles.change(call.work, old, given)
    return _shown(call, new, EDIT)


def _shown(call: Call, record: Record, context: str) -> Result:
    wanted = choice(call.request.raw("_fields"))
    body = _SHAPE.members(record, call.work, context, wanted)
    return Result(body, rels=_links(call.work, record), state=state(record))


def _links(work: Work, record: Record) -> dict[str, Any]:
    user, self_href = work.user, work.api(f"{_PATH}/{record.id}")
    methods = ["GET"] if _reads(work) else []
    if _changes(work):
        methods += ["POST", "PUT", "PATCH"]
    out: dict[str, Any] = {
        "self": [{"href": self_href, "targetHints": {"allow": methods}}],
        "about": [{"href": work.api(f"/cms/v2/types/{GLOBAL_STYLES.name}")}],
        "version-history": [{"count": record.revisions, "href": f"{self_href}/revisions"}],
    }
    actions = {"publish": GLOBAL_STYLES.caps["publish_posts"], "edit-css": "unfiltered_html"}
    allowed = {f"cms:action-{name}": [{"href": self_href}] for name, right in actions.items() if user.can(right)}
    return {**out, **allowed, "curies": CURIES} if allowed else out


def _theme(call: Call, *, any_theme: bool = False) -> Theme:
    """Return the theme that a call names: the active one, or any that the site could have. Raises ThemeUnknown."""
    name = call.args["stylesheet"]
    active = themes.active(call.work.frame)
    found = themes.installed(call.work.frame).get(name) if any_theme else active if name == active.name else None
    if found is None:
        raise ThemeUnknown(name=name)
    return found


def _read_theme(call: Call) -> Result:
    """Read the global styles of a theme, before anybody changed them."""
    theme = _theme(call)
    body = {"settings": {}, "styles": {}, **styles.of_theme(theme)}
    return Result(body, rels={"self": [{"href": call.work.api(f"{_PATH}/themes/{theme.name}")}]})


def _list_variations(call: Call) -> Result:
    """List the style variations that a theme has."""
    return Result(styles.variations(_theme(call, any_theme=True)))


# -- revisions


def _list_revisions(call: Call) -> Result:
    args, parent = call.args, call.kept["parent"]
    query = RevisionQuery(page=args["page"], per_page=args.get("per_page"), offset=args.get("offset"))
    rows, total = revisions.listed_of(call.work, parent.id, query)
    headers, pages = page_headers(call, total, query.per_page, query.page)
    wanted = choice(call.request.raw("_fields"))
    body = [_REVISION.members(row, call.work, args["context"], wanted) for row in rows]
    return Result(body, headers=headers, links=pages)


def _read_revision(call: Call) -> Result:
    parent: Record = call.kept["parent"]
    number = call.args["id"]
    found = revisions.by_id(call.work.tx, number)
    if found is None:
        raise RevisionUnknown(id=number)
    if found.parent != parent.id:
        raise OtherParent(id=number, parent=parent.id)
    wanted = choice(call.request.raw("_fields"))
    return Result(_REVISION.members(found, call.work, call.args["context"], wanted))


# -- how styles are shown


_SETTINGS = Object("Settings, by the format of theme settings.", context=_SHOWN)
_STYLES = Object("Styles, by the format of theme settings.", context=_SHOWN)

_SHAPE = Shape(
    {
        "id": Integer("Number of the styles.", context=_ALL, readonly=True),
        "title": title_field("Name of the styles.").kinds[0].but(help="Name of the styles.", context=_ALL),
        "settings": _SETTINGS,
        "styles": _STYLES,
    },
    {
        "id": lambda record, work: record.id,
        "title": lambda record, work: {"raw": record.title, "rendered": record.title_html},
        "settings": lambda record, work: styles.parts(record)[0],
        "styles": lambda record, work: styles.parts(record)[1],
    },
)


def _date(of: str) -> Any:
    return lambda revision, work: iso(getattr(revision, of))


def _parts(at: int) -> Any:
    def getter(revision: Revision, work: Work) -> dict[str, Any]:
        return styles.parts(revision)[at]

    return getter


_REVISION = Shape(
    {
        "settings": _SETTINGS,
        "styles": _STYLES,
        "author": Integer("Number of the user who saved it.", context=_ALL),
        "date": String("When it was saved, in the site's time zone.", format="date-time", context=_ALL),
        "date_gmt": String("When it was saved, in GMT.", format="date-time", context=_SHOWN),
        "id": Integer("Number of the revision.", context=_ALL),
        "modified": String("When it was last changed, in the site's time zone.", format="date-time", context=_SHOWN),
        "modified_gmt": String("When it was last changed, in GMT.", format="date-time", context=_SHOWN),
        "parent": Integer("Number of the styles that it belongs to.", context=_ALL),
    },
    {
        "settings": _parts(0),
        "styles": _parts(1),
        "author": lambda revision, work: revision.author,
        "date": _date("date"),
        "date_gmt": _date("date_gmt"),
        "id": lambda revision, work: revision.id,
        "modified": _date("modified"),
        "modified_gmt": _date("modified_gmt"),
        "parent": lambda revision, work: revision.parent,
    },
)

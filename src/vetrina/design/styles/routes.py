"""Global styles: the theme's own, its variations, and the site owner's with their revisions.

Rules: docs/rules/global_styles.md, 1, 2, 5 and 7. There is no list and no deletion; the id of the owner's styles is in
the links of the active theme.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.access.roles.capabilities import may_edit_records
from vetrina.content.records.model import Record
from vetrina.content.records.precondition_arguments import build_state_tag, check_preconditions
from vetrina.content.revisions import rules as revisions
from vetrina.content.revisions.routes import (
    CannotReadRevisions,
    InvalidRevisionParent,
    RevisionNotFound,
    RevisionParentMismatch,
)
from vetrina.content.revisions.rules import Revision, RevisionQuery
from vetrina.content.types.registry import GLOBAL_STYLES
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.design.styles import rules as styles
from vetrina.design.templates.schema import build_title_field
from vetrina.design.themes import active_theme
from vetrina.design.themes.routes import THEME_NAME, SiteThemeNotFound
from vetrina.design.themes.theme_files import Theme
from vetrina.kernel.errors import PermissionDenied
from vetrina.kernel.times import format_iso
from vetrina.rest.call import Result
from vetrina.rest.common_arguments import build_context_argument, build_paging_arguments
from vetrina.rest.fields import EDIT, EMBED, VIEW, AnyOf, Array, Field, Integer, Object, String
from vetrina.rest.resource import Links, ListPage, Operation, Resource, build_no_links
from vetrina.rest.response_fields import Free
from vetrina.rest.route import READ, Route
from vetrina.rest.serializer import CURIES, Serializer, read_attributes

_ALL = (VIEW, EDIT, EMBED)
_SHOWN = (VIEW, EDIT)
_PATH: Final = "/cms/v2/global-styles"
_THEME_STYLES: Final = Object(properties={
    "settings": Free("Settings, as the theme's file has them."),
    "styles": Free("Styles, as the theme's file has them."),
})  # fmt: skip
_VARIATION: Final = Object(properties={
    "version": Integer("Version of the theme's file."), "title": String(), **_THEME_STYLES.properties,
})  # fmt: skip
_ANY_THEME: Final = r"[\/\s%\w\.\(\)\[\]\@_\-]+"


class CannotViewStyles(PermissionDenied):
    code = "rest_cannot_view"
    message = "You may not see the styles of this site."


class CannotEditStyles(PermissionDenied):
    code = "rest_cannot_edit"
    message = "You may not change the styles of this site."


class ForbiddenStylesContext(PermissionDenied):
    code = "rest_forbidden_context"
    message = "You may not see the styles of this site as an editor does."


class CannotReadThemeStyles(PermissionDenied):
    code = "rest_cannot_read_global_styles"
    message = "You may not see the styles of the theme."


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of global styles."""
    theme: dict[str, Field] = {"stylesheet": String("Name of the theme.", null="keep")}
    return (
        *STYLES_REVISIONS.build_routes(),
        Route(
            READ, f"{_PATH}/themes/{{stylesheet:{_ANY_THEME}}}/variations", _list_variations, theme,
            _require_theme_permission, batch=False,
            answers=Array("Settings and styles of each variation.", items=_VARIATION),
        ),
        Route(
            READ, f"{_PATH}/themes/{{stylesheet:{THEME_NAME}}}", _read_theme_styles, theme, _require_theme_permission,
            batch=False, answers=_THEME_STYLES,
        ),
        *STYLES.build_routes(),
    )  # fmt: skip


def _build_write_arguments() -> dict[str, Field]:
    return {
        "styles": AnyOf("Styles; they replace all that were there.", (Object(),), null="keep"),
        "settings": AnyOf("Settings; they replace all that were there.", (Object(),), null="keep"),
        "title": build_title_field("Name of the styles.").replace(context=(), null="keep"),
    }


# -- permissions


def _get_styles_record(call: Call) -> Record:
    """Return the styles in the path, cached in the call's lookups. Raises StylesNotFound."""
    found: Record | None = call.lookups.get("styles")
    if found is None:
        number = call.args.get("id")
        found = call.lookups["styles"] = styles.get_styles(call.work, number if isinstance(number, int) else 0)
    return found


def _may_view_styles(work: UnitOfWork) -> bool:
    return any(may_edit_records(work.user, type) for type in work.site.types.values())


def _may_edit_styles(work: UnitOfWork) -> bool:
    return work.user.can(GLOBAL_STYLES.caps["edit_posts"])


def _require_read_permission(call: Call) -> None:
    """Those who write records of any type; the editing view is for those who design the site."""
    _get_styles_record(call)
    if call.request.raw("context") == EDIT and not _may_edit_styles(call.work):
        raise ForbiddenStylesContext(bool(call.work.user))
    if not _may_view_styles(call.work):
        raise CannotViewStyles(bool(call.work.user))


def _require_update_permission(call: Call) -> None:
    """Those who design the site (`edit_theme_options`)."""
    _get_styles_record(call)
    if not _may_edit_styles(call.work):
        raise CannotEditStyles(bool(call.work.user))


def _require_theme_permission(call: Call) -> None:
    """Those who write records of any type."""
    if not _may_view_styles(call.work):
        raise CannotReadThemeStyles(bool(call.work.user))


def _require_history_permission(call: Call) -> None:
    """Those who design the site (`edit_theme_options`)."""
    number = call.args.get("parent")
    try:
        parent = styles.get_styles(call.work, number if isinstance(number, int) else 0)
    except styles.StylesNotFound:
        raise InvalidRevisionParent(id=number) from None
    if not _may_edit_styles(call.work):
        raise CannotReadRevisions(bool(call.work.user))
    call.lookups["parent"] = parent


# -- the owner's styles


def _read_styles(call: Call) -> Record:
    context = call.request.raw("context")
    call.args["context"] = context if context in _ALL else VIEW
    return _get_styles_record(call)


def _update_styles(call: Call, old: Record) -> Record:
    check_preconditions(call, old)
    given = {name: call.args[name] for name in call.args.given_names if name in ("styles", "settings", "title")}
    new = call.lookups["styles"] = styles.update_styles(call.work, old, given)
    return new


def _build_links(call: Call, record: Record) -> Links:
    work, user, self_href = call.work, call.work.user, call.work.api(f"{_PATH}/{record.id}")
    methods = ["GET"] if _may_view_styles(work) else []
    if _may_edit_styles(work):
        methods += ["POST", "PUT", "PATCH"]
    out: Links = {
        "self": [{"href": self_href, "targetHints": {"allow": methods}}],
        "about": [{"href": work.api(f"/cms/v2/types/{GLOBAL_STYLES.name}")}],
        "version-history": [{"count": record.revisions, "href": f"{self_href}/revisions"}],
    }
    actions = {"publish": GLOBAL_STYLES.caps["publish_posts"], "edit-css": "unfiltered_html"}
    allowed = {f"cms:action-{name}": [{"href": self_href}] for name, right in actions.items() if user.can(right)}
    return {**out, **allowed, "curies": CURIES} if allowed else out


# -- those of themes


def _get_theme(call: Call, *, any_theme: bool = False) -> Theme:
    """Return the theme in the path: the active one, or with `any_theme` any installed one. Raises SiteThemeNotFound."""
    name = call.args["stylesheet"]
    active = active_theme.get_active_theme(call.work.site)
    installed = active_theme.list_installed_themes(call.work.site) if any_theme else {active.name: active}
    found = installed.get(name)
    if found is None:
        raise SiteThemeNotFound(name=name)
    return found


def _read_theme_styles(call: Call) -> Result:
    """Read the global styles of a theme, without the site's changes."""
    theme = _get_theme(call)
    body = {"settings": {}, "styles": {}, **styles.build_theme_styles(theme)}
    return Result(body, rels={"self": [{"href": call.work.api(f"{_PATH}/themes/{theme.name}")}]})


def _list_variations(call: Call) -> Result:
    """List the style variations of a theme."""
    return Result(styles.build_style_variations(_get_theme(call, any_theme=True)))


# -- revisions


def _list_revisions(call: Call) -> ListPage[Revision]:
    args, parent = call.args, call.lookups["parent"]
    query = RevisionQuery(page=args["page"], per_page=args.get("per_page"), offset=args.get("offset"))
    return ListPage(*revisions.list_revisions(call.work, parent.id, query))


def _get_revision(call: Call) -> Revision:
    parent: Record = call.lookups["parent"]
    number = call.args["id"]
    found = revisions.find_revision(call.work.tx, number)
    if found is None:
        raise RevisionNotFound(id=number)
    if found.parent != parent.id:
        raise RevisionParentMismatch(id=number, parent=parent.id)
    return found


def _build_revision_list_arguments() -> dict[str, Field]:
    offset = Integer("How many to leave out at the start.", null="keep")
    args = {"context": build_context_argument(), **build_paging_arguments(per_page=None), "offset": offset}
    del args["search"]
    return args


# -- responses


_SETTINGS = Object("Settings, by the format of theme settings.", context=_SHOWN)
_STYLES = Object("Styles, by the format of theme settings.", context=_SHOWN)

_STYLES_SERIALIZER = Serializer(
    {
        "id": Integer("Number of the styles.", context=_ALL, readonly=True),
        "title": build_title_field("Name of the styles.").kinds[0].replace(help="Name of the styles.", context=_ALL),
        "settings": _SETTINGS,
        "styles": _STYLES,
    },
    {
        **read_attributes("id"),
        "title": lambda record, work: {"raw": record.title, "rendered": record.title_html},
        "settings": lambda record, work: styles.parse_styles(record)[0],
        "styles": lambda record, work: styles.parse_styles(record)[1],
    },
)


def _make_date_getter(of: str) -> Any:
    return lambda revision, work: format_iso(getattr(revision, of))


def _make_part_getter(at: int) -> Any:
    def getter(revision: Revision, work: UnitOfWork) -> dict[str, Any]:
        return styles.parse_styles(revision)[at]

    return getter


_REVISION_SERIALIZER = Serializer(
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
        "settings": _make_part_getter(0),
        "styles": _make_part_getter(1),
        **read_attributes("id", "author", "parent"),
        "date": _make_date_getter("date"),
        "date_gmt": _make_date_getter("date_gmt"),
        "modified": _make_date_getter("modified"),
        "modified_gmt": _make_date_getter("modified_gmt"),
    },
)

STYLES: Final = Resource(
    title=GLOBAL_STYLES.name,
    path=_PATH,
    item=r"{id:[\/\d+]+}",
    key={"id": Integer("Number of the styles.", null="keep")},
    serializer=_STYLES_SERIALIZER,
    build_links=_build_links,
    build_state=build_state_tag,
    find=_get_styles_record,
    context=None,  # it is read without being an argument
    batch=False,
    read=Operation(_read_styles, _require_read_permission),
    update=Operation(_update_styles, _require_update_permission, _build_write_arguments()),
)
_PARENT: Final[dict[str, Field]] = {"parent": Integer("Number of the styles.", null="keep")}
STYLES_REVISIONS: Final = Resource(
    title=f"{GLOBAL_STYLES.name}-revision",
    path=f"{_PATH}/{{parent}}/revisions",
    above=_PARENT,
    key={**_PARENT, "id": Integer("Number of the revision.", null="keep")},
    serializer=_REVISION_SERIALIZER,
    build_links=build_no_links,
    list=Operation(_list_revisions, _require_history_permission, _build_revision_list_arguments()),
    read=Operation(_get_revision, _require_history_permission),
)

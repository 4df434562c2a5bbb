"""Global styles: the theme's own, its variations, and the site owner's.

Not here: their revisions (design/styles/revision_routes.py). Rules: docs/rules/global_styles.md, 1, 2 and 6. There is
no list and no deletion; the id of the owner's styles is in the links of the active theme.
"""

from __future__ import annotations

from typing import Final

from vetrina.content.records.model import Record
from vetrina.content.records.precondition_arguments import build_state_tag, check_preconditions
from vetrina.content.types.registry import GLOBAL_STYLES
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.design.styles import permissions, revision_routes, rules as styles
from vetrina.design.styles.schema import ALL, PATH, SETTINGS_FIELD, STYLES_FIELD
from vetrina.design.templates.schema import build_title_field
from vetrina.design.themes import active_theme
from vetrina.design.themes.model import Theme
from vetrina.design.themes.routes import THEME_NAME, SiteThemeNotFound
from vetrina.rest.call import Result
from vetrina.rest.fields import VIEW, AnyOf, Array, Field, Integer, Object, String
from vetrina.rest.resource import Links, Operation, Resource
from vetrina.rest.response_fields import Free
from vetrina.rest.route import READ, Route
from vetrina.rest.serializer import CURIES, Serializer, read_attributes

_THEME_STYLES: Final = Object(properties={
    "settings": Free("Settings, as the theme's file has them."),
    "styles": Free("Styles, as the theme's file has them."),
})  # fmt: skip
_VARIATION: Final = Object(properties={
    "version": Integer("Version of the theme's file."), "title": String(), **_THEME_STYLES.properties,
})  # fmt: skip
_ANY_THEME: Final = r"[\/\s%\w\.\(\)\[\]\@_\-]+"


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of global styles."""
    theme: dict[str, Field] = {"stylesheet": String("Name of the theme.", null="keep")}
    return (
        *revision_routes.STYLES_REVISIONS.build_routes(),
        Route(
            READ, f"{PATH}/themes/{{stylesheet:{_ANY_THEME}}}/variations", _list_variations, theme,
            permissions.require_theme_permission, batch=False,
            answers=Array("Settings and styles of each variation.", items=_VARIATION),
        ),
        Route(
            READ, f"{PATH}/themes/{{stylesheet:{THEME_NAME}}}", _read_theme_styles, theme,
            permissions.require_theme_permission, batch=False, answers=_THEME_STYLES,
        ),
        *STYLES.build_routes(),
    )  # fmt: skip


def _build_write_arguments() -> dict[str, Field]:
    return {
        "styles": AnyOf("Styles; they replace all that were there.", (Object(),), null="keep"),
        "settings": AnyOf("Settings; they replace all that were there.", (Object(),), null="keep"),
        "title": build_title_field("Name of the styles.").replace(context=(), null="keep"),
    }


# -- the owner's styles


def _read_styles(call: Call) -> Record:
    context = call.request.raw("context")
    call.args["context"] = context if context in ALL else VIEW
    return permissions.get_styles_record(call)


def _update_styles(call: Call, old: Record) -> Record:
    check_preconditions(call, old)
    given = {name: call.args[name] for name in call.args.given_names if name in ("styles", "settings", "title")}
    new = call.lookups["styles"] = styles.update_styles(call.work, old, given)
    return new


def _build_links(call: Call, record: Record) -> Links:
    work, user, self_href = call.work, call.work.user, call.work.api(f"{PATH}/{record.id}")
    methods = ["GET"] if permissions.may_view_styles(work) else []
    if permissions.may_edit_styles(work):
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
    return Result(body, rels={"self": [{"href": call.work.api(f"{PATH}/themes/{theme.name}")}]})


def _list_variations(call: Call) -> Result:
    """List the style variations of a theme."""
    return Result(styles.build_style_variations(_get_theme(call, any_theme=True)))


# -- revisions


# -- responses

_STYLES_SERIALIZER = Serializer(
    {
        "id": Integer("Number of the styles.", context=ALL, readonly=True),
        "title": build_title_field("Name of the styles.").kinds[0].replace(help="Name of the styles.", context=ALL),
        "settings": SETTINGS_FIELD,
        "styles": STYLES_FIELD,
    },
    {
        **read_attributes("id"),
        "title": lambda record, work: {"raw": record.title, "rendered": record.title_html},
        "settings": lambda record, work: styles.parse_styles(record)[0],
        "styles": lambda record, work: styles.parse_styles(record)[1],
    },
)


STYLES: Final = Resource(
    title=GLOBAL_STYLES.name,
    path=PATH,
    item=r"{id:[\/\d+]+}",
    key={"id": Integer("Number of the styles.", null="keep")},
    serializer=_STYLES_SERIALIZER,
    build_links=_build_links,
    build_state=build_state_tag,
    find=permissions.get_styles_record,
    context=None,  # it is read without being an argument
    batch=False,
    read=Operation(_read_styles, permissions.require_read_permission),
    update=Operation(_update_styles, permissions.require_update_permission, _build_write_arguments()),
)

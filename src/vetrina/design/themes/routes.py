"""The installed themes and the active one.

Rules: docs/rules/themes.md, 1.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

from vetrina.access.roles.capabilities import may_edit_records
from vetrina.content.text import rendering as text_rendering
from vetrina.content.types.model import POST_FORMATS
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.design.styles import rules as styles
from vetrina.design.templates.kinds import PART_AREAS, TEMPLATE_KINDS
from vetrina.design.themes import active_theme
from vetrina.design.themes.model import Theme
from vetrina.design.themes.public_files import build_theme_url
from vetrina.kernel.errors import ApiError, Failure, PermissionDenied
from vetrina.rest.fields import EDIT, EMBED, VIEW, Array, Boolean, Field, Object, String, Untyped
from vetrina.rest.resource import Links, ListPage, Operation, Resource
from vetrina.rest.route import Route
from vetrina.rest.serializer import CURIES, Serializer, read_attributes

# The pattern of a theme's name, exposed in the index as it is.
THEME_NAME: Final = r'[^\/:<>\*\?"\|]+(?:\/[^\/:<>\*\?"\|]+)?'
_ALL = (VIEW, EDIT, EMBED)


class CannotViewThemes(PermissionDenied):
    code = "rest_cannot_view_themes"
    message = "You may not see the themes of this site."


class CannotViewActiveTheme(PermissionDenied):
    code = "rest_cannot_view_active_theme"
    message = "You may not see the theme of this site."


class SiteThemeNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_theme_not_found"
    message = "There is no theme {name!r} here. GET /cms/v2/themes lists them."


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of themes."""
    return THEMES.build_routes()


# -- permissions


def _may_view_active(work: UnitOfWork) -> bool:
    return any(may_edit_records(work.user, type) for type in work.site.types.values())


def _require_list_permission(call: Call) -> None:
    """Those who choose the theme (`switch_themes`); the active one is for those who write records of any type."""
    user = call.work.user
    if user.can("switch_themes"):
        return
    if call.args.get("status") != ["active"]:
        raise CannotViewThemes(bool(user))
    if not _may_view_active(call.work):
        raise CannotViewActiveTheme(bool(user))


def _require_read_permission(call: Call) -> None:
    """Those who choose the theme (`switch_themes`); the active one is for those who write records of any type."""
    work = call.work
    if work.user.can("switch_themes"):
        return
    if call.args.get("stylesheet") != active_theme.get_active_theme(work.site).name:
        raise CannotViewThemes(bool(work.user))
    if not _may_view_active(work):
        raise CannotViewActiveTheme(bool(work.user))


# -- what is done


def _list_themes(call: Call) -> ListPage[Theme]:
    work, statuses = call.work, call.args.get("status") or ("active", "inactive")
    found = [
        one for one in active_theme.list_installed_themes(work.site).values() if _compute_status(work, one) in statuses
    ]
    return ListPage(found, len(found), size=None)


def _get_theme(call: Call) -> Theme:
    name = call.args["stylesheet"]
    found = active_theme.list_installed_themes(call.work.site).get(name)
    if found is None:
        raise SiteThemeNotFound(name=name)
    return found


def _compute_status(work: UnitOfWork, theme: Theme) -> str:
    return "active" if theme is active_theme.get_active_theme(work.site) else "inactive"


def _build_links(call: Call, theme: Theme) -> Links:
    work, path = call.work, f"{call.work.root}{THEMES.path}"
    out: Links = {
        "self": [{"href": f"{path}/{theme.name}", "targetHints": {"allow": ["GET"]}}],
        "collection": [{"href": path}],
    }
    if theme is active_theme.get_active_theme(work.site):
        export = ["GET"] if work.user.can("edit_theme_options") else []
        number = styles.ensure_site_styles(work).id
        out["cms:user-global-styles"] = [{"href": work.api(f"/cms/v2/global-styles/{number}")}]
        out["cms:export-theme"] = [{"targetHints": {"allow": export}, "href": work.api("/cms-block-editor/v1/export")}]
        out["curies"] = CURIES
    return out


# -- responses


def _build_text_field(help: str) -> Object:
    both = {"raw": String("As the theme says it."), "rendered": String("As HTML.")}
    return Object(help, properties=both, context=_ALL, readonly=True)


def _make_head_getter(name: str) -> Any:
    def getter(theme: Theme, work: UnitOfWork) -> dict[str, str]:
        raw = theme.head.get(name, "")
        return {"raw": raw, "rendered": raw if "://" in raw else text_rendering.render_title(raw, work.budget)}

    return getter


def _serialize_tags(theme: Theme, work: UnitOfWork) -> dict[str, Any]:
    raw = [tag.strip() for tag in theme.head.get("Tags", "").split(",") if tag.strip()]
    return {"raw": raw, "rendered": ", ".join(raw)}


def _serialize_supports(theme: Theme, work: UnitOfWork) -> dict[str, Any]:
    """Return what every block theme supports, with the presets that older editors read here."""
    color, type, spacing = (theme.settings.get(name, {}) for name in ("color", "typography", "spacing"))
    return {
        "align-wide": True,
        "automatic-feed-links": True,
        "block-templates": True,
        "block-template-parts": True,
        "custom-background": False,
        "custom-header": False,
        "custom-logo": False,
        "customize-selective-refresh-widgets": False,
        "custom-line-height": True,
        "custom-spacing": True,
        "custom-units": spacing.get("units", []),
        "dark-editor-style": False,
        "disable-custom-colors": False,
        "disable-custom-font-sizes": False,
        "disable-custom-gradients": False,
        "disable-layout-styles": False,
        "editor-color-palette": color.get("palette", False),
        "editor-font-sizes": type.get("fontSizes", False),
        "editor-gradient-presets": color.get("gradients", False),
        "editor-spacing-sizes": spacing.get("spacingSizes", False),
        "editor-styles": True,
        "formats": list(POST_FORMATS),
        "html5": ["comment-form", "comment-list", "search-form", "gallery", "caption", "style", "script"],
        "post-thumbnails": True,
        "responsive-embeds": True,
        "title-tag": True,
        "cms-block-styles": True,
    }


def _build_list_field(help: str, items: Field) -> Untyped:
    """A list, or one Boolean for all or nothing."""
    return Untyped(help, extra={"type": ["boolean", "array"], "items": items.schema()})


# The schema of theme supports in OPTIONS, the members of `_supports`.
_SUPPORTS: Final[dict[str, Field]] = {
    "align-wide": Boolean("Whether blocks may be wider than the text."),
    "automatic-feed-links": Boolean("Whether pages name their feeds."),
    "block-templates": Boolean("Whether its templates are made of blocks."),
    "block-template-parts": Boolean("Whether parts of its templates are made of blocks."),
    "custom-background": Boolean("Whether the site chooses its background."),
    "custom-header": Boolean("Whether the site chooses its head."),
    "custom-logo": Boolean("Whether the site chooses its logo beyond the block of one."),
    "customize-selective-refresh-widgets": Boolean("Whether widgets are redrawn one by one."),
    "custom-line-height": Boolean("Whether blocks may choose the height of their lines."),
    "custom-spacing": Boolean("Whether blocks may choose their spacing."),
    "custom-units": _build_list_field("Units that lengths may have.", String()),
    "dark-editor-style": Boolean("Whether the editor has a dark look."),
    "disable-custom-colors": Boolean("Whether only colours of the palette may be chosen."),
    "disable-custom-font-sizes": Boolean("Whether only sizes of the theme may be chosen."),
    "disable-custom-gradients": Boolean("Whether only gradients of the theme may be chosen."),
    "disable-layout-styles": Boolean("Whether no styles are made for layouts."),
    "editor-color-palette": _build_list_field("Colours of the theme.", Object()),
    "editor-font-sizes": _build_list_field("Sizes of letters of the theme.", Object()),
    "editor-gradient-presets": _build_list_field("Gradients of the theme.", Object()),
    "editor-spacing-sizes": _build_list_field("Spacings of the theme.", Object()),
    "editor-styles": Boolean("Whether the editor looks as the theme does."),
    "formats": Array("Formats of records that it knows.", String(enum=POST_FORMATS)),
    "html5": _build_list_field("Parts that are written as HTML5.", String()),
    "post-thumbnails": _build_list_field("Types whose records have images; `true` for all of them.", String()),
    "responsive-embeds": Boolean("Whether embeds keep their proportions."),
    "title-tag": Boolean("Whether the title of a page is that of its record."),
    "cms-block-styles": Boolean("Whether blocks have styles beyond those that they need."),
}

_HEAD: Final = {
    "author": ("Author", "Who made it."),
    "author_uri": ("Author URI", "Where its author is found."),
    "description": ("Description", "What it is like."),
    "theme_uri": ("Theme URI", "Where it is found."),
}

_FIELDS: dict[str, Field] = {
    "stylesheet": String("Name of the theme, by which it is told from all others.", context=_ALL, readonly=True),
    "stylesheet_uri": String("Address of its folder.", format="uri", context=_ALL, readonly=True),
    "template": String("Name of the theme that it builds on; its own for most.", context=_ALL, readonly=True),
    "template_uri": String("Address of that theme's folder.", format="uri", context=_ALL, readonly=True),
    **{name: _build_text_field(help) for name, (_, help) in _HEAD.items()},
    "is_block_theme": Boolean("Whether its templates are made of blocks.", context=_ALL, readonly=True),
    "name": _build_text_field("Its name as people read it."),
    "requires_php": String("Least version of a runtime that it needs; none here.", context=_ALL, readonly=True),
    "requires_wp": String("Least version of the site's software that it needs.", context=_ALL, readonly=True),
    "screenshot": String("Address of a picture of it.", format="uri", context=_ALL, readonly=True),
    "tags": Object(
        "Words that say what it is like.",
        properties={"raw": Array("The words.", String()), "rendered": String("The words as HTML.")},
        context=_ALL,
        readonly=True,
    ),
    "textdomain": String("Name of its catalogue of translations.", context=_ALL, readonly=True),
    "theme_supports": Object("What it can.", properties=_SUPPORTS, context=_ALL, readonly=True),
    "version": String("Its version.", context=_ALL, readonly=True),
    "status": String("Whether the site has it.", enum=("active", "inactive"), context=_ALL, readonly=True),
    "default_template_types": Array("Kinds of templates that it may have.", Object(), context=_ALL, readonly=True),
    "default_template_part_areas": Array("Places that its parts are made for.", Object(), context=_ALL, readonly=True),
}
_SERIALIZER = Serializer(
    _FIELDS,
    {
        **read_attributes(stylesheet="name", template="name"),
        "stylesheet_uri": lambda theme, work: build_theme_url(theme, work.origin),
        "template_uri": lambda theme, work: build_theme_url(theme, work.origin),
        **{name: _make_head_getter(key) for name, (key, _) in _HEAD.items()},
        "is_block_theme": lambda theme, work: True,
        "name": lambda theme, work: {
            "raw": theme.title,
            "rendered": text_rendering.render_title(theme.title, work.budget),
        },
        "requires_php": lambda theme, work: theme.head.get("Requires PHP", ""),
        "requires_wp": lambda theme, work: theme.head.get("Requires at least", ""),
        "screenshot": lambda theme, work: "",
        "tags": _serialize_tags,
        "textdomain": lambda theme, work: theme.head.get("Text Domain", theme.name),
        "theme_supports": _serialize_supports,
        "version": lambda theme, work: theme.head.get("Version", ""),
        "status": lambda theme, work: _compute_status(work, theme),
        "default_template_types": lambda theme, work: [asdict(kind) for kind in TEMPLATE_KINDS.values()],
        "default_template_part_areas": lambda theme, work: [
            {
                "area": area.area,
                "label": area.label,
                "description": area.description,
                "icon": area.icon,
                "area_tag": area.tag,
            }
            for area in PART_AREAS.values()
        ],
    },
)

THEMES: Final = Resource(
    title="theme",
    path="/cms/v2/themes",
    item=f"{{stylesheet:{THEME_NAME}}}",
    key={"stylesheet": String("Name of the theme.", null="keep")},
    serializer=_SERIALIZER,
    build_links=_build_links,
    context=None,
    written_context=VIEW,
    lists_links=True,  # a link makes the styles that it leads to
    list=Operation(
        _list_themes,
        _require_list_permission,
        {"status": Array("Only themes with these statuses.", items=String(enum=("active", "inactive")), null="keep")},
    ),
    read=Operation(_get_theme, _require_read_permission),
)

"""Routes of the shop's themes: upload, install, activate, recommend.

Not here: the content of an archive (design/themes/packages.py). Rules: docs/rules/shop_modules.md, 5.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.design.themes import active_theme, packages as theme_packages
from vetrina.design.themes.model import Theme
from vetrina.design.themes.packages import InvalidThemePackage, ThemeAlreadyInstalled, ThemePackage
from vetrina.kernel.errors import ApiError, Failure
from vetrina.rest.call import Result
from vetrina.rest.fields import EDIT, VIEW, Field, String, Untyped
from vetrina.rest.route import CHANGE, READ, Route
from vetrina.shop.admin import permissions as admin_permissions, responses as admin_responses
from vetrina.shop.settings import rules as settings

_SETUP: Final = "/shop-admin/onboarding/themes"
_CURRENCIES: Final = ("USD", "AUD", "CAD", "EUR", "GBP")
_ARCHIVE_BYTES: Final = 32 << 20
_MAX_PALETTES: Final = 4


class ThemeArchiveInvalid(ApiError):
    code = "shop_rest_invalid_file"
    message = "Send a theme as a zip archive, in the field `pluginzip`: {why}."


class ThemeNotInstalled(ApiError):
    code = "shop_rest_theme_install"
    message = "The theme {slug!r} is not on this server; upload its archive to POST /shop-admin/themes."


class ShopThemeNotFound(ApiError):
    code = "shop_rest_invalid_theme"
    message = "There is no theme {slug!r} here. GET /cms/v2/themes lists them."


class ShopThemeExists(ApiError):
    failure, code = Failure.CONFLICT, "shop_rest_theme_install"
    message = "There is a theme {slug!r} already."


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of themes."""
    archive: dict[str, Field] = {
        "context": String("What is shown.", enum=(VIEW, EDIT), default=VIEW),
        "pluginzip": Untyped("The archive.", lenient=True, extra={"type": "file"}),
    }
    asked: dict[str, Field] = {
        "industry": String("What the shop deals in.", null="keep"),
        "currency": String("What prices are in.", enum=_CURRENCIES, default="USD"),
    }
    admin = admin_permissions.require_admin_update_permission
    return (
        Route(
            CHANGE, "/shop-admin/themes", _upload_theme, archive, admin_permissions.require_admin_view_permission,
            slow=True, prepare=_unpack_theme, files=True, body_bytes=_ARCHIVE_BYTES,
            errors=(ThemeArchiveInvalid, ShopThemeExists), answers=admin_responses.THEME,
        ),
        Route(
            CHANGE, f"{_SETUP}/install", _install_theme, {}, admin, errors=(ThemeNotInstalled,),
            answers=admin_responses.THEME,
        ),
        Route(
            CHANGE, f"{_SETUP}/activate", _activate_theme, {}, admin, errors=(ShopThemeNotFound,),
            answers=admin_responses.THEME,
        ),
        Route(
            READ, f"{_SETUP}/recommended", _list_recommended_themes, asked, admin,
            answers=admin_responses.OFFERED_THEMES,
        ),
    )  # fmt: skip


@contextmanager
def _unpack_theme(call: Call) -> Iterator[ThemePackage]:
    """Unpack the uploaded archive for the duration of the transaction. Raises ThemeArchiveInvalid, ShopThemeExists."""
    upload = call.request.files.get("pluginzip")
    if upload is None:
        raise ThemeArchiveInvalid(why="there was none")
    try:
        with theme_packages.unpack_theme(call.work.site, upload.path) as package:
            yield package
    except InvalidThemePackage as error:
        raise ThemeArchiveInvalid(why=str(error).rstrip(".")) from None
    except ThemeAlreadyInstalled as error:
        raise ShopThemeExists(slug=str(error)) from None


def _upload_theme(call: Call) -> Result:
    """Install a theme from a zip file."""
    package: ThemePackage = call.prepared
    theme_packages.install_theme(call.work.site, package)
    call.work.note("theme", package.name, "created")
    return Result({"status": "success", "message": f"{package.title} is installed.", "theme": package.name,
                   "slug": package.name, "name": package.title})  # fmt: skip


def _find_requested_theme(call: Call) -> tuple[str, Theme | None]:
    name = call.request.raw("theme")
    slug = name if isinstance(name, str) else ""
    return slug, active_theme.list_installed_themes(call.work.site).get(slug)


def _install_theme(call: Call) -> Result:
    """Tell whether a theme is installed; themes are added by upload."""
    slug, theme = _find_requested_theme(call)
    if theme is None:
        raise ThemeNotInstalled(slug=slug)
    return Result(_serialize_theme(theme))


def _activate_theme(call: Call) -> Result:
    """Activate an installed theme."""
    slug, theme = _find_requested_theme(call)
    if theme is None:
        raise ShopThemeNotFound(slug=slug)
    if theme.name != active_theme.get_active_theme(call.work.site).name:
        active_theme.activate_theme(call.work.site, theme.name)
        active_theme.forget_active_theme(call.work)
        # Responses made with the other theme are stale now.
        call.work.note("option", "theme", "changed")
    return Result(_serialize_theme(theme))


def _serialize_theme(theme: Theme) -> dict[str, Any]:
    return {"slug": theme.name, "name": theme.title, "status": "success"}


# -- recommended themes


def _list_recommended_themes(call: Call) -> Result:
    """List the recommended themes, which are the installed ones."""
    work = call.work
    found: list[dict[str, Any]] = []
    if settings.is_setting_on(work, "shop_show_marketplace_suggestions"):
        now = active_theme.get_active_theme(work.site).name
        found = [
            _serialize_offered_theme(theme, theme.name == now, work.origin)
            for theme in active_theme.list_installed_themes(work.site).values()
        ]
    links = {"browse_all": {"href": f"{work.origin}/admin/themes"}}
    return Result({"themes": found, "_links": links})


def _serialize_offered_theme(theme: Theme, active: bool, origin: str) -> dict[str, Any]:
    palettes = [_serialize_palette(one) for one in theme.variations]
    return {
        "name": theme.title, "price": "Free", "color_palettes": palettes[:_MAX_PALETTES],
        "total_palettes": len(palettes), "slug": theme.name, "is_active": active, "thumbnail_url": "",
        "link_url": f"{origin}/admin/themes?theme={theme.name}",
    }  # fmt: skip


def _serialize_palette(variation: Any) -> dict[str, str]:
    palette = variation["settings"].get("color", {}).get("palette", [])
    colors = (
        [str(one.get("color", "")) for one in palette if isinstance(one, dict)] if isinstance(palette, list) else []
    )
    first, second = (*colors, "", "")[:2]
    return {"title": str(variation["title"]), "primary": first, "secondary": second}

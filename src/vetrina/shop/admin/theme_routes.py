"""Themes of the shop: uploaded, installed, activated, recommended.

Not here: what an archive may hold (design/themes/packages.py). Rules: facts, "Plugins" (themes) and "Routes that
the reference lacks".
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from vetrina.core.unit_of_work import Frame
from vetrina.design.themes import packages as theme_packages
from vetrina.design.themes import rules as themes
from vetrina.design.themes.packages import BadPackage, Package, ThemeThere
from vetrina.design.themes.rules import Theme
from vetrina.kernel.errors import ApiError
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import EDIT, VIEW, Field, String, Untyped
from vetrina.rest.route import CHANGE, READ, Route
from vetrina.shop.admin import permissions as admin_permissions
from vetrina.shop.admin import responses as admin_responses
from vetrina.shop.settings import rules as settings

__all__ = ["routes"]

_SETUP: Final = "/shop-admin/onboarding/themes"
_CURRENCIES: Final = ("USD", "AUD", "CAD", "EUR", "GBP")
_ARCHIVE_BYTES: Final = 32 << 20
_MOST_PALETTES: Final = 4


class NoArchive(ApiError):
    code = "shop_rest_invalid_file"
    message = "Send a theme as a zip archive, in the field `pluginzip`: {why}."


class NotInstalled(ApiError):
    code = "shop_rest_theme_install"
    message = "The theme {slug!r} is not on this server; upload its archive to POST /shop-admin/themes."


class ThemeUnknown(ApiError):
    code = "shop_rest_invalid_theme"
    message = "There is no theme {slug!r} here. GET /cms/v2/themes lists them."


class ThemeExists(ApiError):
    status, code = 409, "shop_rest_theme_install"
    message = "There is a theme {slug!r} already."


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of themes."""
    archive: dict[str, Field] = {
        "context": String("What is shown.", enum=(VIEW, EDIT), default=VIEW),
        "pluginzip": Untyped("The archive.", lenient=True, extra={"type": "file"}),
    }
    asked: dict[str, Field] = {
        "industry": String("What the shop deals in.", null="keep"),
        "currency": String("What prices are in.", enum=_CURRENCIES, default="USD"),
    }
    admin = admin_permissions.setting_up
    return (
        Route(
            CHANGE,
            "/shop-admin/themes",
            _upload,
            archive,
            admin_permissions.watching,
            slow=True,
            prepare=_unpacked,
            files=True,
            body_bytes=_ARCHIVE_BYTES,
            errors=(NoArchive, ThemeExists),
            answers=admin_responses.THEME,
        ),
        Route(CHANGE, f"{_SETUP}/install", _install, {}, admin, errors=(NotInstalled,), answers=admin_responses.THEME),
        Route(
            CHANGE, f"{_SETUP}/activate", _activate, {}, admin, errors=(ThemeUnknown,), answers=admin_responses.THEME
        ),
        Route(READ, f"{_SETUP}/recommended", _recommended, asked, admin, answers=admin_responses.OFFERED_THEMES),
    )


@contextmanager
def _unpacked(call: Call) -> Iterator[Package]:
    """Unpack the archive of a call while its transaction lasts. Raises NoArchive, ThemeExists."""
    upload = call.request.files.get("pluginzip")
    if upload is None:
        raise NoArchive(why="there was none")
    try:
        with theme_packages.unpacked(call.work.frame, upload.path) as package:
            yield package
    except BadPackage as error:
        raise NoArchive(why=str(error).rstrip(".")) from None
    except ThemeThere as error:
        raise ThemeExists(slug=str(error)) from None


def _upload(call: Call) -> Result:
    """Install a theme from a zip file."""
    package: Package = call.prepared
    theme_packages.keep(call.work.frame, package)
    call.work.note("theme", package.name, "created")
    return Result({"status": "success", "message": f"{package.title} is installed.", "theme": package.name,
                   "slug": package.name, "name": package.title})  # fmt: skip


def _named(call: Call) -> tuple[str, Theme | None]:
    asked = call.request.raw("theme")
    slug = asked if isinstance(asked, str) else ""
    return slug, themes.installed(call.work.frame).get(slug)


def _install(call: Call) -> Result:
    """Answer whether a theme is installed; themes come by upload."""
    slug, theme = _named(call)
    if theme is None:
        raise NotInstalled(slug=slug)
    return Result(_done(theme))


def _activate(call: Call) -> Result:
    """Switch to a theme that is installed."""
    slug, theme = _named(call)
    if theme is None:
        raise ThemeUnknown(slug=slug)
    if theme.name != themes.active(call.work.frame).name:
        themes.choose(call.work.frame, theme.name)
        # Answers that were made with the other theme are old now.
        call.work.note("option", "theme", "changed")
    return Result(_done(theme))


def _done(theme: Theme) -> dict[str, Any]:
    return {"slug": theme.name, "name": theme.title, "status": "success"}


# -- recommended ones


def _recommended(call: Call) -> Result:
    """List the themes that are recommended, which are those installed."""
    work = call.work
    found: list[dict[str, Any]] = []
    if settings.is_on(work, "shop_show_marketplace_suggestions"):
        now = themes.active(work.frame).name
        found = [_offered(theme, theme.name == now, work.origin) for theme in themes.installed(work.frame).values()]
    links = {"browse_all": {"href": f"{work.origin}/admin/themes"}}
    return Result({"themes": found, "_links": links})


def _offered(theme: Theme, active: bool, origin: str) -> dict[str, Any]:
    palettes = [_palette(one) for one in theme.variations]
    return {
        "name": theme.title, "price": "Free", "color_palettes": palettes[:_MOST_PALETTES],
        "total_palettes": len(palettes), "slug": theme.name, "is_active": active, "thumbnail_url": "",
        "link_url": f"{origin}/admin/themes?theme={theme.name}",
    }  # fmt: skip


def _palette(variation: Any) -> dict[str, str]:
    told = variation["settings"].get("color", {}).get("palette", [])
    colours = [str(one.get("color", "")) for one in told if isinstance(one, dict)] if isinstance(told, list) else []
    first, second = (*colours, "", "")[:2]
    return {"title": str(variation["title"]), "primary": first, "secondary": second}

"""The small namespaces beside the shop's: block patterns of its pages, app usage, status for the marketplace.

Not here: the shop itself (shop/resources.py), previews of its mails (shop/mail/preview_routes.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.design.themes import active_theme
from vetrina.kernel.errors import ApiError, PermissionDenied
from vetrina.rest.call import Result
from vetrina.rest.fields import Array, Boolean, Field, Object, String
from vetrina.rest.response_fields import Nothing, build_text_fields
from vetrina.rest.route import READ, WRITE, Route
from vetrina.shop.marketplace import account as marketplace_account
from vetrina.shop.permissions import require_view_permission
from vetrina.shop.rights import require_shop_capability
from vetrina.shop.system import status

_ADMINISTRATOR: Final = "manage_options"
_PLATFORMS: Final = ("ios", "android")
_APP_USAGE_OPTION: Final = "shop_mobile_app_usage"
_STATE: Final = Object(properties={
    "success": Boolean(), "error_code": String(), "error_message": String(), "state": Nothing(),
})  # fmt: skip
_STATUS: Final = Object(properties={
    "success": Boolean(),
    "data": Object(properties={
        "shop_version": String(), "woo_update_manager_installed": Boolean(), "woo_update_manager_active": Boolean(),
    }),
})  # fmt: skip


class CannotViewShopPatterns(PermissionDenied):
    code = "rest_forbidden"
    message = "You may not see this; sign in as one who runs the shop."


class MarketplaceTokenMissing(ApiError):
    code = "no_access_token"
    message = "The marketplace says who it is with a token; administrators sign in."


class InstallationNotFound(ApiError):
    message = "No installation of that product was begun."

    def body(self) -> dict[str, Any]:
        return {
            "success": False,
            "error_code": "no_initiated_installation_found",
            "error_message": self.text,
            "state": None,
        }


# -- shop/private


def build_pattern_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the route of the patterns that shop pages start from."""
    return (
        Route(
            READ, "/shop/private/patterns", _list_patterns, {}, _require_patterns_permission,
            answers=Array(items=Object(properties=build_text_fields("slug", "title", "content"))),
        ),
    )  # fmt: skip


def _require_patterns_permission(call: Call) -> None:
    """Those who run the shop (`manage_shop`)."""
    require_shop_capability(call.work.user, CannotViewShopPatterns)


def _list_patterns(call: Call) -> Result:
    """List the theme's patterns for shop pages."""
    found = active_theme.get_active_theme(call.work.site).patterns
    return Result([{"slug": one.name, "title": one.title, "content": one.content} for one in found])


# -- shop-telemetry


def build_telemetry_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the route that records the use of apps."""
    args: dict[str, Field] = {
        "platform": String("What the app runs on.", required=True),
        "version": String("Its version.", required=True),
        "installation_date": String("When it was first used.", null="keep"),
    }
    return (Route(WRITE, "/shop-telemetry/tracker", _record_app_use, args, require_view_permission, answers=Nothing()),)


def _record_app_use(call: Call) -> Result:
    """Record which version of a mobile app sent the request."""
    work = call.work
    platform, version = call.args["platform"], call.args["version"]
    if platform in _PLATFORMS:
        stored = work.stored_option(_APP_USAGE_OPTION)
        usage = stored if isinstance(stored, dict) else {}
        work.set_option(_APP_USAGE_OPTION, {**usage, platform: {"version": version[:50], "last_used": work.now}})
    return Result(None)


# -- shopcom-site/v3


def build_marketplace_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes that the marketplace calls."""
    space = "/shopcom-site/v3"
    product: dict[str, Field] = {"product_id": String("Number of the product.")}
    return (
        Route(
            READ, f"{space}/connection/status", _read_connection, {}, _require_administrator,
            answers=Object(properties={"connection_data_found": Boolean(), "connection_valid": Boolean()}),
        ),
        Route(
            READ, f"{space}/installer/{{product_id:\\d+}}/state", _read_installation, product, _require_administrator,
            errors=(InstallationNotFound,), other_statuses=(400,), answers=_STATE,
        ),
        Route(READ, f"{space}/status", _read_status, {}, _require_administrator, answers=_STATUS),
    )  # fmt: skip


def _require_administrator(call: Call) -> None:
    """Administrators (`manage_options`)."""
    if not call.work.user.can(_ADMINISTRATOR):
        raise MarketplaceTokenMissing


def _read_connection(call: Call) -> Result:
    """Return whether the site is connected to an account of the marketplace."""
    found = marketplace_account.is_connected(call.work)
    valid = found and bool(call.work.site.profile.shop_services.marketplace_url)
    return Result({"connection_data_found": found, "connection_valid": valid})


def _read_installation(call: Call) -> Result:
    """Report that nothing is being installed."""
    raise InstallationNotFound


def _read_status(call: Call) -> Result:
    """Return the version of the shop."""
    version = status.build_environment_info(call.work)["version"]
    data = {"shop_version": version, "woo_update_manager_installed": False, "woo_update_manager_active": False}
    return Result({"success": True, "data": data})


RouteBuilder = Callable[[SiteContext], tuple[Route, ...]]

ROUTE_BUILDERS: Final[dict[str, tuple[RouteBuilder, ...]]] = {
    "shop/private": (build_pattern_routes,),
    "payments/shoppay": (),
    "shop-telemetry": (build_telemetry_routes,),
    "shopcom-site/v3": (build_marketplace_routes,),
}

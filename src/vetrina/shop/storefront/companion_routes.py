"""The small namespaces beside the shop's: patterns for its pages, counts of its apps, the marketplace that looks in.

Rules: the recordings of the shop's side namespaces. Not here: the shop itself (namespaces/shop), its administration
(namespaces/shop_admin), previews of its mails (shop/mail/preview_routes.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from vetrina.core.unit_of_work import Frame, Work
from vetrina.design.themes import rules as themes
from vetrina.kernel.errors import ApiError, Refused
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import Array, Boolean, Field, Object, String
from vetrina.rest.response_fields import Nothing, texts
from vetrina.rest.route import READ, WRITE, Route
from vetrina.shop.marketplace import account as marketplace_account
from vetrina.shop.rights import CannotView, require
from vetrina.shop.system import status

__all__ = ["ROOMS"]

_ADMINISTRATOR: Final = "manage_options"
_PLATFORMS: Final = ("ios", "android")
_SEEN: Final = "shop_mobile_app_usage"
_STATE: Final = Object(properties={
    "success": Boolean(), "error_code": String(), "error_message": String(), "state": Nothing(),
})  # fmt: skip
_STATUS: Final = Object(properties={
    "success": Boolean(),
    "data": Object(properties={
        "shop_version": String(), "woo_update_manager_installed": Boolean(), "woo_update_manager_active": Boolean(),
    }),
})  # fmt: skip


class Forbidden(Refused):
    code = "rest_forbidden"
    message = "You may not see this; sign in as one who runs the shop."


class NoAccessToken(ApiError):
    code = "no_access_token"
    message = "The marketplace says who it is with a token; administrators sign in."


class NoInstallation(ApiError):
    message = "No installation of that product was begun."

    def body(self) -> dict[str, Any]:
        return {
            "success": False,
            "error_code": "no_initiated_installation_found",
            "error_message": self.text,
            "state": None,
        }


# -- shop/private


def patterns(frame: Frame) -> tuple[Route, ...]:
    """Return the route of patterns that pages of the shop are begun with."""
    return (
        Route(
            READ,
            "/shop/private/patterns",
            _patterns,
            {},
            _forbidden,
            answers=Array(items=Object(properties=texts("slug", "title", "content"))),
        ),
    )


def _forbidden(call: Call) -> None:
    """Those who run the shop (`manage_shop`)."""
    require(call.work.user, Forbidden)


def _patterns(call: Call) -> Result:
    """List the theme's patterns for shop pages."""
    found = themes.active(call.work.frame).patterns
    return Result([{"slug": one.name, "title": one.title, "content": one.content} for one in found])


# -- shop-telemetry


def counts(frame: Frame) -> tuple[Route, ...]:
    """Return the route by which apps say that they are used."""
    told: dict[str, Field] = {
        "platform": String("What the app runs on.", required=True),
        "version": String("Its version.", required=True),
        "installation_date": String("When it was first used.", null="keep"),
    }
    return (Route(WRITE, "/shop-telemetry/tracker", _count, told, _views, answers=Nothing()),)


def _views(call: Call) -> None:
    """Those who run the shop (`manage_shop`)."""
    require(call.work.user, CannotView)


def _count(call: Call) -> Result:
    """Remember which version of a mobile app asked."""
    work: Work = call.work
    platform, version = call.args["platform"], call.args["version"]
    if platform in _PLATFORMS:
        stored = work.stored_option(_SEEN)
        kept = stored if isinstance(stored, dict) else {}
        work.set_option(_SEEN, {**kept, platform: {"version": version[:50], "last_used": work.now}})
    return Result(None)


# -- shopcom-site/v3


def looking_in(frame: Frame) -> tuple[Route, ...]:
    """Return the routes by which the marketplace looks in."""
    space = "/shopcom-site/v3"
    product: dict[str, Field] = {"product_id": String("Number of the product.")}
    return (
        Route(
            READ, f"{space}/connection/status", _connection, {}, _marketplace,
            answers=Object(properties={"connection_data_found": Boolean(), "connection_valid": Boolean()}),
        ),
        Route(
            READ, f"{space}/installer/{{product_id:\\d+}}/state", _installation, product, _marketplace,
            errors=(NoInstallation,), also=(400,), answers=_STATE,
        ),
        Route(READ, f"{space}/status", _status, {}, _marketplace, answers=_STATUS),
    )  # fmt: skip


def _marketplace(call: Call) -> None:
    """Administrators (`manage_options`)."""
    if not call.work.user.can(_ADMINISTRATOR):
        raise NoAccessToken


def _connection(call: Call) -> Result:
    """Tell whether the site is connected to an account of the marketplace."""
    found = marketplace_account.is_connected(call.work)
    valid = found and bool(call.work.frame.profile.shop_services.marketplace_url)
    return Result({"connection_data_found": found, "connection_valid": valid})


def _installation(call: Call) -> Result:
    """Answer that nothing is being installed."""
    raise NoInstallation


def _status(call: Call) -> Result:
    """Tell the version of the shop."""
    version = status.environment(call.work)["version"]
    data = {"shop_version": version, "woo_update_manager_installed": False, "woo_update_manager_active": False}
    return Result({"success": True, "data": data})


Room = Callable[[Frame], tuple[Route, ...]]

ROOMS: Final[dict[str, tuple[Room, ...]]] = {
    "shop/private": (patterns,),
    "payments/shoppay": (),
    "shop-telemetry": (counts,),
    "shopcom-site/v3": (looking_in,),
}

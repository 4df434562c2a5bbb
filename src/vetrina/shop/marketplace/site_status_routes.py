"""What the marketplace may ask a site: whether it is connected, what is being installed, which version it runs."""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel.errors import ApiError
from vetrina.rest.call import Result
from vetrina.rest.fields import Boolean, Field, Object, String
from vetrina.rest.response_fields import Nothing
from vetrina.rest.route import READ, Route
from vetrina.shop.marketplace import account as marketplace_account
from vetrina.shop.system import status

_ADMINISTRATOR: Final = "manage_options"
_STATE: Final = Object(properties={
    "success": Boolean(), "error_code": String(), "error_message": String(), "state": Nothing(),
})  # fmt: skip
_STATUS: Final = Object(properties={
    "success": Boolean(),
    "data": Object(properties={
        "shop_version": String(), "woo_update_manager_installed": Boolean(), "woo_update_manager_active": Boolean(),
    }),
})  # fmt: skip


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


def build_routes(site: SiteContext) -> tuple[Route, ...]:
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

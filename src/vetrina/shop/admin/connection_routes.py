"""Routes that connect a shop with services: the connector's, a marketplace account, the payment service.

Not here: the connections (shop/admin/connections.py, shop/marketplace/account.py). Rules:
docs/rules/shop_modules.md, 4.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.rest.call import Result, defer
from vetrina.rest.fields import Field, String
from vetrina.rest.route import CHANGE, READ, WRITE, Route
from vetrina.shop.admin import connections, permissions as admin_permissions, responses as admin_responses
from vetrina.shop.marketplace import account as marketplace_account

_PATH: Final = "/shop-admin/plugins"
_SETUP: Final = "/shop-admin/onboarding/plugins"


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes that connect a shop."""
    admin = admin_permissions.require_admin_update_permission
    helper = (marketplace_account.MarketplaceServiceMissing, marketplace_account.MarketplaceAccountMissing)
    return (
        Route(
            READ, f"{_PATH}/connect-connector", _read_connector_url, {}, admin,
            errors=(connections.ConnectorNotActive,), answers=admin_responses.CONNECT,
        ),
        Route(
            WRITE, f"{_PATH}/request-shopcom-connect", _read_account_url, {}, admin, errors=helper,
            answers=admin_responses.CONNECT,
        ),
        Route(
            WRITE, f"{_PATH}/finish-shopcom-connect", _save_account, {}, admin, slow=True, prepare=_prepare_exchange,
            errors=helper, answers=admin_responses.SUCCESS,
        ),
        Route(CHANGE, f"{_PATH}/connect-shoppay", _read_payments_url, {}, admin, answers=admin_responses.CONNECT_URL),
        Route(
            CHANGE, f"{_PATH}/connect-processor", _read_account_url, {}, admin, errors=helper,
            answers=admin_responses.CONNECT,
        ),
    )  # fmt: skip


def build_authorization_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the route that tells where the service authorizes a connection while a shop is set up."""
    admin = admin_permissions.require_admin_update_permission
    back: dict[str, Field] = {
        "redirect_url": String("Where to come back to.", required=True),
        "from": String("Who asks.", default="shop-onboarding"),
    }
    return (
        Route(
            READ, f"{_SETUP}/connector-authorization-url", _read_authorization_url, back, admin,
            answers=admin_responses.AUTHORIZATION_URL,
        ),
    )  # fmt: skip


def _parse_redirect_url(call: Call) -> str:
    url = call.request.raw("redirect_url")
    return url if isinstance(url, str) and url else f"{call.work.origin}/admin/"


def _read_connector_url(call: Call) -> Result:
    """Return the URL that connects the site to the connector's service."""
    return Result({"connectAction": connections.build_connector_url(call.work, _parse_redirect_url(call))})


def _read_account_url(call: Call) -> Result:
    """Return the URL that connects the site to a marketplace account."""
    return Result({"connectAction": marketplace_account.begin_connection(call.work, _parse_redirect_url(call))})


def _prepare_exchange(call: Call) -> AbstractContextManager[dict[str, str]]:
    secret, token = marketplace_account.get_connection_secret(call.work), call.request.raw("request_token")
    if not isinstance(token, str) or not token:
        raise marketplace_account.MarketplaceAccountMissing(
            why="Send `request_token`, with which the marketplace led back."
        )
    return defer(marketplace_account.exchange_request_token, call.work.site, call.work.origin, secret, token)


def _save_account(call: Call) -> Result:
    """Store the marketplace account that the site was connected to."""
    marketplace_account.save_marketplace_account(call.work, call.prepared)
    return Result({"success": True})


def _read_payments_url(call: Call) -> Result:
    """Return the URL that connects the site to the payment service."""
    return Result({"connectUrl": connections.build_payments_url(call.work)})


def _read_authorization_url(call: Call) -> Result:
    """Return the URL at the service that authorizes the connection."""
    url, errors = connections.build_authorization_url(call.work, call.args["redirect_url"])
    return Result({"success": not errors, "errors": errors, "color_scheme": "fresh", "url": url})

"""Connections of a shop that only an outside service could make: the URLs of its pages.

Not here: the account at the marketplace (shop/marketplace/account.py). Rules: docs/rules/shop_modules.md, 4.
"""

from __future__ import annotations

from urllib.parse import quote

from vetrina.access.sessions import nonces
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError
from vetrina.shop.admin import modules as admin_modules


class ConnectorNotActive(ApiError):
    code = "shop_rest_connector_not_active"
    message = "The connector has no service that it could connect to; the profile's `shop_services` names none."


class ConnectorNotConnected(ApiError):
    code = "connector_not_connected"
    message = "The site is not connected to a service that could send the link."


def build_connector_url(work: UnitOfWork, return_url: str) -> str:
    """Return the URL of the page that connects the site to the connector's service. Raises ConnectorNotActive."""
    url = work.site.profile.shop_services.connector_url
    if not url or "connector" not in admin_modules.list_active_modules(work):
        raise ConnectorNotActive
    return _build_connect_url(work, url, return_url)


def build_authorization_url(work: UnitOfWork, return_url: str) -> tuple[str, list[str]]:
    """Return the URL of the page that authorizes a connection, and why it is not possible."""
    url = work.site.profile.shop_services.connector_url
    return (
        (_build_connect_url(work, url, return_url), [])
        if url
        else ("", ["There is no service that the site could be connected to."])
    )


def build_payments_url(work: UnitOfWork) -> str:
    """Return the URL of the page on which the shop's own payments are set up."""
    nonce = nonces.create_nonce(work.site, f"account {work.user.id}", "shoppay")
    return f"{work.origin}/admin/admin.php?shoppay-connect=1&from=WCADMIN_PAYMENT_TASK&_cmsnonce={nonce}"


def _build_connect_url(work: UnitOfWork, url: str, return_url: str) -> str:
    mark = "&" if "?" in url else "?"
    return f"{url}{mark}home_url={quote(work.origin, safe='')}&redirect_uri={quote(return_url, safe='')}"

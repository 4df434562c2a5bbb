"""The site's account at the marketplace, connected through a page there.

The owner is redirected to the marketplace with a secret of this site; that page redirects back with a request token,
which is exchanged for the site's access token. Not here: connections to other services
(shop/admin/connections.py), calls that use the token (shop/marketplace/rules.py). Rules:
docs/rules/shop_modules.md, 4.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlencode

import orjson

from vetrina.backends.http_client_urls import OutboundError
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError
from vetrina.kernel.keys import generate_key

_ACCOUNT: Final = "shop_marketplace_account"
_PENDING: Final = "shop_marketplace_account_begun"
_LIFETIME: Final = 3600  # seconds in which the owner must return from the marketplace's page
_MAX_TOKEN_LENGTH: Final = 2000  # characters


class MarketplaceServiceMissing(ApiError):
    code = "shop_rest_helper_connect"
    message = "There is no service to connect to; the profile's `shop_services` names none."


class MarketplaceAccountMissing(ApiError):
    code = "shop_rest_helper_connect"
    message = "{why}"


def begin_connection(work: UnitOfWork, back: str) -> str:
    """Return the marketplace URL that connects the site, and store its secret. Raises MarketplaceServiceMissing."""
    url = work.site.profile.shop_services.account_url
    if not url:
        raise MarketplaceServiceMissing
    secret = generate_key()
    work.set_option(_PENDING, {"secret": secret, "until": work.now + _LIFETIME})
    query = urlencode({"home_url": work.origin, "redirect_uri": back, "secret": secret})
    return f"{url}{'&' if '?' in url else '?'}{query}"


def get_connection_secret(work: UnitOfWork) -> str:
    """Return the secret of the connection begun last. Raises MarketplaceServiceMissing, MarketplaceAccountMissing."""
    services = work.site.profile.shop_services
    if not services.account_url or not services.marketplace_url:
        raise MarketplaceServiceMissing
    pending = work.stored_option(_PENDING)
    if not isinstance(pending, Mapping) or pending.get("until", 0) <= work.now:
        raise MarketplaceAccountMissing(
            why="No connection was begun, or too long ago; begin with `request-shopcom-connect`."
        )
    return str(pending["secret"])


def exchange_request_token(site: SiteContext, origin: str, secret: str, request_token: str) -> dict[str, str]:
    """Exchange a request token for the account's credentials over HTTP. Raises MarketplaceAccountMissing."""
    url = f"{site.profile.shop_services.marketplace_url.rstrip('/')}/oauth/access_token"
    body = orjson.dumps({"request_token": request_token, "home_url": origin, "secret": secret})
    headers = {"Accept": "application/json", "Content-Type": "application/json"}
    reply_data: Any = None
    try:
        reply = site.outbound.with_allowed_servers(url).ask("POST", url, body=body, headers=headers)
        reply_data = orjson.loads(reply.body) if reply.status < 300 else None
    except (OutboundError, orjson.JSONDecodeError):
        raise MarketplaceAccountMissing(why="The marketplace could not be asked; try again later.") from None
    account = reply_data if isinstance(reply_data, Mapping) else {}
    credentials = {name: str(account.get(name) or "") for name in ("access_token", "access_token_secret", "site_id")}
    if not credentials["access_token"] or any(len(one) > _MAX_TOKEN_LENGTH for one in credentials.values()):
        raise MarketplaceAccountMissing(why="The marketplace does not know this request token.")
    return credentials


def save_marketplace_account(work: UnitOfWork, account: Mapping[str, str]) -> None:
    """Store the site's account and forget the pending connection."""
    work.set_option(_ACCOUNT, {**account, "account": work.user.id, "since": work.now})
    work.reset_option(_PENDING)


def get_account_token(work: UnitOfWork) -> str:
    """Return the site's token at the marketplace, empty while it has none."""
    stored = work.stored_option(_ACCOUNT)
    return str(stored.get("access_token") or "") if isinstance(stored, Mapping) else ""


def is_connected(work: UnitOfWork) -> bool:
    """Return whether the site has an account at the marketplace."""
    return bool(get_account_token(work))

"""The site's account at the marketplace: asked for on a page of the marketplace, kept when that page sends it back.

The owner is led to the marketplace's page with a secret of this site; the page leads back with a request token, which
is exchanged for the site's own token at the marketplace's service. Not here: the pages that connect others
(shop/admin/launching.py), what the marketplace is asked with the token (shop/marketplace/rules.py). Rules: facts,
"Plugins".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlencode

import orjson

from vetrina.backends.http_client import OutboundError
from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel.errors import ApiError
from vetrina.kernel.keys import random_key

__all__ = ["NoAccount", "NoService", "begin", "exchanged", "is_connected", "keep", "secret_of", "token"]

_ACCOUNT: Final = "shop_marketplace_account"
_BEGUN: Final = "shop_marketplace_account_begun"
_LIFE: Final = 3600  # seconds in which the owner comes back from the marketplace's page
_LONGEST: Final = 2000  # letters of a token


class NoService(ApiError):
    code = "shop_rest_helper_connect"
    message = "There is no service to connect to; the profile's `shop_services` names none."


class NoAccount(ApiError):
    code = "shop_rest_helper_connect"
    message = "{why}"


def begin(work: Work, back: str) -> str:
    """Return the marketplace's page that connects the site, and keep its secret. Raises NoService."""
    url = work.frame.profile.shop_services.account_url
    if not url:
        raise NoService
    secret = random_key()
    work.set_option(_BEGUN, {"secret": secret, "until": work.now + _LIFE})
    asked = urlencode({"home_url": work.origin, "redirect_uri": back, "secret": secret})
    return f"{url}{'&' if '?' in url else '?'}{asked}"


def secret_of(work: Work) -> str:
    """Return the secret of the connection that was begun last. Raises NoService, NoAccount where none was."""
    services = work.frame.profile.shop_services
    if not services.account_url or not services.marketplace_url:
        raise NoService
    begun = work.stored_option(_BEGUN)
    if not isinstance(begun, Mapping) or begun.get("until", 0) <= work.now:
        raise NoAccount(why="No connection was begun, or too long ago; begin with `request-shopcom-connect`.")
    return str(begun["secret"])


def exchanged(frame: Frame, origin: str, secret: str, request_token: str) -> dict[str, str]:
    """Return the account that the marketplace gives for a request token. Waits; raises NoAccount."""
    url = f"{frame.profile.shop_services.marketplace_url.rstrip('/')}/oauth/access_token"
    told = orjson.dumps({"request_token": request_token, "home_url": origin, "secret": secret})
    headers = {"Accept": "application/json", "Content-Type": "application/json"}
    found: Any = None
    try:
        reply = frame.outbound.allowing(url).ask("POST", url, body=told, headers=headers)
        found = orjson.loads(reply.body) if reply.status < 300 else None
    except (OutboundError, orjson.JSONDecodeError):
        raise NoAccount(why="The marketplace could not be asked; try again later.") from None
    account = found if isinstance(found, Mapping) else {}
    kept = {name: str(account.get(name) or "") for name in ("access_token", "access_token_secret", "site_id")}
    if not kept["access_token"] or any(len(one) > _LONGEST for one in kept.values()):
        raise NoAccount(why="The marketplace does not know this request token.")
    return kept


def keep(work: Work, account: Mapping[str, str]) -> None:
    """Keep the site's account; what was begun is over."""
    work.set_option(_ACCOUNT, {**account, "account": work.user.id, "since": work.now})
    work.reset_option(_BEGUN)


def token(work: Work) -> str:
    """Return the site's token at the marketplace, empty while it has none."""
    stored = work.stored_option(_ACCOUNT)
    return str(stored.get("access_token") or "") if isinstance(stored, Mapping) else ""


def is_connected(work: Work) -> bool:
    """Say whether the site has an account at the marketplace."""
    return bool(token(work))

"""The marketplace: featured extensions, subscriptions of this site and their keys, orders of extensions.

It is a service whose URL the profile gives, or a local catalogue: a TOML file that the profile names, by default a
built-in empty one. It is called before the transaction; only the connected keys and the last list are stored. Not here:
the routes (shop/marketplace/routes.py). Rules: docs/rules/marketplace.md, 1 and 2.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, Literal, Protocol
from urllib.parse import quote

import orjson

from vetrina.backends.http_client_urls import OutboundError
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError
from vetrina.shop.admin import modules as admin_modules

_CONNECTED: Final = "shop_marketplace_connected"
_HELD: Final = "shop_marketplace_subscriptions"
_ANSWER_BYTES: Final = 4 << 20
SubscriptionChange = Literal["connect", "disconnect", "activate"]


class MarketplaceNotConnected(ApiError):
    """The marketplace does not know the key; `body` is the form that its clients expect."""

    message = "{why}"

    def body(self) -> dict[str, Any]:
        return {"success": False, "data": {"message": self.text}}


class Marketplace(Protocol):
    """Where extensions are offered. A method returns None where it could not be reached, or knows nothing."""

    def list_featured(self) -> list[dict[str, Any]] | None: ...

    def list_subscriptions(self) -> list[dict[str, Any]] | None: ...

    def report_change(self, change: SubscriptionChange, key: str) -> bool: ...

    def find_package_url(self, key: str) -> str: ...

    def create_order(self, product: int) -> dict[str, Any] | None: ...


class MarketplaceCatalog:
    """A marketplace in a file: `featured`, `subscription`, `product` and further tables."""

    def __init__(self, file: str = "") -> None:
        self._told = _load_catalog(file)

    def list_featured(self) -> list[dict[str, Any]] | None:
        return list(self._told.get("featured", ())) or None

    def list_subscriptions(self) -> list[dict[str, Any]] | None:
        return [dict(one) for one in self._told.get("subscription", ())]

    def report_change(self, change: SubscriptionChange, key: str) -> bool:
        return any(one.get("product_key") == key for one in self._told.get("subscription", ()))

    def find_package_url(self, key: str) -> str:
        held = next((one for one in self._told.get("subscription", ()) if one.get("product_key") == key), None)
        return str(held.get("package_url", "")) if held is not None else ""

    def create_order(self, product: int) -> dict[str, Any] | None:
        offered = (one for one in self._told.get("product", ()) if one.get("id") == product)
        found = next(offered, None)
        return {"product_id": product, "redirect_location": str(found.get("url", ""))} if found is not None else None

    def list_rows(self, table: str) -> list[dict[str, Any]]:
        """Return the rows of a table that only a catalogue has: `incentive`, `article`, `recommendation`."""
        return [dict(one) for one in self._told.get(table, ())]


class MarketplaceService:
    """A marketplace called over HTTP with JSON, with the site's key or the token of its account."""

    def __init__(self, site: SiteContext, token: str = "") -> None:
        services = site.profile.shop_services
        self._url, self._key = services.marketplace_url.rstrip("/"), services.marketplace_key or token
        self._outbound = site.outbound.with_allowed_servers(self._url, most_bytes=_ANSWER_BYTES)

    def list_featured(self) -> list[dict[str, Any]] | None:
        return _parse_objects(self._ask("GET", "/featured"))

    def list_subscriptions(self) -> list[dict[str, Any]] | None:
        return _parse_objects(self._ask("GET", "/subscriptions"))

    def report_change(self, change: SubscriptionChange, key: str) -> bool:
        answer = self._ask("POST", f"/subscriptions/{change}", {"product_key": key})
        return isinstance(answer, Mapping) and bool(answer.get("success"))

    def find_package_url(self, key: str) -> str:
        answer = self._ask("GET", f"/subscriptions/install-url?product_key={quote(key, safe='')}")
        url = answer.get("url") if isinstance(answer, Mapping) else None
        return url if isinstance(url, str) and url.startswith("https://") else ""

    def create_order(self, product: int) -> dict[str, Any] | None:
        answer = self._ask("POST", "/create-order", {"product_id": product})
        return dict(answer) if isinstance(answer, Mapping) else None

    def _ask(self, method: str, path: str, sent: Any = None) -> Any:
        headers = {"Accept": "application/json", "Authorization": f"Bearer {self._key}"}
        body = b"" if sent is None else orjson.dumps(sent)
        if body:
            headers["Content-Type"] = "application/json"
        try:
            reply = self._outbound.ask(method, self._url + path, body=body, headers=headers)
            return orjson.loads(reply.body) if reply.status < 300 else None
        except (OutboundError, orjson.JSONDecodeError):
            return None


def open_marketplace(site: SiteContext, token: str = "") -> Marketplace:
    """Return the marketplace of a site; token: of the site's account there."""
    services = site.profile.shop_services
    return (
        MarketplaceService(site, token)
        if services.marketplace_url
        else MarketplaceCatalog(services.marketplace_catalogue)
    )


def open_catalog(site: SiteContext) -> MarketplaceCatalog:
    """Return the local catalogue of a site, whether or not it uses a service."""
    return MarketplaceCatalog(site.profile.shop_services.marketplace_catalogue)


def save_subscriptions(work: UnitOfWork, subscriptions: list[dict[str, Any]] | None) -> list[dict[str, Any]]:
    """Store the marketplace's list of this site's subscriptions, and return them with their local state."""
    if subscriptions is not None and subscriptions != work.stored_option(_HELD):
        work.set_option(_HELD, subscriptions)
    return list_subscriptions(work, subscriptions)


def list_subscriptions(work: UnitOfWork, subscriptions: list[dict[str, Any]] | None = None) -> list[dict[str, Any]]:
    """Return this site's subscriptions; subscriptions: the marketplace's current list, else the stored one is used."""
    stored = work.stored_option(_HELD)
    every = subscriptions if subscriptions is not None else stored if isinstance(stored, list) else []
    keys, have, on = (
        _load_connected_keys(work),
        admin_modules.list_installed_modules(work),
        admin_modules.list_active_modules(work),
    )
    return [
        {
            **one,
            "active": one.get("product_key") in keys,
            "local": {"installed": one.get("slug") in have, "active": one.get("slug") in on},
        }
        for one in every
    ]


def connect_subscription(work: UnitOfWork, key: str, known: bool) -> None:
    """Connect this site to a subscription. Raises MarketplaceNotConnected."""
    _require_known(known)
    if key not in _load_connected_keys(work):
        work.set_option(_CONNECTED, [*_load_connected_keys(work), key])


def disconnect_subscription(work: UnitOfWork, key: str, known: bool) -> None:
    """Disconnect this site from a subscription. Raises MarketplaceNotConnected."""
    _require_known(known and key in _load_connected_keys(work))
    work.set_option(_CONNECTED, [one for one in _load_connected_keys(work) if one != key])


def activate_subscription(work: UnitOfWork, key: str, known: bool) -> None:
    """Activate the extension of a subscription. Raises MarketplaceNotConnected."""
    _require_known(known)
    matches = (one for one in list_subscriptions(work) if one.get("product_key") == key)
    slug = str(next(matches, {}).get("slug", ""))
    outcome = admin_modules.activate_modules(work, [slug]) if slug else None
    if outcome is None or outcome.errors:
        raise MarketplaceNotConnected(why="What this subscription is for is not installed on the server.")
    connect_subscription(work, key, known)


def require_package_url(url: str) -> str:
    """Return the URL of a subscription's package. Raises MarketplaceNotConnected where the marketplace gave none."""
    if not url:
        raise MarketplaceNotConnected(why="The marketplace knows no package for this key.")
    return url


def _require_known(known: bool) -> None:
    if not known:
        raise MarketplaceNotConnected(why="The marketplace knows no subscription of this site with that key.")


def _load_connected_keys(work: UnitOfWork) -> list[str]:
    stored = work.stored_option(_CONNECTED)
    return [str(one) for one in stored] if isinstance(stored, list) else []


def _parse_objects(answer: Any) -> list[dict[str, Any]] | None:
    return [dict(one) for one in answer if isinstance(one, Mapping)] if isinstance(answer, list) else None


@lru_cache(maxsize=8)
def _load_catalog(file: str) -> Mapping[str, Any]:
    built_in = files("vetrina.shop.admin") / "data" / "marketplace.toml"
    text = Path(file).read_text(encoding="utf-8") if file else built_in.read_text(encoding="utf-8")
    return tomllib.loads(text)

"""The marketplace: what it features, the subscriptions of this site, their keys, orders of extensions.

It is a service whose address the profile gives, or a local catalogue: a TOML file that the profile names, by default a
built-in one that offers nothing. Whoever asks does so before the transaction; what is kept are the keys that were
connected. Not here: the routes (shop/marketplace/routes.py). Rules: facts, "Marketplace".
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

from vetrina.backends.http_client import OutboundError
from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel.errors import ApiError
from vetrina.shop.admin import modules as admin_modules

__all__ = ["Catalogue", "Marketplace", "NotConnected", "Service", "activate", "catalogue", "connect", "disconnect",
           "install_url", "of_site", "refresh", "subscriptions"]  # fmt: skip

_CONNECTED: Final = "shop_marketplace_connected"
_HELD: Final = "shop_marketplace_subscriptions"
_ANSWER_BYTES: Final = 4 << 20
Change = Literal["connect", "disconnect", "activate"]


class NotConnected(ApiError):
    """The marketplace does not know what was asked; `body` is the form that its clients know."""

    message = "{why}"

    def body(self) -> dict[str, Any]:
        return {"success": False, "data": {"message": self.text}}


class Marketplace(Protocol):
    """Where extensions are offered. None: it could not be asked, or knows nothing."""

    def featured(self) -> list[dict[str, Any]] | None: ...

    def subscriptions(self) -> list[dict[str, Any]] | None: ...

    def told(self, change: Change, key: str) -> bool: ...

    def package(self, key: str) -> str: ...

    def order(self, product: int) -> dict[str, Any] | None: ...


class Catalogue:
    """A marketplace in a file: `featured`, `subscription`, `product` and further tables."""

    def __init__(self, file: str = "") -> None:
        self._told = _read(file)

    def featured(self) -> list[dict[str, Any]] | None:
        return list(self._told.get("featured", ())) or None

    def subscriptions(self) -> list[dict[str, Any]] | None:
        return [dict(one) for one in self._told.get("subscription", ())]

    def told(self, change: Change, key: str) -> bool:
        return any(one.get("product_key") == key for one in self._told.get("subscription", ()))

    def package(self, key: str) -> str:
        held = next((one for one in self._told.get("subscription", ()) if one.get("product_key") == key), None)
        return str(held.get("package_url", "")) if held is not None else ""

    def order(self, product: int) -> dict[str, Any] | None:
        offered = (one for one in self._told.get("product", ()) if one.get("id") == product)
        found = next(offered, None)
        return {"product_id": product, "redirect_location": str(found.get("url", ""))} if found is not None else None

    def rows(self, table: str) -> list[dict[str, Any]]:
        """Return the rows of a table that only a catalogue has: `incentive`, `article`, `recommendation`."""
        return [dict(one) for one in self._told.get(table, ())]


class Service:
    """A marketplace that is asked over HTTP: JSON, with the site's key or the token of its account."""

    def __init__(self, frame: Frame, token: str = "") -> None:
        told = frame.profile.shop_services
        self._url, self._key = told.marketplace_url.rstrip("/"), told.marketplace_key or token
        self._outbound = frame.outbound.allowing(self._url, most_bytes=_ANSWER_BYTES)

    def featured(self) -> list[dict[str, Any]] | None:
        return _objects(self._ask("GET", "/featured"))

    def subscriptions(self) -> list[dict[str, Any]] | None:
        return _objects(self._ask("GET", "/subscriptions"))

    def told(self, change: Change, key: str) -> bool:
        answer = self._ask("POST", f"/subscriptions/{change}", {"product_key": key})
        return isinstance(answer, Mapping) and bool(answer.get("success"))

    def package(self, key: str) -> str:
        answer = self._ask("GET", f"/subscriptions/install-url?product_key={quote(key, safe='')}")
        url = answer.get("url") if isinstance(answer, Mapping) else None
        return url if isinstance(url, str) and url.startswith("https://") else ""

    def order(self, product: int) -> dict[str, Any] | None:
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


def of_site(frame: Frame, token: str = "") -> Marketplace:
    """Return the marketplace of a site; token: of the site's account there."""
    told = frame.profile.shop_services
    return Service(frame, token) if told.marketplace_url else Catalogue(told.marketplace_catalogue)


def catalogue(frame: Frame) -> Catalogue:
    """Return the catalogue of a site, beside whatever service it asks."""
    return Catalogue(frame.profile.shop_services.marketplace_catalogue)


def refresh(work: Work, found: list[dict[str, Any]] | None) -> list[dict[str, Any]]:
    """Keep what the marketplace says of this site's subscriptions, and return them as they stand."""
    if found is not None and found != work.stored_option(_HELD):
        work.set_option(_HELD, found)
    return subscriptions(work, found)


def subscriptions(work: Work, found: list[dict[str, Any]] | None = None) -> list[dict[str, Any]]:
    """Return the subscriptions of this site; found: what the marketplace says, else what it said last."""
    stored = work.stored_option(_HELD)
    every = found if found is not None else stored if isinstance(stored, list) else []
    keys, have, on = _keys(work), admin_modules.installed(work), admin_modules.active(work)
    return [
        {
            **one,
            "active": one.get("product_key") in keys,
            "local": {"installed": one.get("slug") in have, "active": one.get("slug") in on},
        }
        for one in every
    ]


def connect(work: Work, key: str, known: bool) -> None:
    """Connect this site to a subscription. Raises NotConnected."""
    _require(known)
    if key not in _keys(work):
        work.set_option(_CONNECTED, [*_keys(work), key])


def disconnect(work: Work, key: str, known: bool) -> None:
    """Take this site from a subscription. Raises NotConnected."""
    _require(known and key in _keys(work))
    work.set_option(_CONNECTED, [one for one in _keys(work) if one != key])


def activate(work: Work, key: str, known: bool) -> None:
    """Switch on what a subscription is for. Raises NotConnected."""
    _require(known)
    held = (one for one in subscriptions(work) if one.get("product_key") == key)
    slug = str(next(held, {}).get("slug", ""))
    outcome = admin_modules.activate(work, [slug]) if slug else None
    if outcome is None or outcome.errors:
        raise NotConnected(why="What this subscription is for is not installed on the server.")
    connect(work, key, known)


def install_url(url: str) -> str:
    """Return where what a subscription is for comes from. Raises NotConnected when the marketplace did not say."""
    if not url:
        raise NotConnected(why="The marketplace knows no package for this key.")
    return url


def _require(known: bool) -> None:
    if not known:
        raise NotConnected(why="The marketplace knows no subscription of this site with that key.")


def _keys(work: Work) -> list[str]:
    stored = work.stored_option(_CONNECTED)
    return [str(one) for one in stored] if isinstance(stored, list) else []


def _objects(answer: Any) -> list[dict[str, Any]] | None:
    return [dict(one) for one in answer if isinstance(one, Mapping)] if isinstance(answer, list) else None


@lru_cache(maxsize=8)
def _read(file: str) -> Mapping[str, Any]:
    built_in = files("vetrina.shop.admin") / "data" / "marketplace.toml"
    text = Path(file).read_text(encoding="utf-8") if file else built_in.read_text(encoding="utf-8")
    return tomllib.loads(text)

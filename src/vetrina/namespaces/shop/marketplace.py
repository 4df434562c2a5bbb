"""The marketplace: what it features, subscriptions of this site, orders of extensions.

Not here: who is asked and what is kept (domain/shop/marketplace.py). Rules: facts, "Marketplace".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final

from vetrina.declare.call import Call, Result
from vetrina.declare.coerce import integer
from vetrina.declare.fields import Field, String, Untyped
from vetrina.declare.route import READ, WRITE, Route
from vetrina.domain.shop import marketplace, marketplace_account
from vetrina.domain.shop.marketplace import Change, Marketplace, NotConnected
from vetrina.domain.shop.rights import require
from vetrina.domain.work import Frame
from vetrina.kernel.errors import Refused

__all__ = ["preview", "routes"]

_PATH: Final = "/shop/v3/marketplace"
_KEYS: Final = f"{_PATH}/subscriptions"
_ADMINISTRATOR: Final = "manage_options"
_UNREACHED: Final = {"success": False, "data": {"message": "The marketplace could not be reached, or offers nothing."}}
_ANY: Final = Untyped("What the marketplace says.")


class Forbidden(Refused):
    code = "rest_forbidden"
    message = "You may not use the marketplace; sign in as one who runs the shop."


class CannotOrder(Refused):
    code = "rest_forbidden"
    message = "Only administrators order extensions."

    def body(self) -> dict[str, Any]:
        return {"message": self.text}


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of the marketplace. Raises ValueError when its catalogue cannot be read."""
    marketplace.of_site(frame)
    key: dict[str, Field] = {"product_key": String("Key of the subscription.", required=True)}
    product: dict[str, Field] = {"product_id": Untyped("Number of the product.", required=True)}
    refused = (NotConnected,)
    return (
        _route(READ, f"{_PATH}/featured", _featured, lambda shop, call: shop.featured(), read=True),
        _route(READ, _KEYS, _subscriptions, lambda shop, call: shop.subscriptions(), read=True),
        _route(WRITE, f"{_PATH}/refresh", _refresh, lambda shop, call: shop.subscriptions()),
        _route(WRITE, f"{_KEYS}/connect", _connect, _told("connect"), key, refused),
        _route(WRITE, f"{_KEYS}/disconnect", _disconnect, _told("disconnect"), key, refused),
        _route(WRITE, f"{_KEYS}/activate", _activate, _told("activate"), key, refused),
        _route(WRITE, f"{_KEYS}/activate-plugin", _activate, _told("activate"), key, refused),
        _route(READ, f"{_KEYS}/install-url", _install_url, lambda shop, call: shop.package(call.args["product_key"]),
               key, refused, read=True),
        Route(
            WRITE, f"{_PATH}/create-order", _order, product, _may_order, slow=True,
            prepare=_asking(lambda shop, call: shop.order(integer(call.args["product_id"]) or 0)),
            errors=(CannotOrder,), also=(403,), answers=_ANY,
        ),
    )  # fmt: skip


def preview(frame: Frame) -> tuple[Route, ...]:
    """Return the older route that shows a product of the marketplace."""
    asked: dict[str, Field] = {"product_id": Untyped("Number of the product.", null="keep")}
    return (
        _route(READ, "/shop/v1/marketplace/product-preview", _preview, lambda shop, call: shop.featured(), asked,
               read=True),
    )  # fmt: skip


def _route(
    methods: tuple[str, ...], path: str, handler: Callable[[Call], Result], ask: Callable[[Marketplace, Call], Any],
    args: dict[str, Field] | None = None, errors: tuple[type[NotConnected], ...] = (), *, read: bool | None = None,
) -> Route:  # fmt: skip
    return Route(
        methods, path, handler, args or {}, _may, slow=True, prepare=_asking(ask), read=read, errors=errors,
        also=(400,) if errors else (), answers=_ANY,
    )  # fmt: skip


def _asking(ask: Callable[[Marketplace, Call], Any]) -> Callable[[Call], AbstractContextManager[Any]]:
    """Return what asks the marketplace before the transaction is opened."""

    def prepare(call: Call) -> AbstractContextManager[Any]:
        # The work is over when the context begins: what is asked of it is asked now.
        return _asked(ask, marketplace.of_site(call.work.frame, marketplace_account.token(call.work)), call)

    return prepare


@contextmanager
def _asked(ask: Callable[[Marketplace, Call], Any], shop: Marketplace, call: Call) -> Iterator[Any]:
    yield ask(shop, call)


def _told(change: Change) -> Callable[[Marketplace, Call], bool]:
    return lambda shop, call: shop.told(change, call.args["product_key"])


def _may(call: Call) -> None:
    require(call.work.user, Forbidden)


def _may_order(call: Call) -> None:
    require(call.work.user, Forbidden)


def _featured(call: Call) -> Result:
    found = call.prepared
    return Result(_UNREACHED if found is None else found)


def _preview(call: Call) -> Result:
    wanted = integer(call.args.get("product_id"))
    found = next((one for one in call.prepared or () if wanted is not None and one.get("id") == wanted), None)
    return Result(_UNREACHED if found is None else {"success": True, "data": found})


def _subscriptions(call: Call) -> Result:
    return Result(marketplace.subscriptions(call.work, call.prepared))


def _refresh(call: Call) -> Result:
    return Result(marketplace.refresh(call.work, call.prepared))


def _done(text: str) -> Result:
    return Result({"success": True, "data": {"message": text}})


def _connect(call: Call) -> Result:
    marketplace.connect(call.work, call.args["product_key"], call.prepared)
    return _done("This site is connected to the subscription.")


def _disconnect(call: Call) -> Result:
    marketplace.disconnect(call.work, call.args["product_key"], call.prepared)
    return _done("This site is no longer connected to the subscription.")


def _activate(call: Call) -> Result:
    marketplace.activate(call.work, call.args["product_key"], call.prepared)
    return _done("What the subscription is for is switched on.")


def _install_url(call: Call) -> Result:
    return Result({"success": True, "data": {"url": marketplace.install_url(call.prepared)}})


def _order(call: Call) -> Result:
    # Who runs the shop may look around; what costs money is ordered by administrators.
    if not call.work.user.can(_ADMINISTRATOR):
        raise CannotOrder(True)
    return Result(call.prepared)

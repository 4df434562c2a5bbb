"""The marketplace: what it features, subscriptions of this site, orders of extensions.

Not here: who is asked and what is kept (shop/marketplace/rules.py). Rules: facts, "Marketplace".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final

from vetrina.core.unit_of_work import Frame
from vetrina.kernel.errors import Refused
from vetrina.rest.call import Call, Result
from vetrina.rest.coercion import integer
from vetrina.rest.fields import Array, Boolean, Field, Object, String, Untyped
from vetrina.rest.response_fields import Either, Free, Nothing
from vetrina.rest.route import READ, WRITE, Route
from vetrina.shop.marketplace import account as marketplace_account
from vetrina.shop.marketplace import rules as marketplace
from vetrina.shop.marketplace.rules import Change, Marketplace, NotConnected
from vetrina.shop.rights import require

__all__ = ["preview", "routes"]

_PATH: Final = "/shop/v3/marketplace"
_KEYS: Final = f"{_PATH}/subscriptions"
_ADMINISTRATOR: Final = "manage_options"
_UNREACHED: Final = {"success": False, "data": {"message": "The marketplace could not be reached, or offers nothing."}}
_OFFERED: Final = Free("An extension, as the marketplace tells it.")
_MESSAGE: Final = Object(properties={
    "success": Boolean(), "data": Object(properties={"message": String("What was done, or why it was not.")}),
})  # fmt: skip
_FEATURED: Final = Either("", (Array(items=_OFFERED), _MESSAGE))
_SUBSCRIPTIONS: Final = Array(items=Free("A subscription, as the marketplace tells it, with its state here."))
_ADDRESS: Final = Object(properties={"success": Boolean(), "data": Object(properties={"url": String()})})
_SHOWN: Final = Either("", (Object(properties={"success": Boolean(), "data": _OFFERED}), _MESSAGE))
_ORDERED: Final = Either("", (
    Free("Where the order is paid, as the marketplace tells it."), Nothing("The marketplace knows no such product."),
))  # fmt: skip


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
        _route(READ, f"{_PATH}/featured", _featured, lambda shop, call: shop.featured(), _FEATURED, read=True),
        _route(READ, _KEYS, _subscriptions, lambda shop, call: shop.subscriptions(), _SUBSCRIPTIONS, read=True),
        _route(WRITE, f"{_PATH}/refresh", _refresh, lambda shop, call: shop.subscriptions(), _SUBSCRIPTIONS),
        _route(WRITE, f"{_KEYS}/connect", _connect, _told("connect"), _MESSAGE, key, refused),
        _route(WRITE, f"{_KEYS}/disconnect", _disconnect, _told("disconnect"), _MESSAGE, key, refused),
        _route(WRITE, f"{_KEYS}/activate", _activate, _told("activate"), _MESSAGE, key, refused),
        _route(WRITE, f"{_KEYS}/activate-plugin", _activate, _told("activate"), _MESSAGE, key, refused),
        _route(READ, f"{_KEYS}/install-url", _install_url, lambda shop, call: shop.package(call.args["product_key"]),
               _ADDRESS, key, refused, read=True),
        Route(
            WRITE, f"{_PATH}/create-order", _order, product, _may_order, slow=True,
            prepare=_asking(lambda shop, call: shop.order(integer(call.args["product_id"]) or 0)),
            errors=(CannotOrder,), also=(403,), answers=_ORDERED,
        ),
    )  # fmt: skip


def preview(frame: Frame) -> tuple[Route, ...]:
    """Return the older route that shows a product of the marketplace."""
    asked: dict[str, Field] = {"product_id": Untyped("Number of the product.", null="keep")}
    return (
        _route(READ, "/shop/v1/marketplace/product-preview", _preview, lambda shop, call: shop.featured(), _SHOWN,
               asked, read=True),
    )  # fmt: skip


def _route(
    methods: tuple[str, ...], path: str, handler: Callable[[Call], Result], ask: Callable[[Marketplace, Call], Any],
    answers: Field, args: dict[str, Field] | None = None, errors: tuple[type[NotConnected], ...] = (), *,
    read: bool | None = None,
) -> Route:  # fmt: skip
    return Route(
        methods, path, handler, args or {}, _may, slow=True, prepare=_asking(ask), read=read, errors=errors,
        also=(400,) if errors else (), answers=answers,
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
    """Those who run the shop (`manage_shop`)."""
    require(call.work.user, Forbidden)


def _may_order(call: Call) -> None:
    """Those who run the shop (`manage_shop`); an order itself needs an administrator."""
    require(call.work.user, Forbidden)


def _featured(call: Call) -> Result:
    """List what the marketplace recommends."""
    found = call.prepared
    return Result(_UNREACHED if found is None else found)


def _preview(call: Call) -> Result:
    """Describe a product of the marketplace."""
    wanted = integer(call.args.get("product_id"))
    found = next((one for one in call.prepared or () if wanted is not None and one.get("id") == wanted), None)
    return Result(_UNREACHED if found is None else {"success": True, "data": found})


def _subscriptions(call: Call) -> Result:
    """List the subscriptions of the site's account at the marketplace."""
    return Result(marketplace.subscriptions(call.work, call.prepared))


def _refresh(call: Call) -> Result:
    """Ask the marketplace for the subscriptions anew."""
    return Result(marketplace.refresh(call.work, call.prepared))


def _done(text: str) -> Result:
    return Result({"success": True, "data": {"message": text}})


def _connect(call: Call) -> Result:
    """Connect this site to a subscription."""
    marketplace.connect(call.work, call.args["product_key"], call.prepared)
    return _done("This site is connected to the subscription.")


def _disconnect(call: Call) -> Result:
    """Take this site off a subscription."""
    marketplace.disconnect(call.work, call.args["product_key"], call.prepared)
    return _done("This site is no longer connected to the subscription.")


def _activate(call: Call) -> Result:
    """Switch on what a subscription is for."""
    marketplace.activate(call.work, call.args["product_key"], call.prepared)
    return _done("What the subscription is for is switched on.")


def _install_url(call: Call) -> Result:
    """Tell the address that installs what a subscription is for."""
    return Result({"success": True, "data": {"url": marketplace.install_url(call.prepared)}})


def _order(call: Call) -> Result:
    """Begin an order at the marketplace."""
    # Who runs the shop may look around; what costs money is ordered by administrators.
    if not call.work.user.can(_ADMINISTRATOR):
        raise CannotOrder(True)
    return Result(call.prepared)

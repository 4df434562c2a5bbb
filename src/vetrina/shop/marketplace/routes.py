"""The marketplace: featured extensions, subscriptions of this site, orders of extensions.

Not here: calls to it and what is stored (shop/marketplace/rules.py). Rules: docs/rules/marketplace.md, 1, 2 and 3.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel.errors import PermissionDenied
from vetrina.rest.call import Result, defer
from vetrina.rest.coercion import coerce_integer
from vetrina.rest.fields import Array, Boolean, Field, Object, String, Untyped
from vetrina.rest.response_fields import Either, Free, Nothing
from vetrina.rest.route import READ, WRITE, Route
from vetrina.shop.marketplace import account as marketplace_account, rules as marketplace
from vetrina.shop.marketplace.rules import Marketplace, MarketplaceNotConnected, SubscriptionChange
from vetrina.shop.rights import require_shop_capability

_PATH: Final = "/shop/v3/marketplace"
_KEYS: Final = f"{_PATH}/subscriptions"
_ADMINISTRATOR: Final = "manage_options"
_UNREACHABLE_ANSWER: Final = {
    "success": False,
    "data": {"message": "The marketplace could not be reached, or offers nothing."},
}
_EXTENSION: Final = Free("An extension, as the marketplace tells it.")
_MESSAGE: Final = Object(properties={
    "success": Boolean(), "data": Object(properties={"message": String("What was done, or why it was not.")}),
})  # fmt: skip
_FEATURED: Final = Either("", (Array(items=_EXTENSION), _MESSAGE))
_SUBSCRIPTIONS: Final = Array(items=Free("A subscription, as the marketplace tells it, with its state here."))
_INSTALL_URL: Final = Object(properties={"success": Boolean(), "data": Object(properties={"url": String()})})
_PRODUCT_PREVIEW: Final = Either("", (Object(properties={"success": Boolean(), "data": _EXTENSION}), _MESSAGE))
_ORDER_ANSWER: Final = Either("", (
    Free("Where the order is paid, as the marketplace tells it."), Nothing("The marketplace knows no such product."),
))  # fmt: skip


class MarketplaceForbidden(PermissionDenied):
    code = "rest_forbidden"
    message = "You may not use the marketplace; sign in as one who runs the shop."


class CannotOrderExtension(PermissionDenied):
    code = "rest_forbidden"
    message = "Only administrators order extensions."

    def body(self) -> dict[str, Any]:
        return {"message": self.text}


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of the marketplace. Raises ValueError when its catalogue cannot be read."""
    marketplace.open_marketplace(site)
    key: dict[str, Field] = {"product_key": String("Key of the subscription.", required=True)}
    product: dict[str, Field] = {"product_id": Untyped("Number of the product.", required=True)}
    refused = (MarketplaceNotConnected,)
    return (
        _build_route(
            READ, f"{_PATH}/featured", _list_featured, lambda shop, call: shop.list_featured(), _FEATURED, read=True
        ),
        _build_route(
            READ, _KEYS, _list_subscriptions, lambda shop, call: shop.list_subscriptions(), _SUBSCRIPTIONS, read=True
        ),
        _build_route(
            WRITE, f"{_PATH}/refresh", _refresh_subscriptions, lambda shop, call: shop.list_subscriptions(),
            _SUBSCRIPTIONS,
        ),
        _build_route(
            WRITE, f"{_KEYS}/connect", _connect_subscription, _build_change_request("connect"), _MESSAGE, key, refused
        ),
        _build_route(
            WRITE, f"{_KEYS}/disconnect", _disconnect_subscription, _build_change_request("disconnect"), _MESSAGE, key,
            refused,
        ),
        _build_route(
            WRITE, f"{_KEYS}/activate", _activate_subscription, _build_change_request("activate"), _MESSAGE, key,
            refused,
        ),
        _build_route(
            WRITE, f"{_KEYS}/activate-plugin", _activate_subscription, _build_change_request("activate"), _MESSAGE, key,
            refused,
        ),
        _build_route(
            READ, f"{_KEYS}/install-url", _read_install_url,
            lambda shop, call: shop.find_package_url(call.args["product_key"]), _INSTALL_URL, key, refused, read=True,
        ),
        Route(
            WRITE, f"{_PATH}/create-order", _order_extension, product, _require_order_permission, slow=True,
            prepare=_build_preparation(_create_order), errors=(CannotOrderExtension,), other_statuses=(403,),
            answers=_ORDER_ANSWER,
        ),
    )  # fmt: skip


def build_preview_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the older route that describes a product of the marketplace."""
    args: dict[str, Field] = {"product_id": Untyped("Number of the product.", null="keep")}
    return (
        _build_route(
            READ, "/shop/v1/marketplace/product-preview", _preview_product, lambda shop, call: shop.list_featured(),
            _PRODUCT_PREVIEW, args, read=True,
        ),
    )  # fmt: skip


def _build_route(
    methods: tuple[str, ...], path: str, handler: Callable[[Call], Result], ask: Callable[[Marketplace, Call], Any],
    answers: Field, args: dict[str, Field] | None = None, errors: tuple[type[MarketplaceNotConnected], ...] = (), *,
    read: bool | None = None,
) -> Route:  # fmt: skip
    return Route(
        methods, path, handler, args or {}, _require_marketplace_permission, slow=True, prepare=_build_preparation(ask),
        read=read, errors=errors, other_statuses=(400,) if errors else (), answers=answers,
    )  # fmt: skip


def _build_preparation(ask: Callable[[Marketplace, Call], Any]) -> Callable[[Call], AbstractContextManager[Any]]:
    """Return the preparation that calls the marketplace before the transaction is opened."""

    def prepare(call: Call) -> AbstractContextManager[Any]:
        token = marketplace_account.get_account_token(call.work)
        return defer(ask, marketplace.open_marketplace(call.work.site, token), call)

    return prepare


def _build_change_request(change: SubscriptionChange) -> Callable[[Marketplace, Call], bool]:
    return lambda shop, call: shop.report_change(change, call.args["product_key"])


def _require_marketplace_permission(call: Call) -> None:
    """Those who run the shop (`manage_shop`)."""
    require_shop_capability(call.work.user, MarketplaceForbidden)


def _require_order_permission(call: Call) -> None:
    """Those who run the shop (`manage_shop`); an order itself needs an administrator."""
    require_shop_capability(call.work.user, MarketplaceForbidden)


def _list_featured(call: Call) -> Result:
    """List what the marketplace recommends."""
    found = call.prepared
    return Result(_UNREACHABLE_ANSWER if found is None else found)


def _preview_product(call: Call) -> Result:
    """Describe a product of the marketplace."""
    wanted = coerce_integer(call.args.get("product_id"))
    found = next((one for one in call.prepared or () if wanted is not None and one.get("id") == wanted), None)
    return Result(_UNREACHABLE_ANSWER if found is None else {"success": True, "data": found})


def _list_subscriptions(call: Call) -> Result:
    """List the subscriptions of the site's account at the marketplace."""
    return Result(marketplace.list_subscriptions(call.work, call.prepared))


def _refresh_subscriptions(call: Call) -> Result:
    """Refresh the subscriptions from the marketplace."""
    return Result(marketplace.save_subscriptions(call.work, call.prepared))


def _build_message_result(text: str) -> Result:
    return Result({"success": True, "data": {"message": text}})


def _connect_subscription(call: Call) -> Result:
    """Connect this site to a subscription."""
    marketplace.connect_subscription(call.work, call.args["product_key"], call.prepared)
    return _build_message_result("This site is connected to the subscription.")


def _disconnect_subscription(call: Call) -> Result:
    """Disconnect this site from a subscription."""
    marketplace.disconnect_subscription(call.work, call.args["product_key"], call.prepared)
    return _build_message_result("This site is no longer connected to the subscription.")


def _activate_subscription(call: Call) -> Result:
    """Activate the extension of a subscription."""
    marketplace.activate_subscription(call.work, call.args["product_key"], call.prepared)
    return _build_message_result("What the subscription is for is switched on.")


def _read_install_url(call: Call) -> Result:
    """Return the URL that installs the extension of a subscription."""
    return Result({"success": True, "data": {"url": marketplace.require_package_url(call.prepared)}})


def _create_order(shop: Marketplace, call: Call) -> Any:
    # Whoever runs the shop may look around; an order costs money, so nobody else's reaches the marketplace.
    if not call.work.user.can(_ADMINISTRATOR):
        raise CannotOrderExtension(True)
    return shop.create_order(coerce_integer(call.args["product_id"]) or 0)


def _order_extension(call: Call) -> Result:
    """Begin an order at the marketplace."""
    return Result(call.prepared)

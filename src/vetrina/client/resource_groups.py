"""The shop, its reports and translation jobs, as parts of a client. Calls: client/request_builders.py."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from vetrina.client.request_builders import Id, Pages
from vetrina.client.transports import AsyncSender, Sender

from .collection import AsyncCollection, Collection
from .exchange import Ask, Call, read_value
from .listing import AsyncListing, Listing
from .names import Names
from .records import Coupon, Customer, Order, Product, Refund, Term, Variation

__all__ = ["AsyncReports", "AsyncShop", "AsyncTranslations", "Reports", "Shop", "Translations"]

_SHOP: Final = "/shop/v3"
_REPORTS: Final = "/shop-analytics/reports"
_JOBS: Final = "/mlang/tm/v1/jobs"
_JOBS_AT_ONCE: Final = 100


class Shop:
    """The administration of the shop."""

    def __init__(self, collection: Callable[[str], Collection[Any]]) -> None:
        self.products: Collection[Product] = collection(f"{_SHOP}/products")
        self.orders: Collection[Order] = collection(f"{_SHOP}/orders")
        self.customers: Collection[Customer] = collection(f"{_SHOP}/customers")
        self.coupons: Collection[Coupon] = collection(f"{_SHOP}/coupons")
        self.categories: Collection[Term] = collection(f"{_SHOP}/products/categories")
        self.tags: Collection[Term] = collection(f"{_SHOP}/products/tags")
        self.attributes: Collection[Any] = collection(f"{_SHOP}/products/attributes")
        self.reviews: Collection[Any] = collection(f"{_SHOP}/products/reviews")
        self.taxes: Collection[Any] = collection(f"{_SHOP}/taxes")
        self.webhooks: Collection[Any] = collection(f"{_SHOP}/webhooks")

    def variations(self, product: Id) -> Collection[Variation]:
        """Return the variations of a product."""
        return self.products.below(product, "variations")

    def refunds(self, order: Id) -> Collection[Refund]:
        """Return the refunds of an order."""
        return self.orders.below(order, "refunds")

    def notes(self, order: Id) -> Collection[Any]:
        """Return the notes of an order."""
        return self.orders.below(order, "notes")


class AsyncShop:
    """The administration of the shop, to be awaited."""

    def __init__(self, collection: Callable[[str], AsyncCollection[Any]]) -> None:
        self.products: AsyncCollection[Product] = collection(f"{_SHOP}/products")
        self.orders: AsyncCollection[Order] = collection(f"{_SHOP}/orders")
        self.customers: AsyncCollection[Customer] = collection(f"{_SHOP}/customers")
        self.coupons: AsyncCollection[Coupon] = collection(f"{_SHOP}/coupons")
        self.categories: AsyncCollection[Term] = collection(f"{_SHOP}/products/categories")
        self.tags: AsyncCollection[Term] = collection(f"{_SHOP}/products/tags")
        self.attributes: AsyncCollection[Any] = collection(f"{_SHOP}/products/attributes")
        self.reviews: AsyncCollection[Any] = collection(f"{_SHOP}/products/reviews")
        self.taxes: AsyncCollection[Any] = collection(f"{_SHOP}/taxes")
        self.webhooks: AsyncCollection[Any] = collection(f"{_SHOP}/webhooks")

    def variations(self, product: Id) -> AsyncCollection[Variation]:
        """Return the variations of a product."""
        return self.products.below(product, "variations")

    def refunds(self, order: Id) -> AsyncCollection[Refund]:
        """Return the refunds of an order."""
        return self.orders.below(order, "refunds")

    def notes(self, order: Id) -> AsyncCollection[Any]:
        """Return the notes of an order."""
        return self.orders.below(order, "notes")


class Reports:
    """The reports of the shop's analytics."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def rows(self, report: str, **query: Any) -> Listing[dict[str, Any]]:
        """Return the rows of a report, as `orders`, `products`, `customers`."""
        return Listing(self._sender, Pages(_rows(report, query), self._sender.site.names, list))

    def totals(self, report: str, **query: Any) -> dict[str, Any]:
        """Return the totals of a report over a period: `after`, `before`."""
        return self._sender.send(_totals(report, query))

    def intervals(self, report: str, **query: Any) -> Listing[dict[str, Any]]:
        """Return a report for each `interval` of a period."""
        return Listing(self._sender, Pages(_stats(report, query), self._sender.site.names, _intervals))


class AsyncReports:
    """The reports of the shop's analytics, to be awaited."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    def rows(self, report: str, **query: Any) -> AsyncListing[dict[str, Any]]:
        """Return the rows of a report, as `orders`, `products`, `customers`."""
        return AsyncListing(self._sender, Pages(_rows(report, query), self._sender.site.names, list))

    async def totals(self, report: str, **query: Any) -> dict[str, Any]:
        """Return the totals of a report over a period: `after`, `before`."""
        return await self._sender.send(_totals(report, query))

    def intervals(self, report: str, **query: Any) -> AsyncListing[dict[str, Any]]:
        """Return a report for each `interval` of a period."""
        return AsyncListing(self._sender, Pages(_stats(report, query), self._sender.site.names, _intervals))


class Translations:
    """The site's translation jobs. The languages of a record are in the record itself."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def jobs(self, **query: Any) -> Listing[dict[str, Any]]:
        """Return jobs; query: `status`, `target_language` …"""
        return Listing(self._sender, _jobs(self._sender.site.names, query))

    def send(self, items: Sequence[Mapping[str, Any]], into: Sequence[str], **members: Any) -> list[dict[str, Any]]:
        """Create a job for each item and language. items: each with `type` (`post_page` …) and `id`."""
        return self._sender.send(_sent(items, into, members))


class AsyncTranslations:
    """The site's translation jobs, to be awaited."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    def jobs(self, **query: Any) -> AsyncListing[dict[str, Any]]:
        """Return jobs; query: `status`, `target_language` …"""
        return AsyncListing(self._sender, _jobs(self._sender.site.names, query))

    async def send(
        self, items: Sequence[Mapping[str, Any]], into: Sequence[str], **members: Any
    ) -> list[dict[str, Any]]:
        """Create a job for each item and language. items: each with `type` (`post_page` …) and `id`."""
        return await self._sender.send(_sent(items, into, members))


def _jobs(names: Names, query: dict[str, Any]) -> Pages[dict[str, Any]]:
    return Pages(Call("GET", _JOBS, query), names, lambda value: value["jobs"], window=_JOBS_AT_ONCE)


def _sent(
    items: Sequence[Mapping[str, Any]], into: Sequence[str], members: dict[str, Any]
) -> Ask[list[dict[str, Any]]]:
    body = {"items": list(items), "target_languages": list(into), **members}
    return Ask(Call("POST", _JOBS, body=body), read_value).then(lambda value: list(value["jobs"]))


def _rows(report: str, query: dict[str, Any]) -> Call:
    return Call("GET", f"{_REPORTS}/{report}", query)


def _stats(report: str, query: dict[str, Any]) -> Call:
    return Call("GET", f"{_REPORTS}/{report}/stats", query)


def _totals(report: str, query: dict[str, Any]) -> Ask[dict[str, Any]]:
    return Ask(_stats(report, {**query, "per_page": 1}), read_value).then(lambda value: dict(value["totals"]))


def _intervals(value: Any) -> Sequence[dict[str, Any]]:
    found: list[dict[str, Any]] = value["intervals"]
    return found

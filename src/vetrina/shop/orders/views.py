"""What the responses of several orders and refunds need beside their rows, loaded once for a page.

Rules: docs/rules/orders.md, 1; docs/rules/order_totals.md, 1: amounts have the decimals of `dp`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cached_property
from typing import Any, Final

from vetrina.content.terms.store import Term
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import money, times
from vetrina.shop import meta_data
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.orders import currency_notes, model as order_model
from vetrina.shop.orders.model import LINE, Order, OrderItem
from vetrina.shop.products import cost_schema, costs, images as product_images, model as product_model
from vetrina.shop.products.model import Product
from vetrina.shop.refunds import rules as refunds
from vetrina.shop.refunds.rules import Refund
from vetrina.shop.settings import rules as settings

_MAX_DECIMALS: Final = 12  # decimals of amounts in responses, however many are requested


class OrderView:
    """Serializes some orders. standalone_refunds: those that are serialized by themselves."""

    def __init__(
        self,
        work: UnitOfWork,
        orders: Sequence[Order],
        args: Mapping[str, Any] = {},
        standalone_refunds: Sequence[Refund] = (),
    ) -> None:
        self.work, self.orders, self.standalone_refunds = work, orders, standalone_refunds
        if orders:
            ids = [one.id for one in orders]
            meta_data.expect_meta_by_owner(work, "order", ids)
            order_model.expect_items_by_owner(work, [*ids, *(one.id for one in standalone_refunds)])
            refunds.expect_order_refunds(work, ids)
        places = None if args.get("dp") is None else abs(args["dp"])
        self.places = settings.get_price_decimals(work) if places is None else min(int(places), _MAX_DECIMALS)
        self.include_meta = frozenset(args.get("include_meta") or ())
        self.exclude_meta = frozenset(args.get("exclude_meta") or ())

    @cached_property
    def items(self) -> dict[int, list[OrderItem]]:
        return order_model.load_items_by_owner(
            self.work, [*(one.id for one in self.orders), *(one.id for one in self.standalone_refunds)]
        )

    @cached_property
    def item_metas(self) -> dict[int, list[meta_data.MetaField]]:
        every = [item.id for items in self.items.values() for item in items]
        return meta_data.load_meta_by_owner(self.work, "order_item", every)

    @cached_property
    def metas(self) -> dict[int, list[meta_data.MetaField]]:
        return meta_data.load_meta_by_owner(self.work, "order", [one.id for one in self.orders])

    @cached_property
    def refund_metas(self) -> dict[int, list[meta_data.MetaField]]:
        return meta_data.load_meta_by_owner(self.work, "refund", [one.id for one in self.standalone_refunds])

    @cached_property
    def refunds(self) -> dict[int, list[Refund]]:
        return refunds.list_order_refunds(self.work, [one.id for one in self.orders])

    @cached_property
    def costs(self) -> cost_schema.CostsByOwner | None:
        """Return the cost prices of the items, by owner and item; None where the shop does not record them."""
        if not costs.is_cost_enabled(self.work):
            return None
        back = [refund.id for found in self.refunds.values() for refund in found]
        owners = [*(one.id for one in self.orders), *(one.id for one in self.standalone_refunds), *back]
        return costs.load_costs_by_owner(self.work, owners)

    @cached_property
    def products(self) -> dict[int, Product]:
        lines = [item for items in self.items.values() for item in items if item.kind == LINE]
        return product_model.load_cached_products(
            self.work, (id for item in lines for id in (item.product, item.variation))
        )

    @cached_property
    def images(self) -> dict[int, product_images.ProductImage]:
        return product_images.load_product_images_by_id(
            self.work, {id for one in self.products.values() for id in one.images[:1]}
        )

    @cached_property
    def terms(self) -> dict[tuple[str, str], Term]:
        """Return the terms that extra fields of lines name: the values of shared attributes."""
        names = {
            (one.key, str(one.value))
            for metas in self.item_metas.values()
            for one in metas
            if one.key.startswith(attributes.TAXONOMY_PREFIX) and one.value
        }
        return attributes.load_terms_by_slug(self.work, names) if names else {}

    @cached_property
    def labels(self) -> dict[str, str]:
        """Return the display names of the shared attributes, by taxonomy name."""
        return {one.taxonomy: one.name for one in attributes.load_attributes(self.work).values()}

    def get_label(self, item: OrderItem, key: str) -> str:
        """Return the display name of a line's extra field: an attribute's name, else the key itself."""
        if key.startswith(attributes.TAXONOMY_PREFIX):
            return self.labels.get(key, key)
        above = self.products.get(item.product)
        return next((str(one["name"]) for one in above.attributes if one["key"] == key), key) if above else key

    def list_items_of_kind(self, owner: int, kind: str) -> list[OrderItem]:
        """Return the items of one kind."""
        return [item for item in self.items[owner] if item.kind == kind]

    def format_amount(self, amount: Decimal) -> str:
        """Return an amount with the requested decimals."""
        return money.format_amount(amount, self.places)

    def format_local_time(self, moment: int | None) -> str | None:
        """Return a time in the site's zone."""
        return None if moment is None else times.format_iso(self.work.zone.to_local(moment))

    def filter_meta_data(
        self, fields: Sequence[meta_data.MetaField], hide_private: bool = True
    ) -> list[dict[str, Any]]:
        """Return the extra fields that are requested; private ones of orders are left out.

        Those of several records keep the order in which they were written, those of one are sorted by name.
        """
        several = len(self.orders) + len(self.standalone_refunds) > 1
        return [
            one
            for one in sorted(meta_data.serialize_meta(fields), key=lambda one: one["id"] if several else one["key"])
            if (not hide_private or not one["key"].startswith("_") or one["key"] in currency_notes.CURRENCY_KEYS)
            and (not self.include_meta or one["key"] in self.include_meta)
            and one["key"] not in self.exclude_meta
        ]

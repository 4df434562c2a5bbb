"""Writing the items of an order: products, shipping, fees, each as a list of objects.

An object with the `id` of an item changes it, one without creates an item; a quantity of 0, or null for its product,
name or method, removes it. Not here: taxes and totals (shop/orders/totals.py), coupons (shop/orders/coupons.py), stock
(shop/orders/stock.py). Rules: docs/rules/orders.md, 2 and 3: a given total wins
over the product's price, and a changed quantity keeps the totals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

import msgspec

from vetrina.content.text.short_texts import sanitize_short_text
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import money
from vetrina.kernel.errors import ApiError
from vetrina.shop import meta_data
from vetrina.shop.orders import model as order_model
from vetrina.shop.orders.model import FEE, LINE, SHIPPING, Order, OrderItem
from vetrina.shop.orders.tax_location import get_shop_location
from vetrina.shop.products import model as product_model, prices as product_prices
from vetrina.shop.products.model import Product
from vetrina.shop.settings import rules as settings
from vetrina.shop.taxes import rate_store as tax_rates, rules as taxes
from vetrina.shop.taxes.rounding import build_pricing_rules


class LineNeedsProduct(ApiError):
    code = "shop_rest_required_product_reference"
    message = "A line needs a product: send `product_id`, `variation_id` or `sku`."


class InvalidOrderItem(ApiError):
    code = "shop_rest_invalid_item_id"
    message = "The order has no item with the number {id}."


class InvalidShippingLine(ApiError):
    code = "shop_rest_invalid_shipping_item"
    message = "A shipping line needs `method_id`."


class InvalidFeeLine(ApiError):
    code = "shop_rest_invalid_fee_item"
    message = "A fee needs a `name`."


_NAMED_BY: Final = {LINE: "product_id", SHIPPING: "method_id", FEE: "name"}
_NAMED: Final = ("product_id", "method_id", "method_title", "name")  # null for one of them removes an existing item

_ItemInput = Mapping[str, Any]


def compute_line_price(work: UnitOfWork, product: Product, quantity: int) -> Decimal:
    """Return the price of a quantity of a product without tax and discounts; 0 for a negative quantity."""
    amount = (product_prices.parse_price(product_prices.compute_active_price(product, work.now)) or money.ZERO) * max(
        quantity, 0
    )
    rules = build_pricing_rules(work)
    if (
        not rules.inclusive
        or product_model.resolve_tax_status(work, product) != "taxable"
        or not settings.is_setting_on(work, "shop_calc_taxes")
    ):
        return amount
    place = get_shop_location(work)
    rates = taxes.select_effective_rates(
        tax_rates.list_tax_rates_at(work, place), place, product_model.resolve_tax_class(work, product)
    )
    return taxes.compute_net_price(amount, rates, rules)


def update_items(
    work: UnitOfWork, order: Order, old: Sequence[OrderItem], given: Mapping[str, Any]
) -> tuple[list[OrderItem], list[OrderItem]]:
    """Return the items of an order after a write, and the removed ones; extra fields are written at once.

    given: lists of objects by `line_items`, `shipping_lines`, `fee_lines`; missing lists change nothing.
    Raises LineNeedsProduct, InvalidOrderItem, InvalidShippingLine, InvalidFeeLine.
    """
    items = {item.id: item for item in old}
    removed: list[OrderItem] = []
    writes = [(kind, write, data) for name, kind, write in _ITEM_LISTS for data in given.get(name) or ()]
    if not writes:
        return list(old), removed
    _preload_products(work, given.get("line_items") or ())
    created = [data for kind, _, data in writes if not data.get("id") and not _is_removed(kind, data)]
    numbers = iter(order_model.reserve_item_ids(work, len(created)))
    for kind, write, data in writes:
        before = items.get(int(data["id"])) if data.get("id") else None
        if data.get("id") and (before is None or before.kind != kind):
            raise InvalidOrderItem(id=data["id"])
        if _is_removed(kind, data):
            if before is not None:
                removed.append(items.pop(before.id))
            continue
        new = write(work, before, data, OrderItem(0 if before else next(numbers), order.id, kind))
        items[new.id] = new
        if new.variation and (before is None or before.variation != new.variation):
            _save_variation_choices(work, new, before)
        if data.get("meta_data"):
            meta_data.update_meta(work, "order_item", new.id, data["meta_data"])
    return list(items.values()), removed


def expect_products(work: UnitOfWork, given: Mapping[str, Any]) -> None:
    """Have the products of the lines of a new order read with what is asked of the database next."""
    product_model.expect_products(work, _list_product_ids(given.get("line_items") or ()))


def _is_removed(kind: str, data: _ItemInput) -> bool:
    named = _NAMED if data.get("id") else (_NAMED_BY[kind],)
    if any(name in data and data[name] is None for name in named):
        return True
    return kind == LINE and "quantity" in data and data["quantity"] == 0


def _preload_products(work: UnitOfWork, inputs: Sequence[_ItemInput]) -> None:
    """Load the products of some lines, and their parents, in one go."""
    found = product_model.load_cached_products(work, _list_product_ids(inputs))
    product_model.load_cached_products(work, [one.parent for one in found.values() if one.is_variation])


def _list_product_ids(inputs: Sequence[_ItemInput]) -> list[int]:
    return [int(one.get("variation_id") or one.get("product_id") or 0) for one in inputs if not one.get("sku")]


def _build_line(work: UnitOfWork, before: OrderItem | None, data: _ItemInput, blank: OrderItem) -> OrderItem:
    known = any(data.get(name) for name in ("product_id", "variation_id", "sku"))
    if before is None and not known:
        raise LineNeedsProduct
    sold = _find_product(work, data) if known else None
    item = before or msgspec.structs.replace(blank, quantity=1)
    if sold is not None:
        # Also for the same product: its name and class may have changed.
        changed = _set_product(work, item, sold)
        variation = before.variation if before is not None and _has_same_variation(work, before, data, sold) else 0
        item = msgspec.structs.replace(changed, variation=variation) if variation else changed
    quantity = int(data["quantity"]) if data.get("quantity") is not None else item.quantity
    item = msgspec.structs.replace(item, quantity=quantity)
    if before is None and sold is not None:
        price = compute_line_price(work, sold, quantity)
        item = msgspec.structs.replace(item, subtotal=price, total=price)
    item = _set_texts(work, item, data, ("name", "tax_class"))
    total = _parse_amount(data, "total", item.total)
    # A total above the known subtotal raises the subtotal, unless one is sent.
    subtotal = max(item.subtotal, total) if data.get("total") not in (None, "") else item.subtotal
    return msgspec.structs.replace(item, subtotal=_parse_amount(data, "subtotal", subtotal), total=total)


def _has_same_variation(work: UnitOfWork, before: OrderItem, data: _ItemInput, sold: Product) -> bool:
    """Return whether a line that names the product of its variation, and no other variation, keeps its variation.

    This lets a client send back a line as it was read, with the SKU that a variation inherits from its product.
    """
    if sold.id != before.product or data.get("product_id") not in (None, before.product):
        return False
    same = data.get("variation_id") is None or data["variation_id"] == before.variation
    return bool(before.variation and same and product_model.load_cached_products(work, (before.variation,)))


def _find_product(work: UnitOfWork, data: _ItemInput) -> Product | None:
    """Return the product of a line: by SKU, else by variation id, else by product id.

    The SKU of a variation beside its product's id and a variation id of 0 means the product itself.
    """
    if data.get("sku"):
        found = product_model.find_product_by_sku(work, str(data["sku"]))
        if found is None or data.get("variation_id") != 0 or found.parent != data.get("product_id"):
            return found
    id = data.get("variation_id") or data.get("product_id")
    return product_model.load_cached_products(work, (int(id),)).get(int(id)) if id else None


def _set_product(work: UnitOfWork, item: OrderItem, sold: Product) -> OrderItem:
    above = product_model.load_cached_products(work, (sold.parent,)).get(sold.parent) if sold.is_variation else None
    return msgspec.structs.replace(
        item,
        name=sold.name,
        product=above.id if above is not None else sold.id,
        variation=sold.id if above is not None else 0,
        tax_class=product_model.resolve_tax_class(work, sold),
        tax_status=product_model.resolve_tax_status(work, sold),
    )


def _save_variation_choices(work: UnitOfWork, item: OrderItem, before: OrderItem | None) -> None:
    """Store the attributes of a line's variation on the line, an empty value for any."""
    known = product_model.load_cached_products(work, (item.product, item.variation))
    above, sold = known.get(item.product), known.get(item.variation)
    if above is None or sold is None:
        return
    chosen = {one["key"]: sold.choices.get(one["key"], "") for one in above.attributes if one["variation"]}
    if before is None:
        for key, value in chosen.items():
            meta_data.insert_meta(work, "order_item", item.id, key, value)
    else:
        fields = [{"key": key, "value": value} for key, value in chosen.items()]
        meta_data.update_meta(work, "order_item", item.id, fields)


def _build_shipping_line(work: UnitOfWork, before: OrderItem | None, data: _ItemInput, blank: OrderItem) -> OrderItem:
    if before is None and not data.get("method_id"):
        raise InvalidShippingLine
    texts = {"name": data.get("method_title"), "code": data.get("method_id"), "tax_status": data.get("tax_status")}
    item = _set_texts(work, before or blank, texts, ("name", "code", "tax_status"))
    if data.get("instance_id") not in (None, ""):
        item = msgspec.structs.replace(item, details={**item.details, "instance_id": str(data["instance_id"])})
    return msgspec.structs.replace(item, total=_parse_amount(data, "total", item.total))


def _build_fee_line(work: UnitOfWork, before: OrderItem | None, data: _ItemInput, blank: OrderItem) -> OrderItem:
    if before is None and not data.get("name"):
        raise InvalidFeeLine
    item = _set_texts(work, before or blank, data, ("name", "tax_class", "tax_status"))
    return msgspec.structs.replace(item, total=_parse_amount(data, "total", item.total))


def _set_texts(work: UnitOfWork, item: OrderItem, data: _ItemInput, names: Iterable[str]) -> OrderItem:
    members = {name: sanitize_short_text(work.user, str(data[name])) for name in names if data.get(name) is not None}
    return msgspec.structs.replace(item, **members) if members else item


def _parse_amount(data: _ItemInput, name: str, default: Decimal) -> Decimal:
    if data.get(name) in (None, ""):
        return default
    return money.parse_amount(str(data[name])) or money.ZERO


_ItemBuilder = Callable[[UnitOfWork, OrderItem | None, _ItemInput, OrderItem], OrderItem]
_ITEM_LISTS: Final[tuple[tuple[str, str, _ItemBuilder], ...]] = (
    ("line_items", LINE, _build_line),
    ("shipping_lines", SHIPPING, _build_shipping_line),
    ("fee_lines", FEE, _build_fee_line),
)

"""What a client writes about the items of an order: goods, shipping, fees, each as a list of objects.

An object with the `id` of an item changes it, one without makes a new one; nothing for quantity, name or method takes
it away. Not here: taxes and totals (shop/orders/totals.py), coupons (shop/orders/coupons.py), stock
(shop/orders/transitions.py). Rules: facts, "Totals": a total that is given wins over the product's price, and a changed
quantity keeps the totals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

import msgspec

from vetrina.content.text.short_texts import allowed_text
from vetrina.core.unit_of_work import Work
from vetrina.kernel import money
from vetrina.kernel.errors import ApiError
from vetrina.shop import meta_data
from vetrina.shop.orders import model as order_model
from vetrina.shop.orders.model import FEE, LINE, SHIPPING, Item, Order
from vetrina.shop.products import model as product_model
from vetrina.shop.products import prices as product_prices
from vetrina.shop.products.model import Product
from vetrina.shop.settings import rules as settings
from vetrina.shop.taxes import line_totals
from vetrina.shop.taxes import rates as tax_rates
from vetrina.shop.taxes import rules as taxes

__all__ = [
    "InvalidFee", "InvalidItem", "InvalidShipping", "NeedsProduct", "line_price", "rules_of", "shop_place", "written",
]  # fmt: skip


class NeedsProduct(ApiError):
    code = "shop_rest_required_product_reference"
    message = "A line needs a product: send `product_id`, `variation_id` or `sku`."


class InvalidItem(ApiError):
    code = "shop_rest_invalid_item_id"
    message = "The order has no item with the number {id}."


class InvalidShipping(ApiError):
    code = "shop_rest_invalid_shipping_item"
    message = "A shipping line needs `method_id`."


class InvalidFee(ApiError):
    code = "shop_rest_invalid_fee_item"
    message = "A fee needs a `name`."


_NAMED_BY: Final = {LINE: "product_id", SHIPPING: "method_id", FEE: "name"}
_NAMED: Final = ("product_id", "method_id", "method_title", "name")  # none of which an item that stays is without

_Object = Mapping[str, Any]


def rules_of(work: Work, inclusive: bool | None = None) -> line_totals.Rules:
    """Return how the shop counts; inclusive: whether prices include tax, where it is not the shop's setting now."""
    entered_with_tax = settings.is_on(work, "shop_prices_include_tax")
    return line_totals.Rules(
        settings.decimals(work), settings.is_on(work, "shop_tax_round_at_subtotal"),
        entered_with_tax if inclusive is None else inclusive, half_down=entered_with_tax,
        sequential=settings.is_on(work, "shop_calc_discounts_sequentially"),
    )  # fmt: skip


def shop_place(work: Work) -> taxes.Place:
    """Return where the shop is."""
    country, _, state = str(settings.shop_option(work, "shop_default_country")).partition(":")
    postcode, city = (str(settings.shop_option(work, f"shop_store_{name}")) for name in ("postcode", "city"))
    return taxes.Place(country, state, postcode, city)


def line_price(work: Work, one: Product, quantity: int) -> Decimal:
    """Return what pieces of a product cost without tax and before discounts; less than none cost nothing."""
    amount = (product_prices.amount(product_prices.active(one, work.now)) or money.ZERO) * max(quantity, 0)
    rules = rules_of(work)
    if (
        not rules.inclusive
        or product_model.tax_status_of(work, one) != "taxable"
        or not settings.is_on(work, "shop_calc_taxes")
    ):
        return amount
    place = shop_place(work)
    rates = taxes.rates_at(tax_rates.at(work, place), place, product_model.tax_class_of(work, one))
    return line_totals.net_price(amount, rates, rules)


def written(work: Work, of: Order, old: Sequence[Item], given: Mapping[str, Any]) -> tuple[list[Item], list[Item]]:
    """Return the items of an order after a write, and those that it takes away; extra fields are written at once.

    given: lists of objects by `line_items`, `shipping_lines`, `fee_lines`; those that are missing change nothing.
    Raises NeedsProduct, InvalidItem, InvalidShipping, InvalidFee.
    """
    items = {item.id: item for item in old}
    gone: list[Item] = []
    told_of = [(kind, write, told) for name, kind, write in _KINDS for told in given.get(name) or ()]
    if not told_of:
        return list(old), gone
    _look_up(work, given.get("line_items") or ())
    fresh = [told for kind, _, told in told_of if not told.get("id") and not _is_taken_away(kind, told)]
    numbers = iter(order_model.next_items(work, len(fresh)))
    for kind, write, told in told_of:
        before = items.get(int(told["id"])) if told.get("id") else None
        if told.get("id") and (before is None or before.kind != kind):
            raise InvalidItem(id=told["id"])
        if _is_taken_away(kind, told):
            if before is not None:
                gone.append(items.pop(before.id))
            continue
        new = write(work, before, told, Item(0 if before else next(numbers), of.id, kind))
        items[new.id] = new
        if new.variation and (before is None or before.variation != new.variation):
            _note_choices(work, new, before)
        if told.get("meta_data"):
            meta_data.change(work, "order_item", new.id, told["meta_data"])
    return list(items.values()), gone


def _is_taken_away(kind: str, told: _Object) -> bool:
    named = _NAMED if told.get("id") else (_NAMED_BY[kind],)
    if any(name in told and told[name] is None for name in named):
        return True
    return kind == LINE and "quantity" in told and told["quantity"] == 0


def _look_up(work: Work, told: Sequence[_Object]) -> None:
    """Look up at once what some lines sell, and what stands above it."""
    numbers = [int(one.get("variation_id") or one.get("product_id") or 0) for one in told if not one.get("sku")]
    product_model.known(work, [one.parent for one in product_model.known(work, numbers).values() if one.is_variation])


def _line(work: Work, before: Item | None, told: _Object, blank: Item) -> Item:
    known = any(told.get(name) for name in ("product_id", "variation_id", "sku"))
    if before is None and not known:
        raise NeedsProduct
    sold = _product_of(work, told) if known else None
    item = before or msgspec.structs.replace(blank, quantity=1)
    if sold is not None:
        # Also where it is the same product: its name and class may be others by now.
        changed = _with_product(work, item, sold)
        kept = before.variation if before is not None and _keeps_variation(work, before, told, sold) else 0
        item = msgspec.structs.replace(changed, variation=kept) if kept else changed
    quantity = int(told["quantity"]) if told.get("quantity") is not None else item.quantity
    item = msgspec.structs.replace(item, quantity=quantity)
    if before is None and sold is not None:
        price = line_price(work, sold, quantity)
        item = msgspec.structs.replace(item, subtotal=price, total=price)
    item = _with_texts(work, item, told, ("name", "tax_class"))
    total = _amount(told, "total", item.total)
    # A total that is above what is known of the price before discounts raises that; one that is sent stays.
    subtotal = max(item.subtotal, total) if told.get("total") not in (None, "") else item.subtotal
    return msgspec.structs.replace(item, subtotal=_amount(told, "subtotal", subtotal), total=total)


def _keeps_variation(work: Work, before: Item, told: _Object, sold: Product) -> bool:
    """Say whether a line that names the product above its variation, and no other variation, goes on selling that.

    So a line comes back as it was read, with the stock number that a variation has from its product.
    """
    if sold.id != before.product or told.get("product_id") not in (None, before.product):
        return False
    same = told.get("variation_id") is None or told["variation_id"] == before.variation
    return bool(before.variation and same and product_model.known(work, (before.variation,)))


def _product_of(work: Work, told: _Object) -> Product | None:
    """Return what a line names: by its stock number, else its variation, else its product.

    The stock number of a variation beside its product and a variation of 0 says that the product itself is meant.
    """
    if told.get("sku"):
        found = product_model.by_sku(work, str(told["sku"]))
        if found is None or told.get("variation_id") != 0 or found.parent != told.get("product_id"):
            return found
    number = told.get("variation_id") or told.get("product_id")
    return product_model.known(work, (int(number),)).get(int(number)) if number else None


def _with_product(work: Work, item: Item, sold: Product) -> Item:
    above = product_model.known(work, (sold.parent,)).get(sold.parent) if sold.is_variation else None
    return msgspec.structs.replace(
        item,
        name=sold.name,
        product=above.id if above is not None else sold.id,
        variation=sold.id if above is not None else 0,
        tax_class=product_model.tax_class_of(work, sold),
        tax_status=product_model.tax_status_of(work, sold),
    )


def _note_choices(work: Work, item: Item, before: Item | None) -> None:
    """Note on a line what its variation stands for: a value for each attribute that makes it, empty for any."""
    known = product_model.known(work, (item.product, item.variation))
    above, sold = known.get(item.product), known.get(item.variation)
    if above is None or sold is None:
        return
    chosen = {one["key"]: sold.choices.get(one["key"], "") for one in above.attributes if one["variation"]}
    if before is None:
        for key, value in chosen.items():
            meta_data.put(work, "order_item", item.id, key, value)
    else:
        told = [{"key": key, "value": value} for key, value in chosen.items()]
        meta_data.change(work, "order_item", item.id, told)


def _shipping(work: Work, before: Item | None, told: _Object, blank: Item) -> Item:
    if before is None and not told.get("method_id"):
        raise InvalidShipping
    texts = {"name": told.get("method_title"), "code": told.get("method_id"), "tax_status": told.get("tax_status")}
    item = _with_texts(work, before or blank, texts, ("name", "code", "tax_status"))
    if told.get("instance_id") not in (None, ""):
        item = msgspec.structs.replace(item, details={**item.details, "instance_id": str(told["instance_id"])})
    return msgspec.structs.replace(item, total=_amount(told, "total", item.total))


def _fee(work: Work, before: Item | None, told: _Object, blank: Item) -> Item:
    if before is None and not told.get("name"):
        raise InvalidFee
    item = _with_texts(work, before or blank, told, ("name", "tax_class", "tax_status"))
    return msgspec.structs.replace(item, total=_amount(told, "total", item.total))


def _with_texts(work: Work, item: Item, told: _Object, names: Iterable[str]) -> Item:
    members = {name: allowed_text(work.user, str(told[name])) for name in names if told.get(name) is not None}
    return msgspec.structs.replace(item, **members) if members else item


def _amount(told: _Object, name: str, kept: Decimal) -> Decimal:
    if told.get(name) in (None, ""):
        return kept
    return money.parsed(str(told[name])) or money.ZERO


_Write = Callable[[Work, Item | None, _Object, Item], Item]
_KINDS: Final[tuple[tuple[str, str, _Write], ...]] = (
    ("line_items", LINE, _line),
    ("shipping_lines", SHIPPING, _shipping),
    ("fee_lines", FEE, _fee),
)

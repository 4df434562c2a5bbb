"""Prices of products: what was written, what holds now, ranges of what has parts, and when sales begin and end.

What holds now is stored, so that lists filter and sort by it; it is settled at every write, and by a job when a sale
begins or ends. Whoever shows or sells a single product asks `active`, which looks at the clock itself.
Not here: prices with and without tax (shop/taxes/rules.py), how a price is shown (shop/products/price_markup.py).
Rules: facts, "Create and defaults".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any, Final

import msgspec

from vetrina.backends import job_queue
from vetrina.core.unit_of_work import Work
from vetrina.kernel import money
from vetrina.shop.products import model as product_model
from vetrina.shop.products.model import EXTERNAL, GROUPED, VARIABLE, Product

__all__ = [
    "SALE", "active", "amount", "begin_or_end", "is_for_sale", "is_on_sale", "settled", "sync", "sync_above", "written",
]  # fmt: skip

SALE: Final = "product.sale"  # the job that settles a price when a sale begins or ends

_NO_AMOUNT = re.compile(r"[^0-9.-]|\.(?=.*\.)")


def written(value: Any) -> str:
    """Return a price as it is kept: digits, a point, a minus; what is no amount is empty."""
    text = _NO_AMOUNT.sub("", str(value)) if value is not None else ""
    return text if money.parsed(text) is not None else ""


def amount(text: str) -> Decimal | None:
    """Return the amount of a kept price, None for none."""
    return money.parsed(text) if text else None


def _stored(text: str) -> int | None:
    found = amount(text)
    return None if found is None else money.stored(found)


def is_on_sale(one: Product, now: int, settled: bool = True) -> bool:
    """Say whether a product is on sale at a moment; what has parts is when one of them was at the last look.

    settled: whether what is stored of it was worked out since it was written.
    """
    if one.kind in (VARIABLE, GROUPED) or (settled and one.sale_from is None and one.sale_to is None):
        return one.on_sale
    sale, regular = amount(one.sale_price), amount(one.regular_price)
    if sale is None or regular is None or sale >= regular:
        return False
    return not ((one.sale_from and one.sale_from > now) or (one.sale_to and one.sale_to < now))


def active(one: Product, now: int) -> str:
    """Return the price that holds at a moment, empty for none."""
    if one.kind in (VARIABLE, GROUPED) or (one.sale_from is None and one.sale_to is None):
        return one.price
    return one.sale_price if is_on_sale(one, now) else one.regular_price


def is_for_sale(one: Product, now: int) -> bool:
    """Say whether a product can be bought at a moment, once it is published: it has a price and is sold here."""
    return one.kind not in (GROUPED, EXTERNAL) and active(one, now) != ""


def settled(work: Work, one: Product) -> Product:
    """Return a product without parts with the price that holds now."""
    if one.kind in (VARIABLE, GROUPED):
        return one
    on_sale = is_on_sale(one, work.now, settled=False)
    price, regular = one.sale_price if on_sale else one.regular_price, _stored(one.regular_price)
    now = _stored(price)
    return msgspec.structs.replace(
        one, price=price, on_sale=on_sale, price_from=now, price_to=now,
        regular_from=regular, regular_to=regular,
    )  # fmt: skip


def with_parts(one: Product, parts: Iterable[Product]) -> Product:
    """Return a product with the range of the prices of its parts."""
    priced = [part for part in parts if part.price_from is not None]
    if not priced:
        return msgspec.structs.replace(
            one, price="", price_from=None, price_to=None, regular_from=None, regular_to=None, on_sale=False
        )
    cheapest = min(priced, key=lambda part: part.price_from or 0)
    regular = [part.regular_from for part in priced if part.regular_from is not None]
    return msgspec.structs.replace(
        one,
        price=cheapest.price,
        price_from=cheapest.price_from,
        price_to=max(part.price_to or 0 for part in priced),
        regular_from=min(regular, default=None),
        regular_to=max(regular, default=None),
        on_sale=any(part.on_sale for part in priced),
    )


def sync(work: Work, one: Product) -> Product:
    """Store the price of a product that has parts, worked out anew from them, and return it."""
    if one.kind == VARIABLE:
        parts = [part for part in product_model.variations_of(work, one.id) if part.record.status == "publish"]
    elif one.kind == GROUPED:
        members = product_model.linked(work, (one.id,)).get(one.id, {}).get(GROUPED, [])
        parts = [part for part in product_model.by_ids(work, members).values() if part.record.status == "publish"]
    else:
        return one
    new = with_parts(one, parts)
    product_model.store(work, one, new)
    return new


def sync_above(work: Work, one: Product) -> None:
    """Work out anew the prices of what a product is part of."""
    above = [one.parent] if one.is_variation else product_model.groups_of(work, one.id)
    for found in product_model.by_ids(work, above).values():
        sync(work, found)


def await_dates(work: Work, one: Product) -> None:
    """Note the jobs that settle a price when its sale begins and when it has ended."""
    for name, due in (("from", one.sale_from), ("to", one.sale_to and one.sale_to + 1)):
        if due and due > work.now and one.sale_price:
            key = f"{SALE}:{name}:{one.id}"
            job_queue.put(work.tx, SALE, {"product": one.id}, due=due, now=work.now, key=key)


def begin_or_end(work: Work, arguments: Mapping[str, Any]) -> None:
    """Settle the price of a product whose sale may begin or end now; arguments: `product`, its number."""
    found = product_model.by_id(work, arguments["product"])
    if found is not None and product_model.store(work, found, settled(work, found)):
        sync_above(work, found)

"""Prices of products: as written, the active price, ranges of products with parts, and the start and end of sales.

The active price is stored, so that lists filter and sort by it; it is updated by every write, and by a job when a sale
starts or ends. Showing or selling a single product uses `compute_active_price`, which reads the clock itself. Not here:
prices with and without tax (shop/taxes/rules.py), formatting (shop/products/price_markup.py). Rules:
docs/rules/products.md, 2.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any, Final

import msgspec

from vetrina.backends import job_queue
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import money
from vetrina.shop.products import model as product_model
from vetrina.shop.products.model import EXTERNAL, GROUPED, VARIABLE, Product

SALE_JOB: Final = "product.sale"  # the job that updates a price when a sale starts or ends

_NOT_AMOUNT_CHARACTER = re.compile(r"[^0-9.-]|\.(?=.*\.)")


def normalize_price(value: Any) -> str:
    """Return a price in stored form: digits, a point, a minus; empty for what is not an amount."""
    text = _NOT_AMOUNT_CHARACTER.sub("", str(value)) if value is not None else ""
    return text if money.parse_amount(text) is not None else ""


def parse_price(text: str) -> Decimal | None:
    """Return the amount of a stored price, None for none."""
    return money.parse_amount(text) if text else None


def _encode_price(text: str) -> int | None:
    found = parse_price(text)
    return None if found is None else money.encode_amount(found)


def is_on_sale(one: Product, now: int, settled: bool = True) -> bool:
    """Return whether a product is on sale at a time; one with parts if one of them was at the last update.

    settled: whether its stored price was updated since it was written.
    """
    if one.kind in (VARIABLE, GROUPED) or (settled and one.sale_from is None and one.sale_to is None):
        return one.on_sale
    sale, regular = parse_price(one.sale_price), parse_price(one.regular_price)
    if sale is None or regular is None or sale >= regular:
        return False
    return not ((one.sale_from and one.sale_from > now) or (one.sale_to and one.sale_to < now))


def compute_active_price(one: Product, now: int) -> str:
    """Return the active price at a time, empty for none."""
    if one.kind in (VARIABLE, GROUPED) or (one.sale_from is None and one.sale_to is None):
        return one.price
    return one.sale_price if is_on_sale(one, now) else one.regular_price


def is_for_sale(one: Product, now: int) -> bool:
    """Return whether a published product can be bought at a time: has a price and is neither grouped nor external."""
    return one.kind not in (GROUPED, EXTERNAL) and compute_active_price(one, now) != ""


def apply_active_price(work: UnitOfWork, one: Product) -> Product:
    """Return a product without parts with its active price."""
    if one.kind in (VARIABLE, GROUPED):
        return one
    on_sale = is_on_sale(one, work.now, settled=False)
    price, regular = one.sale_price if on_sale else one.regular_price, _encode_price(one.regular_price)
    now = _encode_price(price)
    return msgspec.structs.replace(
        one, price=price, on_sale=on_sale, price_from=now, price_to=now,
        regular_from=regular, regular_to=regular,
    )  # fmt: skip


def apply_price_range(one: Product, parts: Iterable[Product]) -> Product:
    """Return a product with the price range of its parts."""
    priced = [part for part in parts if part.price_from is not None]
    if not priced:
        return msgspec.structs.replace(
            one, price="", price_from=None, price_to=None, regular_from=None, regular_to=None, on_sale=False
        )
    cheapest = min(priced, key=lambda part: part.price_from or 0)
    regular = [part.regular_from for part in priced if part.regular_from is not None]
    return msgspec.structs.replace(
        one, price=cheapest.price, price_from=cheapest.price_from, price_to=max(part.price_to or 0 for part in priced),
        regular_from=min(regular, default=None), regular_to=max(regular, default=None),
        on_sale=any(part.on_sale for part in priced),
    )  # fmt: skip


def update_price_range(work: UnitOfWork, one: Product) -> Product:
    """Recompute and store the price of a product with parts, and return it."""
    if one.kind == VARIABLE:
        parts = [
            part for part in product_model.list_product_variations(work, one.id) if part.record.status == "publish"
        ]
    elif one.kind == GROUPED:
        members = product_model.list_product_links(work, (one.id,)).get(one.id, {}).get(GROUPED, [])
        parts = [
            part
            for part in product_model.load_products_by_id(work, members).values()
            if part.record.status == "publish"
        ]
    else:
        return one
    new = apply_price_range(one, parts)
    product_model.update_product_row(work, one, new)
    return new


def update_parent_price_ranges(work: UnitOfWork, one: Product) -> None:
    """Recompute the prices of the products that a product is part of."""
    above = [one.parent] if one.is_variation else product_model.list_group_ids(work, one.id)
    for found in product_model.load_products_by_id(work, above).values():
        update_price_range(work, found)


def enqueue_sale_jobs(work: UnitOfWork, one: Product) -> None:
    """Enqueue the jobs that update a price when its sale starts and when it has ended."""
    for name, due in (("from", one.sale_from), ("to", one.sale_to and one.sale_to + 1)):
        if due and due > work.now and one.sale_price:
            key = f"{SALE_JOB}:{name}:{one.id}"
            job_queue.enqueue_job(work.tx, SALE_JOB, {"product": one.id}, due=due, now=work.now, key=key)


def run_sale_job(work: UnitOfWork, arguments: Mapping[str, Any]) -> None:
    """Update the price of a product whose sale may start or end now (job handler); arguments: `product`, its id."""
    found = product_model.find_product(work, arguments["product"])
    if found is not None and product_model.update_product_row(work, found, apply_active_price(work, found)):
        update_parent_price_ranges(work, found)

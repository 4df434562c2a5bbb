"""What the shop keeps beside what it follows from, worked out anew: prices, stock, ratings, counts, links to terms.

Each function returns how much there is and how much of it was wrong. Not here: which tool does what
(shop/system/tools.py). Rules: the tools of the system status.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import msgspec
import orjson
from sqlalchemy import bindparam, delete, func, or_, select, update

from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import Among, listed
from vetrina.backends.tables.catalogue import product as table
from vetrina.backends.tables.core import record_term, term
from vetrina.backends.tables.orders import coupon, coupon_use, shop_order
from vetrina.content.terms import store as term_store
from vetrina.core.unit_of_work import Work
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.orders import model as order_model
from vetrina.shop.products import (
    model as product_model,
)
from vetrina.shop.products import (
    prices as product_prices,
)
from vetrina.shop.products import (
    product_types,
)
from vetrina.shop.products import (
    stock as product_stock,
)
from vetrina.shop.products.model import Product
from vetrina.shop.reviews import rules as reviews

__all__ = [
    "Counted", "attribute_links", "coupon_uses", "order_searches", "products", "term_counts", "unfound_orders",
    "unsettled",
]  # fmt: skip

_CHUNK: Final = 200
_DATED: Final = frozenset({"price", "on_sale", "price_from", "price_to"})


class Counted(NamedTuple):
    """How many things were looked at, and how many of them were wrong and were mended."""

    seen: int
    mended: int


_PRODUCTS = Statement(select(table.c.record).order_by(table.c.record))
_PARTED = Statement(
    select(table.c.record).where(or_(table.c.kind == "variable", table.c.kind == "grouped")).order_by(table.c.record)
)
_uses = select(func.count()).select_from(coupon_use).where(coupon_use.c.coupon == coupon.c.id).scalar_subquery()
_COUPONS = Statement(select(func.count()).select_from(coupon))
_USES = Statement(update(coupon).where(coupon.c.usage_count != _uses).values(usage_count=_uses).returning(coupon.c.id))
_TERMS = Statement(select(term.c.id, term.c.count).where(Among(term.c.taxonomy, "taxonomies")).order_by(term.c.id))
_ORDERS = Statement(select(shop_order.c.id, shop_order.c.search_key).order_by(shop_order.c.id))
_SEARCHED = Statement(update(shop_order).where(shop_order.c.id == bindparam("of")).values(search_key=bindparam("key")))
_WITH_ATTRIBUTES = Statement(
    select(record_term.c.record, record_term.c.term, term.c.taxonomy, table.c.attributes)
    .join_from(record_term, term, term.c.id == record_term.c.term)
    .join(table, table.c.record == record_term.c.record)
    .where(Among(term.c.taxonomy, "taxonomies"))
    .order_by(record_term.c.record, record_term.c.term)
)
_UNLINK = Statement(
    delete(record_term).where(record_term.c.record == bindparam("record"), record_term.c.term == bindparam("term"))
)


def products(work: Work) -> Counted:
    """Work out anew what lists of products sort and filter by: the price in force, stock, ratings, article numbers."""
    ids = [int(row[0]) for row in work.tx.all(_PRODUCTS)]
    wrong: set[int] = set()
    for start in range(0, len(ids), _CHUNK):
        for one in product_model.by_ids(work, ids[start : start + _CHUNK]).values():
            if product_model.store(work, one, _settled(work, one)):
                wrong.add(one.id)
            if not one.is_variation and reviews.recount(work, one.id):
                wrong.add(one.id)
    for (id,) in work.tx.all(_PARTED):
        found = product_model.by_id(work, int(id))
        if found is not None and product_stock.sync_parent(work, product_prices.sync(work, found)) != found:
            wrong.add(found.id)
    return Counted(len(ids), len(wrong))


def _settled(work: Work, one: Product) -> Product:
    new = msgspec.structs.replace(product_prices.settled(work, one), sku_key=one.sku.lower())
    if not new.manage_stock:
        return new
    status = product_stock.status_after(work, new.stock_quantity or 0, new.backorders)
    return msgspec.structs.replace(new, stock_status=status)


def unsettled(work: Work) -> Iterator[tuple[int, str]]:
    """Give the products whose price or stock does not follow from what was entered, and what it is; mends nothing.

    A rating may lag behind: it is counted when a review changes, not when one comes.
    """
    ids = [int(row[0]) for row in work.tx.all(_PRODUCTS)]
    for start in range(0, len(ids), _CHUNK):
        for one in product_model.by_ids(work, ids[start : start + _CHUNK]).values():
            wanted = _settled(work, one)
            for name in one.__struct_fields__:
                if getattr(one, name) != getattr(wanted, name) and not _is_dated(one, name):
                    yield one.id, f"its {name} is {getattr(one, name)!r}, it should be {getattr(wanted, name)!r}"


def _is_dated(one: Product, name: str) -> bool:
    # What a sale changes at its dates is changed by a job, which may not have come to it yet.
    return name in _DATED and bool(one.sale_from or one.sale_to)


def coupon_uses(work: Work) -> Counted:
    """Count anew how often each coupon was used."""
    wrong = [int(row[0]) for row in work.tx.all(_USES)]
    for id in wrong:
        work.note("coupon", id, "changed")
    return Counted(int(work.tx.value(_COUPONS) or 0), len(wrong))


def term_counts(work: Work, taxonomies: tuple[str, ...] = ()) -> Counted:
    """Count anew how many products have each category, tag, brand, class and attribute; taxonomies: only theirs."""
    wanted = taxonomies or (*product_types.TAXONOMIES, *_attribute_taxonomies(work))
    before = _term_counts(work, wanted)
    ids = list(before)
    for start in range(0, len(ids), _CHUNK):
        term_store.recount(work, ids[start : start + _CHUNK])
    after = _term_counts(work, wanted)
    wrong = [id for id, (count, _) in before.items() if after[id][0] != count]
    for id in wrong:
        work.note(before[id][1], id, "changed")
    return Counted(len(ids), len(wrong))


def _term_counts(work: Work, wanted: tuple[str, ...]) -> dict[int, tuple[int, str]]:
    return {
        int(id): (int(count), name)
        for name in wanted
        for id, count in work.tx.all(_TERMS, taxonomies=listed((name,)))
    }  # fmt: skip


def _attribute_taxonomies(work: Work) -> tuple[str, ...]:
    return tuple(one.taxonomy for one in attributes.known(work).values())


def attribute_links(work: Work) -> Counted:
    """Take terms of attributes off products that do not have the attribute, and count the rest anew."""
    wanted = _attribute_taxonomies(work)
    rows: list[Any] = work.tx.all(_WITH_ATTRIBUTES, taxonomies=listed(wanted)) if wanted else []
    gone = [(of, term) for of, term, taxonomy, own in rows if all(one["key"] != taxonomy for one in orjson.loads(own))]
    for of, held in gone:
        work.tx.run(_UNLINK, record=of, term=held)
        work.note(product_types.PRODUCT.name, of, "changed")
    counted = term_counts(work, wanted) if wanted else Counted(0, 0)
    return Counted(len(rows), len(gone) + counted.mended)


def unfound_orders(work: Work) -> Iterator[tuple[int, str]]:
    """Give the orders that searches look at by something else than what they hold, and by what."""
    rows = work.tx.all(_ORDERS)
    for start in range(0, len(rows), _CHUNK):
        part: dict[int, str] = dict(rows[start : start + _CHUNK])
        for id, one in order_model.by_ids(work, part).items():
            if order_model.search_key(one) != part[id]:
                yield id, part[id]


def order_searches(work: Work) -> Counted:
    """Write anew what searches among orders look at."""
    rows = work.tx.all(_ORDERS)
    wrong = 0
    for start in range(0, len(rows), _CHUNK):
        part: dict[int, str] = dict(rows[start : start + _CHUNK])
        for id, one in order_model.by_ids(work, part).items():
            key = order_model.search_key(one)
            if key != part[id]:
                work.tx.run(_SEARCHED, of=id, key=key)
                work.note("order", id, "changed")
                wrong += 1
    return Counted(len(rows), wrong)

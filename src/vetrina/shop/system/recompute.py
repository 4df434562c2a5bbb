"""Recomputes derived data of the shop: prices, stock, ratings, counts, links to terms.

Each function returns how many items there are and how many of them were wrong. Not here: which tool does what
(shop/system/tools.py). Rules: docs/rules/shop_settings.md, 6.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import msgspec
import orjson
from sqlalchemy import bindparam, delete, func, or_, select, update

from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.catalogue import product as table
from vetrina.backends.tables.orders import coupon, coupon_use, shop_order
from vetrina.backends.tables.terms import record_term, term
from vetrina.content.terms import store as term_store
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.orders import model as order_model
from vetrina.shop.products import (
    model as product_model,
    prices as product_prices,
    product_types,
    stock as product_stock,
)
from vetrina.shop.products.model import Product
from vetrina.shop.reviews import ratings

_CHUNK: Final = 200
_SALE_DEPENDENT_FIELDS: Final = frozenset({"price", "on_sale", "price_from", "price_to"})


class RecomputeResult(NamedTuple):
    """How many items were checked, and how many of them were wrong and were corrected."""

    checked_count: int
    fixed_count: int


_PRODUCTS = Statement(select(table.c.record).order_by(table.c.record))
_PRODUCTS_WITH_PARTS = Statement(
    select(table.c.record).where(or_(table.c.kind == "variable", table.c.kind == "grouped")).order_by(table.c.record)
)
_USE_COUNT = select(func.count()).select_from(coupon_use).where(coupon_use.c.coupon == coupon.c.id).scalar_subquery()
_COUPONS = Statement(select(func.count()).select_from(coupon))
_FIX_USE_COUNTS = Statement(
    update(coupon).where(coupon.c.usage_count != _USE_COUNT).values(usage_count=_USE_COUNT).returning(coupon.c.id)
)
_TERMS = Statement(select(term.c.id, term.c.count).where(InList(term.c.taxonomy, "taxonomies")).order_by(term.c.id))
_ORDERS = Statement(select(shop_order.c.id, shop_order.c.search_key).order_by(shop_order.c.id))
_UPDATE_SEARCH_KEY = Statement(
    update(shop_order).where(shop_order.c.id == bindparam("of")).values(search_key=bindparam("key"))
)
_WITH_ATTRIBUTES = Statement(
    select(record_term.c.record, record_term.c.term, term.c.taxonomy, table.c.attributes)
    .join_from(record_term, term, term.c.id == record_term.c.term)
    .join(table, table.c.record == record_term.c.record)
    .where(InList(term.c.taxonomy, "taxonomies"))
    .order_by(record_term.c.record, record_term.c.term)
)
_UNLINK = Statement(
    delete(record_term).where(record_term.c.record == bindparam("record"), record_term.c.term == bindparam("term"))
)


def recompute_products(work: UnitOfWork) -> RecomputeResult:
    """Recompute what lists of products sort and filter by: the active price, stock, ratings, SKUs."""
    ids = [int(row[0]) for row in work.tx.all(_PRODUCTS)]
    wrong: set[int] = set()
    for start in range(0, len(ids), _CHUNK):
        for one in product_model.load_products_by_id(work, ids[start : start + _CHUNK]).values():
            if product_model.update_product_row(work, one, _compute_product_state(work, one)):
                wrong.add(one.id)
            if not one.is_variation and ratings.update_product_rating(work, one.id):
                wrong.add(one.id)
    for (id,) in work.tx.all(_PRODUCTS_WITH_PARTS):
        found = product_model.find_product(work, int(id))
        if (
            found is not None
            and product_stock.update_variable_stock_status(work, product_prices.update_price_range(work, found))
            != found
        ):
            wrong.add(found.id)
    return RecomputeResult(len(ids), len(wrong))


def _compute_product_state(work: UnitOfWork, one: Product) -> Product:
    new = msgspec.structs.replace(product_prices.apply_active_price(work, one), sku_key=one.sku.lower())
    if not new.manage_stock:
        return new
    status = product_stock.compute_stock_status(work, new.stock_quantity or 0, new.backorders)
    return msgspec.structs.replace(new, stock_status=status)


def iterate_inconsistent_products(work: UnitOfWork) -> Iterator[tuple[int, str]]:
    """Yield the products whose price or stock does not follow from what was entered, with the fault; corrects nothing.

    A rating may lag behind: it is recomputed when a review changes, not when one is created.
    """
    ids = [int(row[0]) for row in work.tx.all(_PRODUCTS)]
    for start in range(0, len(ids), _CHUNK):
        for one in product_model.load_products_by_id(work, ids[start : start + _CHUNK]).values():
            wanted = _compute_product_state(work, one)
            for name in one.__struct_fields__:
                if getattr(one, name) != getattr(wanted, name) and not _is_sale_dependent(one, name):
                    yield one.id, f"its {name} is {getattr(one, name)!r}, it should be {getattr(wanted, name)!r}"


def _is_sale_dependent(one: Product, name: str) -> bool:
    # What a sale changes at its dates is updated by a job, which may not have run yet.
    return name in _SALE_DEPENDENT_FIELDS and bool(one.sale_from or one.sale_to)


def recompute_coupon_uses(work: UnitOfWork) -> RecomputeResult:
    """Recount how often each coupon was used."""
    wrong = [int(row[0]) for row in work.tx.all(_FIX_USE_COUNTS)]
    for id in wrong:
        work.note("coupon", id, "changed")
    return RecomputeResult(int(work.tx.value(_COUPONS) or 0), len(wrong))


def recompute_term_counts(work: UnitOfWork, taxonomies: tuple[str, ...] = ()) -> RecomputeResult:
    """Recount the products of each category, tag, brand, class and attribute; taxonomies: only these."""
    wanted = taxonomies or (*product_types.TAXONOMIES, *_list_attribute_taxonomies(work))
    before = _load_term_counts(work, wanted)
    ids = list(before)
    for start in range(0, len(ids), _CHUNK):
        term_store.recount_terms(work, ids[start : start + _CHUNK])
    after = _load_term_counts(work, wanted)
    wrong = [id for id, (count, _) in before.items() if after[id][0] != count]
    for id in wrong:
        work.note(before[id][1], id, "changed")
    return RecomputeResult(len(ids), len(wrong))


def _load_term_counts(work: UnitOfWork, wanted: tuple[str, ...]) -> dict[int, tuple[int, str]]:
    return {
        int(id): (int(count), name)
        for name in wanted
        for id, count in work.tx.all(_TERMS, taxonomies=encode_list((name,)))
    }  # fmt: skip


def _list_attribute_taxonomies(work: UnitOfWork) -> tuple[str, ...]:
    return tuple(one.taxonomy for one in attributes.load_attributes(work).values())


def repair_attribute_links(work: UnitOfWork) -> RecomputeResult:
    """Remove terms of attributes from products that do not have the attribute, and recount the rest."""
    wanted = _list_attribute_taxonomies(work)
    rows: list[Any] = work.tx.all(_WITH_ATTRIBUTES, taxonomies=encode_list(wanted)) if wanted else []
    stray = [(of, term) for of, term, taxonomy, own in rows if all(one["key"] != taxonomy for one in orjson.loads(own))]
    for of, term_id in stray:
        work.tx.run(_UNLINK, record=of, term=term_id)
        work.note(product_types.PRODUCT.name, of, "changed")
    counted = recompute_term_counts(work, wanted) if wanted else RecomputeResult(0, 0)
    return RecomputeResult(len(rows), len(stray) + counted.fixed_count)


def iterate_stale_search_keys(work: UnitOfWork) -> Iterator[tuple[int, str]]:
    """Yield the orders whose search keys differ from their contents, with the difference."""
    rows = work.tx.all(_ORDERS)
    for start in range(0, len(rows), _CHUNK):
        part: dict[int, str] = dict(rows[start : start + _CHUNK])
        for id, one in order_model.load_orders_by_id(work, part).items():
            if order_model.build_search_key(one) != part[id]:
                yield id, part[id]


def recompute_order_search_keys(work: UnitOfWork) -> RecomputeResult:
    """Rewrite the search keys of orders."""
    rows = work.tx.all(_ORDERS)
    wrong = 0
    for start in range(0, len(rows), _CHUNK):
        part: dict[int, str] = dict(rows[start : start + _CHUNK])
        for id, one in order_model.load_orders_by_id(work, part).items():
            key = order_model.build_search_key(one)
            if key != part[id]:
                work.tx.run(_UPDATE_SEARCH_KEY, of=id, key=key)
                work.note("order", id, "changed")
                wrong += 1
    return RecomputeResult(len(rows), wrong)

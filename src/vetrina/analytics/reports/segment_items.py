"""The items that reports are segmented by, with their names: products, variations, categories, coupons, tax rates.

Rules: docs/rules/analytics_measures.md, 8: all of a kind, or those that a filter names; a category counts for those
above it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from sqlalchemy import bindparam, select

from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.analytics import fact_tax
from vetrina.backends.tables.orders import coupon
from vetrina.backends.tables.records import record
from vetrina.backends.tables.terms import record_term, term
from vetrina.content.terms.store import Term
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.products import model as product_model
from vetrina.shop.products.model import Product
from vetrina.shop.taxes import rate_store as shop_rates, rules as taxes
from vetrina.shop.variations import rules as shop_variations

_HIDDEN: Final = ("auto-draft", "trash")
_PRODUCTS = Statement(
    select(record.c.id, record.c.title)
    .where(record.c.type == "product", ~InList(record.c.status, "hidden"))
    .order_by(record.c.id)
)
_SOME_PRODUCTS = Statement(
    select(record.c.id, record.c.title)
    .where(InList(record.c.id, "ids"), record.c.type == "product", ~InList(record.c.status, "hidden"))
    .order_by(record.c.id)
)
_VARIATIONS = Statement(
    select(record.c.id)
    .where(InList(record.c.parent, "parents"), record.c.type == "product_variation")
    .order_by(record.c.id)
)
_ALL_VARIATIONS = Statement(select(record.c.id).where(record.c.type == "product_variation").order_by(record.c.id))
_CATEGORIES = Statement(
    select(term.c.id, term.c.name, term.c.parent).where(term.c.taxonomy == "product_cat").order_by(term.c.id)
)
_IN_CATEGORIES = Statement(
    select(record_term.c.term, record_term.c.record).where(
        InList(record_term.c.term, "terms"), record_term.c.type == bindparam("type")
    )
)
_PARENTS = Statement(select(record.c.id, record.c.parent).where(InList(record.c.id, "ids")))
_COUPONS = Statement(select(coupon.c.id, coupon.c.code).order_by(coupon.c.id))
_RATES = Statement(select(fact_tax.c.rate, fact_tax.c.code).distinct().order_by(fact_tax.c.rate))


def list_products(work: UnitOfWork, only: Sequence[int] = ()) -> list[tuple[int, str]]:
    """Return id and name of all products, or of the given ones."""
    if only:
        return list(work.tx.all(_SOME_PRODUCTS, ids=encode_list(only), hidden=encode_list(_HIDDEN)))
    return list(work.tx.all(_PRODUCTS, hidden=encode_list(_HIDDEN)))


def list_variations(work: UnitOfWork, parents: Sequence[int]) -> list[tuple[int, str]]:
    """Return id and name of the variations of some products, of all where none is given."""
    rows = work.tx.all(_VARIATIONS, parents=encode_list(parents)) if parents else work.tx.all(_ALL_VARIATIONS)
    ids = [row[0] for row in rows]
    found = product_model.load_products_by_id(work, ids)
    terms = shop_variations.find_choice_terms(work, list(found.values()))
    return [(id, _build_variation_label(found[id], terms)) for id in ids if id in found]


def _build_variation_label(one: Product, terms: Mapping[tuple[str, str], Term]) -> str:
    """Return the label of a variation's segment: its own title, which may name its choices already, and its choices."""
    chosen = shop_variations.format_variation_name(one, terms)
    return f"{one.name} - {chosen}" if chosen else one.name


def load_category_tree(work: UnitOfWork) -> dict[int, tuple[str, int]]:
    """Return name and parent of every category by id."""
    return {id: (name, parent) for id, name, parent in work.tx.all(_CATEGORIES)}


def load_category_names(work: UnitOfWork) -> dict[int, str]:
    """Return the names of all categories by id."""
    return {id: name for id, (name, _) in load_category_tree(work).items()}


def list_categories(work: UnitOfWork, only: Sequence[int] = ()) -> list[tuple[int, str, tuple[int, ...]]]:
    """Return id, name and products of the categories that have any; those of subcategories count for the parent.

    A product in several subcategories of one category is listed as often.
    """
    known = load_category_tree(work)
    held: dict[int, list[int]] = {}
    for id, of in work.tx.all(_IN_CATEGORIES, terms=encode_list(known), type="product"):
        above, seen = id, set()
        while above in known and above not in seen:
            held.setdefault(above, []).append(of)
            seen.add(above)
            above = known[above][1]
    wanted = set(only) if only else set(known)
    return [(id, known[id][0], tuple(sorted(held[id]))) for id in sorted(held) if id in wanted]


def list_products_in_categories(work: UnitOfWork, ids: Iterable[int]) -> set[int]:
    """Return the products of some categories and their subcategories."""
    wanted = list(ids)
    return {one for _, _, held in list_categories(work, wanted) for one in held} if wanted else set()


def list_coupons(work: UnitOfWork, only: Sequence[int] = ()) -> list[tuple[int, str]]:
    """Return id and code of all coupons, or of the given ones."""
    return [(id, code) for id, code in work.tx.all(_COUPONS) if not only or id in only]


def list_tax_rates(work: UnitOfWork, only: Sequence[int] = ()) -> list[tuple[int, str]]:
    """Return id and code of the existing tax rates, and of those used in orders."""
    found = {
        id: taxes.format_rate_code(rate.to_effective_rate())
        for id, rate in shop_rates.load_tax_rates_by_id(work, shop_rates.list_tax_rate_ids(work)).items()
    }
    for rate, code in work.tx.all(_RATES):
        found.setdefault(rate, code)
    return [(id, found[id]) for id in sorted(found) if not only or id in only]


def load_parents(work: UnitOfWork, ids: Iterable[int]) -> dict[int, int]:
    """Return the product ids of variations, by variation id."""
    return dict(work.tx.all(_PARENTS, ids=encode_list(ids)))

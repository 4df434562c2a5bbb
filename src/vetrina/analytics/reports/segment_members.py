"""What a shop has that reports divide by and name: products, variations, categories, coupons, tax rates.

Rules: facts, "Segments": all of a kind, or those that a filter names; a category counts for those above it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from sqlalchemy import bindparam, select

from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import Among, listed
from vetrina.backends.tables.analytics import fact_tax
from vetrina.backends.tables.core import record, record_term, term
from vetrina.backends.tables.orders import coupon
from vetrina.content.terms.store import Term
from vetrina.core.unit_of_work import Work
from vetrina.shop.products import model as product_model
from vetrina.shop.products.model import Product
from vetrina.shop.taxes import rates as shop_rates
from vetrina.shop.taxes import rules as taxes
from vetrina.shop.variations import rules as shop_variations

__all__ = [
    "categories",
    "category_names",
    "coupons",
    "in_categories",
    "parents",
    "products",
    "tax_rates",
    "tree",
    "variations",
]

_HIDDEN: Final = ("auto-draft", "trash")
_PRODUCTS = Statement(
    select(record.c.id, record.c.title)
    .where(record.c.type == "product", ~Among(record.c.status, "hidden"))
    .order_by(record.c.id)
)
_SOME_PRODUCTS = Statement(
    select(record.c.id, record.c.title)
    .where(Among(record.c.id, "ids"), record.c.type == "product", ~Among(record.c.status, "hidden"))
    .order_by(record.c.id)
)
_VARIATIONS = Statement(
    select(record.c.id)
    .where(Among(record.c.parent, "parents"), record.c.type == "product_variation")
    .order_by(record.c.id)
)
_ALL_VARIATIONS = Statement(select(record.c.id).where(record.c.type == "product_variation").order_by(record.c.id))
_CATEGORIES = Statement(
    select(term.c.id, term.c.name, term.c.parent).where(term.c.taxonomy == "product_cat").order_by(term.c.id)
)
_IN_CATEGORIES = Statement(
    select(record_term.c.term, record_term.c.record).where(
        Among(record_term.c.term, "terms"), record_term.c.type == bindparam("type")
    )
)
_PARENTS = Statement(select(record.c.id, record.c.parent).where(Among(record.c.id, "ids")))
_COUPONS = Statement(select(coupon.c.id, coupon.c.code).order_by(coupon.c.id))
_RATES = Statement(select(fact_tax.c.rate, fact_tax.c.code).distinct().order_by(fact_tax.c.rate))


def products(work: Work, only: Sequence[int] = ()) -> list[tuple[int, str]]:
    """Return number and name of all products, or of those that are named."""
    if only:
        return list(work.tx.all(_SOME_PRODUCTS, ids=listed(only), hidden=listed(_HIDDEN)))
    return list(work.tx.all(_PRODUCTS, hidden=listed(_HIDDEN)))


def variations(work: Work, parents: Sequence[int]) -> list[tuple[int, str]]:
    """Return number and name of the variations of some products, of all where none is named."""
    rows = work.tx.all(_VARIATIONS, parents=listed(parents)) if parents else work.tx.all(_ALL_VARIATIONS)
    ids = [row[0] for row in rows]
    found = product_model.by_ids(work, ids)
    named = shop_variations.named_terms(work, list(found.values()))
    return [(id, _label(found[id], named)) for id in ids if id in found]


def _label(one: Product, named: Mapping[tuple[str, str], Term]) -> str:
    """Return what a segment calls a variation: its own title, which may name its choices already, and its choices."""
    chosen = shop_variations.shown_name(one, named)
    return f"{one.name} - {chosen}" if chosen else one.name


def tree(work: Work) -> dict[int, tuple[str, int]]:
    """Return name and parent of every category by its number."""
    return {id: (name, parent) for id, name, parent in work.tx.all(_CATEGORIES)}


def category_names(work: Work) -> dict[int, str]:
    """Return the names of all categories by their numbers."""
    return {id: name for id, (name, _) in tree(work).items()}


def categories(work: Work, only: Sequence[int] = ()) -> list[tuple[int, str, tuple[int, ...]]]:
    """Return number, name and products of the categories that have any; those beneath one count for it.

    A product that is in several categories beneath one stands there as often.
    """
    known = tree(work)
    held: dict[int, list[int]] = {}
    for id, of in work.tx.all(_IN_CATEGORIES, terms=listed(known), type="product"):
        above, seen = id, set()
        while above in known and above not in seen:
            held.setdefault(above, []).append(of)
            seen.add(above)
            above = known[above][1]
    wanted = set(only) if only else set(known)
    return [(id, known[id][0], tuple(sorted(held[id]))) for id in sorted(held) if id in wanted]


def in_categories(work: Work, ids: Iterable[int]) -> set[int]:
    """Return the products of some categories and those beneath them."""
    wanted = list(ids)
    return {one for _, _, held in categories(work, wanted) for one in held} if wanted else set()


def coupons(work: Work, only: Sequence[int] = ()) -> list[tuple[int, str]]:
    """Return number and code of all coupons, or of those that are named."""
    return [(id, code) for id, code in work.tx.all(_COUPONS) if not only or id in only]


def tax_rates(work: Work, only: Sequence[int] = ()) -> list[tuple[int, str]]:
    """Return number and code of the rates that there are, and of those that orders were taxed with."""
    found = {id: taxes.rate_code(rate.counted()) for id, rate in shop_rates.by_ids(work, shop_rates.ids(work)).items()}
    for rate, code in work.tx.all(_RATES):
        found.setdefault(rate, code)
    return [(id, found[id]) for id in sorted(found) if not only or id in only]


def parents(work: Work, ids: Iterable[int]) -> dict[int, int]:
    """Return the products of variations by their numbers."""
    return dict(work.tx.all(_PARENTS, ids=listed(ids)))

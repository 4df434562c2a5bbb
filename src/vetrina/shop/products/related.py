"""Related products: those that share a category or a tag.

If there are many, they are chosen at random, as the interface does. Rules: docs/rules/products.md, 10.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from itertools import chain, islice
from typing import Final

from sqlalchemy import bindparam, literal_column, select, union_all

from vetrina.backends.statement_cache import StatementCache
from vetrina.backends.tables.terms import record_term
from vetrina.content.terms.store import Term
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.products import product_types
from vetrina.shop.products.model import Product

MAX_RELATED: Final = 5

_GROUP_TAXONOMIES: Final = frozenset({product_types.CATEGORY.name, product_types.TAG.name})
_CANDIDATES_PER_GROUP: Final = 12  # of each group, the newest
_MAX_GROUPS: Final = 64  # of one page
_STATEMENTS = StatementCache(most=8)


def _build_newest_statement(count: int) -> object:
    """Return the statement that finds the newest products of some terms, with one index lookup for each."""
    branches = []
    for at in range(count):
        newest = (
            select(record_term.c.term, record_term.c.record)
            .where(
                record_term.c.term == bindparam(f"term_{at}"),
                record_term.c.type == product_types.PRODUCT.name,
                record_term.c.status == "publish",
                record_term.c.language == bindparam("language"),
            )
            .order_by(record_term.c.date.desc(), record_term.c.record.desc())
            .limit(literal_column(str(_CANDIDATES_PER_GROUP)))
            .subquery(f"newest_{at}")
        )
        branches.append(select(newest.c.term, newest.c.record))
    return union_all(*branches)


def list_related_ids(
    work: UnitOfWork,
    products: Sequence[Product],
    terms: Mapping[int, Sequence[Term]],
    linked: Mapping[int, Sequence[int]],
) -> dict[int, list[int]]:
    """Return the related products of some, by id, in one query.

    terms: the terms of each. linked: the products that each links itself, which are left out.
    """
    groups = {
        one.id: [term.id for term in terms.get(one.id, ()) if term.taxonomy in _GROUP_TAXONOMIES] for one in products
    }
    wanted = list(dict.fromkeys(id for ids in groups.values() for id in ids))[:_MAX_GROUPS]
    if not wanted:
        return {one.id: [] for one in products}
    # To have few shapes, the number of branches is a power of two; the surplus ones look for no term.
    count = 1 << (len(wanted) - 1).bit_length()
    values = {f"term_{at}": wanted[at] if at < len(wanted) else 0 for at in range(count)}
    members: dict[int, list[int]] = {}
    statement = _STATEMENTS.get(count, lambda: _build_newest_statement(count))
    for term, record in work.tx.all(statement, **values, language=products[0].record.language):
        members.setdefault(term, []).append(record)
    # Products of the same terms share a circle of candidates, from which each excludes its own.
    circles: dict[tuple[int, ...], list[int]] = {}
    out = {}
    for one in products:
        own = tuple(groups[one.id])
        circle = circles.get(own)
        if circle is None:
            circle = circles[own] = list(dict.fromkeys(other for id in own for other in members.get(id, ())))
        out[one.id] = _pick_related_ids(circle, {one.id, *linked.get(one.id, ())})
    return out


def _pick_related_ids(circle: list[int], without: Collection[int]) -> list[int]:
    """Return some of the products, from a random position in their circle."""
    start = random.randrange(len(circle)) if circle else 0
    out = []
    for other in chain(islice(circle, start, None), islice(circle, start)):
        if other not in without:
            out.append(other)
            if len(out) == MAX_RELATED:
                break
    return out

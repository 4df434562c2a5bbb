"""Products that go together: those that share a category or a tag.

Which of many is left to chance, as the interface has it. Rules: facts, "Other".
"""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from itertools import chain, islice
from typing import Final

from sqlalchemy import bindparam, literal_column, select, union_all

from vetrina.backends.statement_cache import Shapes
from vetrina.backends.tables.core import record_term
from vetrina.content.terms.store import Term
from vetrina.core.unit_of_work import Work
from vetrina.shop.products import product_types
from vetrina.shop.products.model import Product

__all__ = ["MOST", "related"]

MOST: Final = 5

_GROUPS: Final = frozenset({product_types.CATEGORY.name, product_types.TAG.name})
_LOOKED_AT: Final = 12  # of each group, the newest
_MOST_GROUPS: Final = 64  # of one page
_STATEMENTS = Shapes(most=8)


def _newest(count: int) -> object:
    """Return the statement that finds the newest products of some groups, with one look into the index for each."""
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
            .limit(literal_column(str(_LOOKED_AT)))
            .subquery(f"newest_{at}")
        )
        branches.append(select(newest.c.term, newest.c.record))
    return union_all(*branches)


def related(
    work: Work, found: Sequence[Product], held: Mapping[int, Sequence[Term]], linked: Mapping[int, Sequence[int]]
) -> dict[int, list[int]]:
    """Return the related products of some, by number; asks once.

    held: the terms of each. linked: those that each names itself, which are left out.
    """
    groups = {one.id: [term.id for term in held.get(one.id, ()) if term.taxonomy in _GROUPS] for one in found}
    wanted = list(dict.fromkeys(id for ids in groups.values() for id in ids))[:_MOST_GROUPS]
    if not wanted:
        return {one.id: [] for one in found}
    # Few shapes: the number of branches is a power of two, and what is left over looks for no term.
    count = 1 << (len(wanted) - 1).bit_length()
    values = {f"term_{at}": wanted[at] if at < len(wanted) else 0 for at in range(count)}
    members: dict[int, list[int]] = {}
    statement = _STATEMENTS.get(count, lambda: _newest(count))
    for term, record in work.tx.all(statement, **values, language=found[0].record.language):
        members.setdefault(term, []).append(record)
    # Products of the same groups have the same circle, from which each leaves out what it must.
    circles: dict[tuple[int, ...], list[int]] = {}
    out = {}
    for one in found:
        own = tuple(groups[one.id])
        circle = circles.get(own)
        if circle is None:
            circle = circles[own] = list(dict.fromkeys(other for id in own for other in members.get(id, ())))
        out[one.id] = _some(circle, {one.id, *linked.get(one.id, ())})
    return out


def _some(circle: list[int], without: Collection[int]) -> list[int]:
    """Return some of the products, from anywhere in their circle."""
    start = random.randrange(len(circle)) if circle else 0
    out = []
    for other in chain(islice(circle, start, None), islice(circle, start)):
        if other not in without:
            out.append(other)
            if len(out) == MOST:
                break
    return out

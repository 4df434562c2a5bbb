"""The conditions that orders have searched words, or lines of a product. Rules: docs/rules/orders.md, 6.

Words are found in what orders are found by (`search_key`), a phrase in the names of their lines. Not here: pages and
totals (shop/orders/listing.py), the index (backends/order_search_index.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, and_, bindparam, exists, func, or_, select, union, union_all

from vetrina.backends import order_search_index
from vetrina.backends.statement_cache import ContainsText, UnindexedColumn
from vetrina.backends.tables.orders import order_item, shop_order as table
from vetrina.core.listing import ListFilters
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.orders.model import LINE


class Way(Enum):
    """How orders are found.

    LOOKED_UP: by an index of what is searched. SIEVED: read in their order, and looked at where such an index has them.
    READ_ALONG: read for another reason, where most match or few are asked about, and each looked at.
    """

    LOOKED_UP = "looked up"
    SIEVED = "sieved"
    READ_ALONG = "read along"


class OrderSearch(NamedTuple):
    """Searched words. words: how many. values: bound values. kind: of the database. narrowed: by its own index."""

    words: int
    values: dict[str, Any]
    kind: str
    narrowed: bool


_NAME: Final = func.lower(order_item.c.name)


def build_search(work: UnitOfWork, words: Sequence[str], phrase: str) -> OrderSearch | None:
    """Return the search for folded words or, in the names of lines, a phrase as it was sent; None for no words."""
    if not words:
        return None
    names = build_line_search_texts(phrase)
    narrow = order_search_index.build_search_values(work.tx, (words, (names["small"],), (names["large"],)))
    values = {**{f"word_{at}": word for at, word in enumerate(words)}, **names, **(narrow or {})}
    return OrderSearch(len(words), values, work.tx.kind, narrow is not None)


def build_search_filters(search: OrderSearch | None, product: int, way: Way) -> ListFilters:
    """Return the conditions of a search, and of a product where it is not 0."""
    out: ListFilters = {}
    if search is not None:
        shape = "search", search.words, search.narrowed, way
        out[shape] = (lambda: _build_search_condition(search, way)), search.values
    if product:
        out["product", way] = (lambda: _build_product_condition(way)), {"product": product}
    return out


def build_line_search_texts(phrase: str) -> dict[str, str]:
    """Return the bound values of `build_line_condition` that find a text in a line's name, ignoring case.

    SQLite lowercases ASCII letters only, so both cases of all others are searched.
    """
    return {"small": phrase.lower(), "large": "".join(map(_lowercase_ascii, phrase.upper()))}


def build_line_condition(number: ColumnElement[int]) -> ColumnElement[bool]:
    """Return the condition that an order or a refund has a line whose name contains the bound text."""
    sold = or_(ContainsText(_NAME, "small"), ContainsText(_NAME, "large"))
    return exists().where(order_item.c.owner == number, order_item.c.kind == LINE, sold)


def _lowercase_ascii(letter: str) -> str:
    return letter.lower() if letter.isascii() else letter


def _build_search_condition(search: OrderSearch, way: Way) -> ColumnElement[bool]:
    if search.kind == "postgresql" and way is not Way.READ_ALONG:
        lines = or_(ContainsText(_NAME, "small", looked_up=True), ContainsText(_NAME, "large", looked_up=True))
        return table.c.id.in_(
            union(
                select(table.c.id).where(_build_words_condition(search, looked_up=True)),
                # Planned for each text, so that the kind is known too, which the partial index demands.
                select(order_item.c.owner).where(order_item.c.kind == LINE, lines),
            )
        )
    said = or_(_build_words_condition(search), build_line_condition(table.c.id))
    if not search.narrowed or way is Way.READ_ALONG:
        return said
    number = UnindexedColumn(table.c.id) if way is Way.SIEVED else table.c.id
    return and_(number.in_(order_search_index.select_candidates()), said)


def _build_words_condition(search: OrderSearch, looked_up: bool = False) -> ColumnElement[bool]:
    return and_(*(ContainsText(table.c.search_key, f"word_{at}", looked_up=looked_up) for at in range(search.words)))


def _build_product_condition(way: Way) -> ColumnElement[bool]:
    # Lines alone name products. Each index has the order beside the product, so that no line is read.
    columns = order_item.c.product, order_item.c.variation
    if way is not Way.LOOKED_UP:
        return or_(*(exists().where(one == bindparam("product"), order_item.c.owner == table.c.id) for one in columns))
    return table.c.id.in_(
        union_all(*(select(order_item.c.owner).where(one == bindparam("product")) for one in columns))
    )

"""The conditions that orders have searched words, or lines of a product. Rules: docs/rules/orders.md, 6.

Words are found in what orders are found by (`search_key`), a phrase in the names of their lines. Not here: pages and
totals (shop/orders/listing.py), the index (backends/order_search_index.py).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    CompoundSelect,
    ScalarSelect,
    and_,
    bindparam,
    exists,
    func,
    or_,
    select,
    union,
    union_all,
)

from vetrina.backends import order_line_names, order_search_index, order_search_keys
from vetrina.backends.database import Statement
from vetrina.backends.order_line_names import LINE_NAMES
from vetrina.backends.order_search_index import IndexedSearch
from vetrina.backends.order_search_keys import HAS_KEY
from vetrina.backends.statement_cache import ContainsText, PlannerHint, StatementCache, encode_list
from vetrina.backends.tables.orders import order_item, shop_order as table, shop_refund
from vetrina.core.listing import ListFilters
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.orders.model import LINE


class Way(Enum):
    """How orders are found.

    LOOKED_UP: by an index of what is searched. SIEVED: read for another reason, as in their order, and each looked for
    in such an index. READ_ALONG: read for another reason, and each looked at itself.
    """

    LOOKED_UP = "looked up"
    SIEVED = "sieved"
    READ_ALONG = "read along"


class OrderSearch(NamedTuple):
    """Searched words. words: how many. values: bound values. kind: of the database. indexed: by an index of our own.

    short: which of the words PostgreSQL's index of trigrams does not find. keyed: whether it finds none of them, and
    another one holds what all orders are found by.
    named: whether the names of lines that contain the phrase are known, and there are any; None where they are not
    known. is_frequent: whether so many orders are found that they are better counted than listed.
    """

    words: int
    values: dict[str, Any]
    kind: str
    indexed: IndexedSearch | None
    short: tuple[int, ...]
    keyed: bool
    named: bool | None
    is_frequent: bool

    @property
    def shape(self) -> tuple[Any, ...]:
        """What its conditions depend on, apart from the values."""
        return self.words, None if self.indexed is None else self.indexed.shape, self.short, self.keyed, self.named


_TRIGRAM: Final = re.compile(r"[^\W_]{3}")
_NAME: Final = func.lower(order_item.c.name)


def build_search(work: UnitOfWork, words: Sequence[str], phrase: str) -> OrderSearch | None:
    """Return the search for folded words or, in the names of lines, a phrase as it was sent; None for no words."""
    if not words:
        return None
    names = build_line_search_texts(phrase)
    many = count_many_orders(work)
    values = {**{f"word_{at}": word for at, word in enumerate(words)}, **names}
    if work.tx.kind == "postgresql":
        short = tuple(at for at, word in enumerate(words) if not _TRIGRAM.search(word))
        keyed = len(short) == len(words) and order_search_keys.has_all_keys(work.tx)
        found = order_line_names.find_line_names(work.tx, tuple(names.values()))
        if found is None:
            return OrderSearch(len(words), values, work.tx.kind, None, short, keyed, None, False)
        values[LINE_NAMES] = encode_list(found)
        is_frequent = order_line_names.has_many_lines(work.tx, found, many)
        return OrderSearch(len(words), values, work.tx.kind, None, short, keyed, bool(found), is_frequent)
    indexed = order_search_index.build_search(work.tx, words, tuple(names.values()), many)
    values |= indexed.values if indexed else {}
    return OrderSearch(len(words), values, work.tx.kind, indexed, (), False, None, indexed is not None and indexed.many)


def build_search_filters(search: OrderSearch, way: Way) -> ListFilters:
    """Return the condition of a search."""
    return {("search", *search.shape, way): ((lambda: _build_search_condition(search, way)), search.values)}


def build_line_filters(search: OrderSearch) -> ListFilters:
    """Return the condition that an order has a line with a known name."""
    owners = select(order_item.c.owner).where(_named_line)
    return {"by line": ((lambda: table.c.id.in_(owners)), {LINE_NAMES: search.values[LINE_NAMES]})}


def build_lineless_filters(search: OrderSearch) -> ListFilters:
    """Return the condition that an order is found by its words alone."""
    return {("words alone", *search.shape): ((lambda: _build_lineless_condition(search)), search.values)}


def build_product_filters(product: int, way: Way) -> ListFilters:
    """Return the condition of a product."""
    return {("product", way): ((lambda: _build_product_condition(table.c.id, way)), {"product": product})}


def count_found_orders(work: UnitOfWork, search: OrderSearch) -> int:
    """Return how many orders a frequent search finds, whatever their statuses."""
    indexed = search.indexed
    if indexed is None:
        return _count_named_orders(work, search)
    statement = _FOUND.get(
        ("count", *search.shape),
        lambda: select(func.count()).select_from(_select_found(search, indexed).subquery("found")),
    )
    return int(work.tx.value(statement, **search.values))


def _count_named_orders(work: UnitOfWork, search: OrderSearch) -> int:
    """Return how many orders are found where the names of their lines are known: by a line, or by their words alone."""
    names = search.values[LINE_NAMES]
    by_line = int(work.tx.value(_NAMED_OWNERS, line_names=names)) - int(work.tx.value(_NAMED_REFUNDS, line_names=names))
    statement = _FOUND.get(
        ("words alone", *search.shape),
        lambda: select(func.count()).select_from(table).where(_build_lineless_condition(search)),
    )
    return by_line + int(work.tx.value(statement, **search.values))


def list_first_found(work: UnitOfWork, search: OrderSearch, indexed: IndexedSearch, most: int) -> list[int]:
    """Return the orders that an indexed search finds, whatever their statuses; any `most` of them, if they are more."""
    statement = _FOUND.get(
        ("first", *search.shape), lambda: _select_found(search, indexed).limit(bindparam("most", type_=BigInteger))
    )
    return [int(id) for id in work.tx.column(statement, most=most, **search.values)]


def count_product_orders(work: UnitOfWork, product: int) -> int:
    """Return how many orders have a product, whatever their statuses."""
    [held] = work.tx.all(_HELD_AS, product=product)
    columns = [column for column, is_held in zip(_PRODUCTS, held, strict=True) if is_held]
    if not columns:
        return 0
    owners = _OWNERS[0] if len(columns) > 1 else _OWNERS[1 + _PRODUCTS.index(columns[0])]
    return int(work.tx.value(owners, product=product)) - int(work.tx.value(_REFUNDS_OF_PRODUCT, product=product))


def count_many_orders(work: UnitOfWork) -> int:
    """Return from how many orders on it is better to read all orders that may be meant: they are read in 20 ms."""
    return 10 * work.site.filter_cache.most_ids


def has_many_orders(work: UnitOfWork, product: int) -> bool:
    """Return whether so many lines name a product that orders are better read for another reason."""
    many = count_many_orders(work)
    return int(work.tx.value(_FIRST_LINES, product=product, most=many)) == many


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
    if search.named is not None:
        return _build_named_condition(search, way)
    if search.kind == "postgresql" and way is not Way.READ_ALONG:
        lines = or_(ContainsText(_NAME, "small", looked_up=True), ContainsText(_NAME, "large", looked_up=True))
        return table.c.id.in_(
            union(
                select(table.c.id).where(_build_words_condition(search, looked_up=True)),
                # Planned for each text, so that the kind is known too, which the partial index demands.
                select(order_item.c.owner).where(order_item.c.kind == LINE, lines),
            )
        )
    said = _build_order_condition(search)
    if search.indexed is None or way is Way.READ_ALONG:
        return said
    if way is Way.SIEVED:
        return search.indexed.build_sieve(said)
    return table.c.id.in_(_select_found(search, search.indexed))


def _build_named_condition(search: OrderSearch, way: Way) -> ColumnElement[bool]:
    words = _build_words_condition(search, looked_up=way is not Way.READ_ALONG)
    if not search.named:
        return words
    if way is Way.READ_ALONG:
        return or_(words, _select_named_line(table.c.id).is_not(None))
    by_line = select(order_item.c.owner).where(order_line_names.build_name_condition(True))
    return table.c.id.in_(union(select(table.c.id).where(words), by_line))


def _build_lineless_condition(search: OrderSearch) -> ColumnElement[bool]:
    return and_(_build_words_condition(search, looked_up=True), _select_named_line(table.c.id).is_(None))


def _select_named_line(owner: ColumnElement[int]) -> ScalarSelect[int]:
    """Select a line of an order with a known name, NULL for none.

    Of an EXISTS PostgreSQL may find all lines first, whatever the order: it does not know how few orders are read.
    """
    named = order_line_names.build_name_condition(False)
    return select(order_item.c.id).where(order_item.c.owner == owner, named).limit(1).scalar_subquery()


def _select_found(search: OrderSearch, indexed: IndexedSearch) -> CompoundSelect[Any]:
    return indexed.select_all_found(_build_order_condition(search))


def _build_order_condition(search: OrderSearch) -> ColumnElement[bool]:
    return or_(_build_words_condition(search), build_line_condition(table.c.id))


def _build_words_condition(search: OrderSearch, looked_up: bool = False) -> ColumnElement[bool]:
    def build(at: int) -> ColumnElement[bool]:
        if at not in search.short:
            return ContainsText(table.c.search_key, f"word_{at}", looked_up=looked_up)
        # PostgreSQL would read all of the index, and then all orders.
        return PlannerHint(ContainsText(table.c.search_key, f"word_{at}"))

    words = and_(*map(build, range(search.words)))
    return and_(HAS_KEY, words) if looked_up and search.keyed else words


def _build_product_condition(number: ColumnElement[int], way: Way) -> ColumnElement[bool]:
    if way is not Way.LOOKED_UP:
        return or_(*(exists().where(one == bindparam("product"), order_item.c.owner == number) for one in _PRODUCTS))
    return number.in_(_select_owners(_PRODUCTS))


def _select_owners(columns: Sequence[ColumnElement[int]]) -> CompoundSelect[Any]:
    return union_all(*(select(order_item.c.owner).where(one == bindparam("product")) for one in columns))


# Lines alone name products. Each index has the order beside the product, so that no line is read.
_PRODUCTS: Final = (order_item.c.product, order_item.c.variation)
_FOUND: Final = StatementCache()
_HELD_AS: Final = Statement(select(*(exists().where(one == bindparam("product")) for one in _PRODUCTS)))
_OWNERS: Final = (
    Statement(
        select(func.count()).select_from(
            union(*(select(order_item.c.owner).where(one == bindparam("product")) for one in _PRODUCTS)).subquery()
        )
    ),
    *(
        Statement(select(func.count(order_item.c.owner.distinct())).where(one == bindparam("product")))
        for one in _PRODUCTS
    ),
)
_REFUNDS_OF_PRODUCT: Final = Statement(
    select(func.count()).select_from(shop_refund).where(_build_product_condition(shop_refund.c.id, Way.READ_ALONG))
)
_named_line: Final = order_line_names.build_name_condition(True)
_NAMED_OWNERS: Final = Statement(select(func.count(order_item.c.owner.distinct())).where(_named_line))
_NAMED_REFUNDS: Final = Statement(
    select(func.count()).where(shop_refund.c.id.in_(select(order_item.c.owner).where(_named_line)))
)
_FIRST_LINES: Final = Statement(
    select(func.count()).select_from(
        _select_owners(_PRODUCTS).limit(bindparam("most", type_=BigInteger)).subquery("lines")
    )
)

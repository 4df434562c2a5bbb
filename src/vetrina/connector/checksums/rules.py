"""Tables as both sides compare them: checksums of the whole, histograms to drill into, ranges of numbers.

A table is summed row by row here, because no database has CRC-32 in common with the other. A divergence is found by
asking for few buckets, then for the one that differs, and so on: as many questions as the logarithm of the rows.
Not here: the sum of a row (kernel/checksums.py). Rules: facts of the connector, 13, "Objects, ranges, checksums".
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import orjson
from sqlalchemy import Table, bindparam, select

from vetrina.access.users import rules as users
from vetrina.backends.database import Statement
from vetrina.backends.tables.core import account, comment, record, record_term, term
from vetrina.backends.tables.orders import order_item, shop_order
from vetrina.connector.connection import state as connection_state
from vetrina.connector.sync import objects as sync_objects
from vetrina.connector.sync import product_rows, shop_objects
from vetrina.connector.sync import settings as sync_settings
from vetrina.core.unit_of_work import Work
from vetrina.kernel import checksums
from vetrina.kernel.errors import ApiError

__all__ = ["RANGED", "InvalidModule", "checked", "error", "histogram", "is_full", "ranges"]

_MOST: Final = 1 << 62
_WORD = re.compile(r"\w+", re.ASCII)
_BUCKET, _META_BUCKET = 10_000, 1_000  # rows

Members = dict[str, Any]
Rows = Iterator[Members]


class InvalidModule(ApiError):
    """No module of this name is synced."""

    code = "invalid_module"
    message = "No module is called {name!r}, or it is not in use."


def error(code: str, text: str) -> Members:
    """Return a failure as data, for answers that hold several things."""
    return {"errors": {code: [text]}, "error_data": []}


def is_full(work: Work) -> bool:
    """Say whether every module is in use: those beyond posts need a connection."""
    return connection_state.is_registered(work)


def _between(table: Table, key: Any, *columns: Any) -> Statement:
    return Statement(
        select(*columns).where(key >= bindparam("first"), key <= bindparam("last")).order_by(key, *columns[:2])
    )


_POSTS = _between(record, record.c.id, record.c.id, record.c.type, record.c.modified_gmt, record.c.status,
                  record.c.title, record.c.slug, record.c.content, record.c.meta)  # fmt: skip
_COMMENTS = _between(comment, comment.c.id, comment.c.id, comment.c.type, comment.c.date_gmt, comment.c.status,
                     comment.c.content, comment.c.meta)  # fmt: skip
_TERMS = _between(term, term.c.id, term.c.id, term.c.name, term.c.slug, term.c.taxonomy, term.c.description,
                  term.c.parent)  # fmt: skip
_HELD = _between(record_term, record_term.c.record, record_term.c.record, record_term.c.term, record_term.c.type)
_USERS = _between(account, account.c.id, *users.COLUMNS)
_LINES = _between(order_item, order_item.c.owner, *shop_objects.ITEM_COLUMNS)
_PARTS = _between(order_item, order_item.c.id, *shop_objects.ITEM_COLUMNS)
_ORDERS = _between(shop_order, shop_order.c.id, shop_order.c.id, shop_order.c.modified, shop_order.c.total,
                   shop_order.c.status, shop_order.c.paid, shop_order.c.completed, shop_order.c.order_key)  # fmt: skip


def _posts(work: Work, first: int, last: int) -> Rows:
    hidden = set(sync_settings.read(work)["post_types_blacklist"])
    for row in work.tx.all(_POSTS, first=first, last=last):
        if row[1] not in hidden:
            yield {
                "ID": row[0],
                "post_type": row[1],
                "post_modified_gmt": sync_objects.stamp(row[2]),
                "post_status": row[3],
                "post_title": row[4],
                "post_name": row[5],
                "post_content": row[6],
            }


def _flat(owner: str, number: int, meta: str, names: Sequence[str]) -> Rows:
    if meta == "{}":
        return
    kept = orjson.loads(meta)
    for name in names:
        if name in kept:
            value = kept[name]
            yield {owner: number, "meta_key": name, "meta_value": value if isinstance(value, str) else
                   orjson.dumps(value).decode()}  # fmt: skip


def _post_meta(work: Work, first: int, last: int) -> Rows:
    settings = sync_settings.read(work)
    hidden = set(settings["post_types_blacklist"])
    for row in work.tx.all(_POSTS, first=first, last=last):
        if row[1] not in hidden:
            yield from _flat("post_id", row[0], row[7], settings["post_meta_whitelist"])


def _comments(work: Work, first: int, last: int) -> Rows:
    for row in work.tx.all(_COMMENTS, first=first, last=last):
        if row[3] != "spam":
            yield {"comment_ID": row[0], "comment_type": row[1], "comment_date_gmt": sync_objects.stamp(row[2]),
                   "comment_content": row[4]}  # fmt: skip


def _comment_meta(work: Work, first: int, last: int) -> Rows:
    names = sync_settings.read(work)["comment_meta_whitelist"]
    for row in work.tx.all(_COMMENTS, first=first, last=last):
        if row[3] != "spam":
            yield from _flat("comment_id", row[0], row[5], names)


def _terms(work: Work, first: int, last: int) -> Rows:
    hidden = set(sync_settings.read(work)["taxonomies_blacklist"])
    for row in work.tx.all(_TERMS, first=first, last=last):
        if row[3] not in hidden:
            yield {"term_id": row[0], "name": row[1], "slug": row[2], "term_taxonomy_id": row[0], "taxonomy": row[3],
                   "description": row[4], "parent": row[5]}  # fmt: skip


def _held(work: Work, first: int, last: int) -> Rows:
    hidden = set(sync_settings.read(work)["post_types_blacklist"])
    for row in work.tx.all(_HELD, first=first, last=last):
        if row[2] not in hidden:
            yield {"object_id": row[0], "term_taxonomy_id": row[1]}


def _users(work: Work, first: int, last: int) -> Rows:
    shop = users.has_shop(work.frame)
    for row in work.tx.all(_USERS, first=first, last=last):
        user = users.from_row(row, shop)
        if sync_objects.level(user):
            yield sync_objects.user_object(work, user)["data"]


def _orders(work: Work, first: int, last: int) -> Rows:
    for row in work.tx.all(_ORDERS, first=first, last=last):
        yield {
            "id": row[0],
            "date_updated_gmt": sync_objects.stamp(row[1]),
            "total_amount": product_rows.money_text(row[2]),
            "type": "shop_order",
            "status": row[3],
            "date_paid_gmt": sync_objects.stamp(row[4]),
            "date_completed_gmt": sync_objects.stamp(row[5]),
            "order_key": row[6],
        }


def _lines(work: Work, first: int, last: int) -> Rows:
    for row in work.tx.all(_LINES, first=first, last=last):
        yield {"order_id": row[0], "order_item_id": row[1], "order_item_name": row[2], "order_item_type": row[3]}


def _item_meta(work: Work, first: int, last: int) -> Rows:
    parts = work.tx.all(_PARTS, first=first, last=last)
    extra = shop_objects.meta_of_items(work, [row[1] for row in parts])
    for row in parts:
        for name, value in shop_objects.item_meta(row, extra.get(row[1], ())):
            yield {"order_item_id": row[1], "meta_key": name, "meta_value": value}


def _products(work: Work, first: int, last: int) -> Rows:
    yield from product_rows.between(work, first, last)


def _addresses(work: Work, first: int, last: int) -> Rows:
    for row in work.tx.all(_ORDERS, first=first, last=last):
        for kind in ("billing", "shipping"):
            yield {"order_id": row[0], "address_type": kind}


@dataclass(frozen=True)
class Compared:
    """A table: the column that is its range, the columns that are summed, further ones, and its rows.

    keys: what names a row where the range's column alone does not. small: whether it needs no connection.
    """

    key: str
    fields: tuple[str, ...]
    rows: Callable[[Work, int, int], Rows]
    others: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    small: bool = False
    meta: bool = False


_DATA: Final = ("user_login", "user_nicename", "user_email", "user_url", "user_registered", "user_status",
                "display_name")  # fmt: skip
_META: Final = ("meta_key", "meta_value")
_TABLES: Final[dict[str, Compared]] = {
    "posts": Compared("ID", ("post_modified_gmt",), _posts,
                      ("post_type", "post_status", "post_title", "post_name", "post_content"), small=True),
    "postmeta": Compared("post_id", _META, _post_meta, keys=("post_id", "meta_key"), small=True, meta=True),
    "comments": Compared("comment_ID", ("comment_date_gmt",), _comments, ("comment_type", "comment_content")),
    "commentmeta": Compared("comment_id", _META, _comment_meta, keys=("comment_id", "meta_key"), meta=True),
    "terms": Compared("term_id", ("term_id", "name", "slug"), _terms),
    "term_taxonomy": Compared("term_taxonomy_id",
                              ("term_taxonomy_id", "term_id", "parent", "taxonomy", "description"), _terms),
    "term_relationships": Compared("object_id", ("object_id", "term_taxonomy_id"), _held,
                                   keys=("object_id", "term_taxonomy_id")),
    "users": Compared("ID", _DATA, _users),
    "shop_order_items": Compared("order_id", ("order_id", "order_item_name", "order_item_type"), _lines,
                                 keys=("order_id", "order_item_id")),
    "shop_order_itemmeta": Compared("order_item_id", _META, _item_meta, keys=("order_item_id", "meta_key"), meta=True),
    "shop_product_meta_lookup": Compared("product_id", product_rows.FIELDS, _products),
    "shop_orders": Compared("id", ("date_updated_gmt", "total_amount", "type", "status"), _orders),
    "shop_order_addresses": Compared("order_id", ("address_type",), _addresses, keys=("order_id", "address_type")),
    "shop_order_operational_data": Compared("id", ("date_paid_gmt", "date_completed_gmt", "order_key"), _orders),
}  # fmt: skip
# Name in a check → name of the table; in the order of the answer.
_CHECKED: Final[dict[str, str]] = {
    "posts": "posts", "post_meta": "postmeta", "comments": "comments", "comment_meta": "commentmeta", "terms": "terms",
    "term_relationships": "term_relationships", "term_taxonomy": "term_taxonomy",
    "shop_product_lookup": "shop_product_meta_lookup", "shop_order_items": "shop_order_items",
    "shop_order_itemmeta": "shop_order_itemmeta", "shop_orders": "shop_orders",
    "shop_order_addresses": "shop_order_addresses", "shop_order_operational_data": "shop_order_operational_data",
}  # fmt: skip
RANGED: Final = {"comments": "comments", "posts": "posts", "terms": "terms",
                 "term_relationships": "term_relationships", "users": "users"}  # fmt: skip


def _table(work: Work, name: str) -> Compared | None:
    """Return a table that is in use."""
    real = _CHECKED.get(name, name)
    found = _TABLES.get(real)
    if real.startswith("shop_") and "shop" not in work.frame.profile.modules:
        return None
    if found is None or sync_settings.number(work, "checksum_disable") or not (found.small or is_full(work)):
        return None
    return found


def checked(work: Work, latin: bool = False, only: Sequence[str] = tuple(_CHECKED)) -> Members:
    """Return the checksum of each table, or why it has none."""
    out: Members = {}
    for name in only:
        table = _table(work, name)
        if table is None:
            out[name] = error("checksum_disabled", f"Unable to use table name: {_CHECKED.get(name, name)}")
        else:
            rows = ([row[field] for field in table.fields] for row in table.rows(work, 0, _MOST))
            out[name] = checksums.total(rows, "", latin)
    return out


def histogram(
    work: Work, name: str, *, buckets: int = 0, first: int | None = None, last: int | None = None,
    columns: Sequence[str] = (), salt: str = "", edges: bool = False, detailed: bool = False, latin: bool = False,
) -> Members:  # fmt: skip
    """Return checksums of a table's rows by ranges of their numbers, or why there are none.

    buckets: how many; below 1 as many as have 10,000 rows each (1,000 of meta). first, last: of the numbers.
    edges: tell the first and last number and how many rows there are instead. detailed: tell each row's checksum.
    """
    table = _table(work, name)
    if table is None:
        return error("checksum_disabled", f"Unable to use table name: {name}")
    for column in columns:
        if _WORD.fullmatch(column) is None:
            return error("checksum_disabled", f"Invalid field name: {column[:40]}")
        if column not in (table.key, *table.fields, *table.others, *table.keys):
            return error("invalid_input", f"The table has no column {column[:40]}.")
    fields = tuple(dict.fromkeys((*table.fields, *columns)))
    start = first or 0
    # All rows from the start on: the end only says how many there are, so the last bucket may reach beyond it.
    rows = list(table.rows(work, start, _MOST))
    numbers = [int(row[table.key]) for row in rows]
    counted = sorted({number for number in numbers if not last or number <= last})
    if edges:
        low, high = (str(counted[0]), str(counted[-1])) if counted else (None, None)
        return {"min_range": low, "max_range": high, "item_count": str(len(counted))}
    if not counted:
        return {}
    size = -(-len(counted) // buckets) if buckets > 0 else _META_BUCKET if table.meta else _BUCKET
    whole = list(dict.fromkeys(numbers))
    out: Members = {}
    at = row_at = 0
    while at < len(whole) and whole[at] <= counted[-1]:
        low_number, high_number = whole[at], whole[min(at + size, len(whole)) - 1]
        end = bisect_right(numbers, high_number)
        part = rows[row_at:end]
        key = str(low_number) if low_number == high_number else f"{low_number}-{high_number}"
        if detailed:
            out[key] = {
                _key(table, row): str(checksums.row_sum([row[field] for field in fields], salt, latin)) for row in part
            }
        else:
            out[key] = str(checksums.total(([row[field] for field in fields] for row in part), salt, latin))
        at, row_at = at + size, end
    return out


def _key(table: Compared, row: Mapping[str, Any]) -> str:
    return "-".join(str(row[name]) for name in (table.keys or (table.key,)))


def ranges(work: Work, module: str, size: int, plain: bool = False) -> list[dict[str, Any]]:
    """Return the numbers of a module in batches of `size` rows, 0 for one batch. Raises InvalidModule.

    plain: as numbers, and in one batch.
    """
    table = _TABLES.get(RANGED.get(module, ""))
    if table is None:
        raise InvalidModule(name=module[:40])
    numbers = sorted({int(row[table.key]) for row in table.rows(work, 0, _MOST)})
    step = size if size > 0 else max(1, len(numbers))
    if plain:
        return [{"min": numbers[0], "max": numbers[-1]}] if numbers else []
    return [
        {"min": str(numbers[at]), "max": str(numbers[min(at + step, len(numbers)) - 1])}
        for at in range(0, len(numbers), step)
    ]

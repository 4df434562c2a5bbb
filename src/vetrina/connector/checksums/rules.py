"""Checksums of tables: over the whole table, and in histograms to drill down.

Checksums are computed row by row here, because the databases have no CRC-32 in common. The service finds a divergence
by asking for a few buckets, then for the one that differs, and so on: a number of requests logarithmic in the rows.
Not here: the checksum of a row (kernel/checksums.py). Rules: docs/rules/connector_tables.md, 8, 9 and 10.
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
from vetrina.backends.tables.accounts import account
from vetrina.backends.tables.comments import comment
from vetrina.backends.tables.orders import order_item, shop_order
from vetrina.backends.tables.records import record
from vetrina.backends.tables.terms import record_term, term
from vetrina.connector.sync import (
    modules,
    objects as sync_objects,
    product_rows,
    settings as sync_settings,
    shop_objects,
)
from vetrina.connector.sync.modules import has_all_modules
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import checksums

LAST_ID: Final = 1 << 62
_WORD = re.compile(r"\w+", re.ASCII)
_BUCKET, _META_BUCKET = 10_000, 1_000  # rows

MemberValues = dict[str, Any]
MemberRows = Iterator[MemberValues]


def build_error(code: str, text: str) -> MemberValues:
    """Return an error as data, for responses with several results."""
    return {"errors": {code: [text]}, "error_data": []}


def _build_range_statement(table: Table, key: Any, *columns: Any) -> Statement:
    return Statement(
        select(*columns).where(key >= bindparam("first"), key <= bindparam("last")).order_by(key, *columns[:2])
    )


_POSTS = _build_range_statement(record, record.c.id, record.c.id, record.c.type, record.c.modified_gmt, record.c.status,
                  record.c.title, record.c.slug, record.c.content, record.c.meta)  # fmt: skip
_COMMENTS = _build_range_statement(
    comment,
    comment.c.id,
    comment.c.id,
    comment.c.type,
    comment.c.date_gmt,
    comment.c.status,
    comment.c.content,
    comment.c.meta,
)
_TERMS = _build_range_statement(
    term, term.c.id, term.c.id, term.c.name, term.c.slug, term.c.taxonomy, term.c.description, term.c.parent
)
_RELATIONSHIPS = _build_range_statement(
    record_term, record_term.c.record, record_term.c.record, record_term.c.term, record_term.c.type
)
_USERS = _build_range_statement(account, account.c.id, *users.USER_COLUMNS)
_LINES = _build_range_statement(order_item, order_item.c.owner, *shop_objects.ITEM_COLUMNS)
_PARTS = _build_range_statement(order_item, order_item.c.id, *shop_objects.ITEM_COLUMNS)
_ORDERS = _build_range_statement(
    shop_order,
    shop_order.c.id,
    shop_order.c.id,
    shop_order.c.modified,
    shop_order.c.total,
    shop_order.c.status,
    shop_order.c.paid,
    shop_order.c.completed,
    shop_order.c.order_key,
)


def _iterate_posts(work: UnitOfWork, first: int, last: int) -> MemberRows:
    hidden = set(sync_settings.load_sync_settings(work)["post_types_blacklist"])
    for row in work.tx.all(_POSTS, first=first, last=last):
        if row[1] not in hidden:
            yield {
                "ID": row[0],
                "post_type": row[1],
                "post_modified_gmt": sync_objects.format_timestamp(row[2]),
                "post_status": row[3],
                "post_title": row[4],
                "post_name": row[5],
                "post_content": row[6],
            }


def _iterate_meta(owner: str, number: int, meta: str, names: Sequence[str]) -> MemberRows:
    if meta == "{}":
        return
    values = orjson.loads(meta)
    for name in names:
        if name in values:
            value = values[name]
            yield {owner: number, "meta_key": name, "meta_value": value if isinstance(value, str) else
                   orjson.dumps(value).decode()}  # fmt: skip


def _iterate_post_meta(work: UnitOfWork, first: int, last: int) -> MemberRows:
    settings = sync_settings.load_sync_settings(work)
    hidden = set(settings["post_types_blacklist"])
    for row in work.tx.all(_POSTS, first=first, last=last):
        if row[1] not in hidden:
            yield from _iterate_meta("post_id", row[0], row[7], settings["post_meta_whitelist"])


def _iterate_comments(work: UnitOfWork, first: int, last: int) -> MemberRows:
    for row in work.tx.all(_COMMENTS, first=first, last=last):
        if row[3] != "spam":
            yield {
                "comment_ID": row[0],
                "comment_type": row[1],
                "comment_date_gmt": sync_objects.format_timestamp(row[2]),
                "comment_content": row[4],
            }


def _iterate_comment_meta(work: UnitOfWork, first: int, last: int) -> MemberRows:
    names = sync_settings.load_sync_settings(work)["comment_meta_whitelist"]
    for row in work.tx.all(_COMMENTS, first=first, last=last):
        if row[3] != "spam":
            yield from _iterate_meta("comment_id", row[0], row[5], names)


def _iterate_terms(work: UnitOfWork, first: int, last: int) -> MemberRows:
    hidden = set(sync_settings.load_sync_settings(work)["taxonomies_blacklist"])
    for row in work.tx.all(_TERMS, first=first, last=last):
        if row[3] not in hidden:
            yield {"term_id": row[0], "name": row[1], "slug": row[2], "term_taxonomy_id": row[0], "taxonomy": row[3],
                   "description": row[4], "parent": row[5]}  # fmt: skip


def _iterate_relationships(work: UnitOfWork, first: int, last: int) -> MemberRows:
    hidden = set(sync_settings.load_sync_settings(work)["post_types_blacklist"])
    for row in work.tx.all(_RELATIONSHIPS, first=first, last=last):
        if row[2] not in hidden:
            yield {"object_id": row[0], "term_taxonomy_id": row[1]}


def _iterate_users(work: UnitOfWork, first: int, last: int) -> MemberRows:
    roles = work.site.roles
    for row in work.tx.all(_USERS, first=first, last=last):
        user = users.row_to_user(row, roles)
        if sync_objects.has_level(user):
            yield sync_objects.build_user_object(work, user)["data"]


def _iterate_orders(work: UnitOfWork, first: int, last: int) -> MemberRows:
    for row in work.tx.all(_ORDERS, first=first, last=last):
        yield {
            "id": row[0],
            "date_updated_gmt": sync_objects.format_timestamp(row[1]),
            "total_amount": product_rows.format_amount(row[2]),
            "type": "shop_order",
            "status": row[3],
            "date_paid_gmt": sync_objects.format_timestamp(row[4]),
            "date_completed_gmt": sync_objects.format_timestamp(row[5]),
            "order_key": row[6],
        }


def _iterate_lines(work: UnitOfWork, first: int, last: int) -> MemberRows:
    for row in work.tx.all(_LINES, first=first, last=last):
        yield {"order_id": row[0], "order_item_id": row[1], "order_item_name": row[2], "order_item_type": row[3]}


def _iterate_item_meta(work: UnitOfWork, first: int, last: int) -> MemberRows:
    parts = work.tx.all(_PARTS, first=first, last=last)
    extra = shop_objects.load_item_meta(work, [row[1] for row in parts])
    for row in parts:
        for name, value in shop_objects.build_item_meta(row, extra.get(row[1], ())):
            yield {"order_item_id": row[1], "meta_key": name, "meta_value": value}


def _iterate_products(work: UnitOfWork, first: int, last: int) -> MemberRows:
    yield from product_rows.load_products_between(work, first, last)


def _iterate_addresses(work: UnitOfWork, first: int, last: int) -> MemberRows:
    for row in work.tx.all(_ORDERS, first=first, last=last):
        for kind in ("billing", "shipping"):
            yield {"order_id": row[0], "address_type": kind}


@dataclass(frozen=True)
class ComparedTable:
    """A table: its range column, the columns in the checksum, further columns, and its rows.

    keys: the columns that identify a row where the range column alone does not. small: whether it needs no connection.
    """

    key: str
    fields: tuple[str, ...]
    rows: Callable[[UnitOfWork, int, int], MemberRows]
    others: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    small: bool = False
    meta: bool = False


_DATA: Final = ("user_login", "user_nicename", "user_email", "user_url", "user_registered", "user_status",
                "display_name")  # fmt: skip
_META: Final = ("meta_key", "meta_value")
TABLES: Final[dict[str, ComparedTable]] = {
    "posts": ComparedTable(
        "ID",
        ("post_modified_gmt",),
        _iterate_posts,
        ("post_type", "post_status", "post_title", "post_name", "post_content"),
        small=True,
    ),
    "postmeta": ComparedTable(
        "post_id", _META, _iterate_post_meta, keys=("post_id", "meta_key"), small=True, meta=True
    ),
    "comments": ComparedTable(
        "comment_ID", ("comment_date_gmt",), _iterate_comments, ("comment_type", "comment_content")
    ),
    "commentmeta": ComparedTable(
        "comment_id", _META, _iterate_comment_meta, keys=("comment_id", "meta_key"), meta=True
    ),
    "terms": ComparedTable("term_id", ("term_id", "name", "slug"), _iterate_terms),
    "term_taxonomy": ComparedTable(
        "term_taxonomy_id", ("term_taxonomy_id", "term_id", "parent", "taxonomy", "description"), _iterate_terms
    ),
    "term_relationships": ComparedTable(
        "object_id", ("object_id", "term_taxonomy_id"), _iterate_relationships, keys=("object_id", "term_taxonomy_id")
    ),
    "users": ComparedTable("ID", _DATA, _iterate_users),
    "shop_order_items": ComparedTable(
        "order_id",
        ("order_id", "order_item_name", "order_item_type"),
        _iterate_lines,
        keys=("order_id", "order_item_id"),
    ),
    "shop_order_itemmeta": ComparedTable(
        "order_item_id", _META, _iterate_item_meta, keys=("order_item_id", "meta_key"), meta=True
    ),
    "shop_product_meta_lookup": ComparedTable("product_id", product_rows.FIELDS, _iterate_products),
    "shop_orders": ComparedTable("id", ("date_updated_gmt", "total_amount", "type", "status"), _iterate_orders),
    "shop_order_addresses": ComparedTable(
        "order_id", ("address_type",), _iterate_addresses, keys=("order_id", "address_type")
    ),
    "shop_order_operational_data": ComparedTable(
        "id", ("date_paid_gmt", "date_completed_gmt", "order_key"), _iterate_orders
    ),
}
# Name in a check → name of the table, in the order of the response.
_CHECKED_TABLES: Final[dict[str, str]] = {
    "posts": "posts", "post_meta": "postmeta", "comments": "comments", "comment_meta": "commentmeta", "terms": "terms",
    "term_relationships": "term_relationships", "term_taxonomy": "term_taxonomy",
    "shop_product_lookup": "shop_product_meta_lookup", "shop_order_items": "shop_order_items",
    "shop_order_itemmeta": "shop_order_itemmeta", "shop_orders": "shop_orders",
    "shop_order_addresses": "shop_order_addresses", "shop_order_operational_data": "shop_order_operational_data",
}  # fmt: skip


def _find_table(work: UnitOfWork, name: str) -> ComparedTable | None:
    """Return a table if it is in use."""
    real = _CHECKED_TABLES.get(name, name)
    found = TABLES.get(real)
    if real.startswith("shop_") and modules.ORDERS not in modules.get_module_loaders(work.site):
        return None
    if (
        found is None
        or sync_settings.get_sync_number(work, "checksum_disable")
        or not (found.small or has_all_modules(work))
    ):
        return None
    return found


def compute_checksums(
    work: UnitOfWork, latin: bool = False, only: Sequence[str] = tuple(_CHECKED_TABLES)
) -> MemberValues:
    """Return the checksum of each table, or the error why it has none."""
    out: MemberValues = {}
    for name in only:
        table = _find_table(work, name)
        if table is None:
            out[name] = build_error("checksum_disabled", f"Unable to use table name: {_CHECKED_TABLES.get(name, name)}")
        else:
            rows = ([row[field] for field in table.fields] for row in table.rows(work, 0, LAST_ID))
            out[name] = checksums.compute_table_checksum(rows, "", latin)
    return out


def compute_histogram(
    work: UnitOfWork, name: str, *, buckets: int = 0, first: int | None = None, last: int | None = None,
    columns: Sequence[str] = (), salt: str = "", edges: bool = False, detailed: bool = False, latin: bool = False,
) -> MemberValues:  # fmt: skip
    """Return the checksums of a table's rows by id range, or an error.

    buckets: their number; below 1 one for each 10,000 rows (1,000 of meta). first, last: ids.
    edges: return the first and last id and the number of rows instead. detailed: return each row's checksum.
    """
    table = _find_table(work, name)
    if table is None:
        return build_error("checksum_disabled", f"Unable to use table name: {name}")
    for column in columns:
        if _WORD.fullmatch(column) is None:
            return build_error("checksum_disabled", f"Invalid field name: {column[:40]}")
        if column not in (table.key, *table.fields, *table.others, *table.keys):
            return build_error("invalid_input", f"The table has no column {column[:40]}.")
    fields = tuple(dict.fromkeys((*table.fields, *columns)))
    start = first or 0
    # All rows from the start on: `last` only limits the count, so the last bucket may extend beyond it.
    rows = list(table.rows(work, start, LAST_ID))
    numbers = [int(row[table.key]) for row in rows]
    counted = sorted({number for number in numbers if not last or number <= last})
    if edges:
        low, high = (str(counted[0]), str(counted[-1])) if counted else (None, None)
        return {"min_range": low, "max_range": high, "item_count": str(len(counted))}
    if not counted:
        return {}
    size = -(-len(counted) // buckets) if buckets > 0 else _META_BUCKET if table.meta else _BUCKET
    whole = list(dict.fromkeys(numbers))
    out: MemberValues = {}
    at = row_at = 0
    while at < len(whole) and whole[at] <= counted[-1]:
        low_number, high_number = whole[at], whole[min(at + size, len(whole)) - 1]
        end = bisect_right(numbers, high_number)
        part = rows[row_at:end]
        key = str(low_number) if low_number == high_number else f"{low_number}-{high_number}"
        if detailed:
            out[key] = {
                _build_row_key(table, row): str(
                    checksums.compute_row_checksum([row[field] for field in fields], salt, latin)
                )
                for row in part
            }
        else:
            out[key] = str(
                checksums.compute_table_checksum(([row[field] for field in fields] for row in part), salt, latin)
            )
        at, row_at = at + size, end
    return out


def _build_row_key(table: ComparedTable, row: Mapping[str, Any]) -> str:
    return "-".join(str(row[name]) for name in (table.keys or (table.key,)))

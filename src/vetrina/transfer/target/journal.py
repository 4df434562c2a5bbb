"""The journal of imports: what came from a source, which id it has here, what is still to be settled.

An entry is written in the transaction of its record, so that an import that was killed goes on and doubles nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

import msgspec
from sqlalchemy import bindparam, or_, select

from vetrina.backends.database import Statement, Transaction
from vetrina.backends.statement_cache import InList, build_upsert, encode_list
from vetrina.backends.store import FLAG
from vetrina.backends.tables.transfer import transfer_source, transferred as table
from vetrina.transfer.records import Record

RECORD: Final = "record"
TERM: Final = "term"
USER: Final = "user"
COMMENT: Final = "comment"
SETTING: Final = "setting"
WIDGET: Final = "widget"
REDIRECT: Final = "redirect"
STRING: Final = "string"
ATTRIBUTE: Final = "attribute"  # of products
TAX_CLASS: Final = "tax_class"
TAX_RATE: Final = "tax_rate"
ZONE: Final = "shipping_zone"
SHIPPING_METHOD: Final = "shipping_method"  # of a zone
ORDER_ITEM: Final = "order_item"
ORDER_NOTE: Final = "order_note"  # some sites number their notes among comments, others by themselves
SHOP_SETTING: Final = "shop_setting"
GATEWAY: Final = "payment_gateway"
WEBHOOK: Final = "webhook"
REPORT_CUSTOMER: Final = "report_customer"  # numbered apart from accounts

_MAX_KNOWN: Final = 50_000  # ids that are kept in memory


class JournalEntry(msgspec.Struct, frozen=True):
    """What came of a record of the source. The fields are the columns of its table, after `source`.

    item: its id there. kind: within which the ids of a source are unique. target: its id here, 0 while it waits for
    what it belongs to. adopted: whether it was here before. address: by which texts of the source name it. pending: its
    values as JSON, where they refer to what has not come.
    """

    resource: str
    item: str
    kind: str
    target: int
    adopted: bool
    address: str
    modified: str
    fingerprint: str
    pending: str


class SourceState(msgspec.Struct, frozen=True):
    """How a source was imported so far. began, finished: seconds since 1970; finished: 0 for never."""

    keep_ids: bool
    began: int
    finished: int


_NAMES: Final = JournalEntry.__struct_fields__
_COLUMNS = tuple(table.c[name] for name in _NAMES)
_KEYS: Final = ("source", "resource", "item")
_IS_ADDRESSED: Final = or_(table.c.kind == RECORD, table.c.kind == TERM)
_FIND = Statement(
    select(*_COLUMNS).where(
        table.c.source == bindparam("source"),
        table.c.resource == bindparam("resource"),
        InList(table.c.item, "items"),
    )
)
_SAVE = Statement(
    build_upsert(
        table,
        keys=_KEYS,
        values={name: bindparam(name) for name in ("source", *_NAMES)},
        changes={name: bindparam(name) for name in _NAMES if name not in _KEYS},
    )
)
_TARGET = Statement(
    select(table.c.target)
    .where(
        table.c.source == bindparam("source"), table.c.kind == bindparam("kind"), table.c.item == bindparam("item"),
        table.c.target > 0,
    )
    .limit(1)
)  # fmt: skip
_BY_ADDRESS = Statement(
    select(table.c.target, table.c.pending != "", table.c.kind)
    .where(
        table.c.source == bindparam("source"), table.c.address == bindparam("address"), table.c.target > 0,
        _IS_ADDRESSED,
    )
    .order_by(table.c.kind)
    .limit(1)
)  # fmt: skip
_PENDING = Statement(
    select(*_COLUMNS)
    .where(
        table.c.source == bindparam("source"),
        table.c.pending != "",
        (table.c.resource > bindparam("resource"))
        | ((table.c.resource == bindparam("resource")) & (table.c.item > bindparam("item"))),
    )
    .order_by(table.c.resource, table.c.item)
    .limit(bindparam("most"))
)
_ADDRESSED = Statement(
    select(*_COLUMNS)
    .where(
        table.c.source == bindparam("source"),
        _IS_ADDRESSED,
        table.c.address != "",
        table.c.target > 0,
        (table.c.resource > bindparam("resource"))
        | ((table.c.resource == bindparam("resource")) & (table.c.item > bindparam("item"))),
    )
    .order_by(table.c.resource, table.c.item)
    .limit(bindparam("most"))
)
_STATE = Statement(
    select(transfer_source.c.keep_ids, transfer_source.c.began, transfer_source.c.finished).where(
        transfer_source.c.source == bindparam("source")
    )
)
_SAVE_STATE = Statement(
    build_upsert(
        transfer_source,
        keys=("source",),
        values={name: bindparam(name) for name in ("source", *SourceState.__struct_fields__)},
        changes={name: bindparam(name) for name in SourceState.__struct_fields__},
    )
)


class ImportJournal:
    """The journal of one source. source: its key."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._known: dict[tuple[str, str], int] = {}

    def load_state(self, tx: Transaction) -> SourceState | None:
        """Return how the source was imported so far, None if it never was."""
        row = tx.first(_STATE, source=self._source)
        return SourceState(bool(row[0]), row[1], row[2]) if row else None

    def save_state(self, tx: Transaction, state: SourceState) -> None:
        """Store how the source is imported."""
        tx.run(_SAVE_STATE, source=self._source, **msgspec.structs.asdict(state))

    def load_entries(self, tx: Transaction, resource: str, items: Iterable[str]) -> Mapping[str, JournalEntry]:
        """Return the entries of some records by their ids in the source."""
        rows = tx.all(_FIND, source=self._source, resource=resource, items=encode_list(items))
        return {entry.item: entry for entry in map(_row_to_entry, rows)}

    def save_entry(self, tx: Transaction, entry: JournalEntry) -> None:
        """Store an entry, over the one of the same record."""
        tx.run(_SAVE, source=self._source, **msgspec.structs.asdict(entry))

    def find_target(self, tx: Transaction, kind: str, item: str) -> int:
        """Return the id that a thing of the source has here, 0 while it has none."""
        found = self._known.get((kind, item))
        if found is None:
            found = int(tx.value(_TARGET, source=self._source, kind=kind, item=item) or 0)
            if found:
                if len(self._known) >= _MAX_KNOWN:
                    self._known.clear()
                self._known[kind, item] = found
        return found

    def find_by_address(self, tx: Transaction, address: str) -> tuple[int, bool, str]:
        """Return the id here of the record, the file or the term that the source had under an address, 0 for none.

        Beside it: whether it is still to be settled, so that its own address may change, and its kind.
        """
        row = tx.first(_BY_ADDRESS, source=self._source, address=address) if address else None
        return (int(row[0]), bool(row[1]), str(row[2])) if row else (0, False, "")

    def list_pending(self, tx: Transaction, after: JournalEntry | None, most: int) -> list[JournalEntry]:
        """Return the next entries that are still to be settled, at most so many."""
        return self._list_after(tx, _PENDING, after, most)

    def list_addressed(self, tx: Transaction, after: JournalEntry | None, most: int) -> list[JournalEntry]:
        """Return the next entries of records and terms that had an address in the source, at most so many."""
        return self._list_after(tx, _ADDRESSED, after, most)

    def _list_after(
        self, tx: Transaction, statement: Statement, after: JournalEntry | None, most: int
    ) -> list[JournalEntry]:
        resource, item = (after.resource, after.item) if after else ("", "")
        rows = tx.all(statement, source=self._source, resource=resource, item=item, most=most)
        return [_row_to_entry(row) for row in rows]

    def forget_known(self) -> None:
        """Forget the ids kept in memory, after a transaction or a part of one was rolled back."""
        self._known.clear()


def name_item(record: Record) -> str:
    """Return what a record is called in the journal; a name, unlike a number, tells it from others below one parent."""
    return f"{record.parent}/{record.id}" if record.parent and isinstance(record.id, str) else str(record.id)


def _row_to_entry(row: tuple[object, ...]) -> JournalEntry:
    members = dict(zip(_NAMES, row, strict=True))
    return msgspec.convert({**members, "adopted": FLAG.decode(members["adopted"])}, JournalEntry)

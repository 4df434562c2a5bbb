"""Rows of a table as values of a struct: insert, find, update, delete.

A `Store` reads and writes one table whose columns have the names of a struct's fields. It knows no rule: who may write,
what a write means and what the change log says of it is in the rules of the subject.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

import msgspec
import orjson
from sqlalchemy import Table, bindparam, delete, insert, select, update

from vetrina.backends.database import Row, Statement, Transaction
from vetrina.backends.statement_cache import InList, StatementCache, encode_list
from vetrina.kernel import money

T = TypeVar("T", bound=msgspec.Struct)


@dataclass(frozen=True, slots=True)
class ColumnCodec:
    """How a field that a column cannot hold as it is is stored. None stays None."""

    decode: Callable[[Any], Any]
    encode: Callable[[Any], Any]


def _encode_json(value: Any) -> str:
    return orjson.dumps(value).decode()


FLAG: Final = ColumnCodec(bool, bool)  # one of the databases returns numbers
JSON: Final = ColumnCodec(orjson.loads, _encode_json)
# Most objects of extra fields are empty: their texts are not decoded.
JSON_OBJECT: Final = ColumnCodec(lambda written: {} if written == "{}" else orjson.loads(written), _encode_json)
JSON_TUPLE: Final = ColumnCodec(lambda written: tuple(orjson.loads(written)), _encode_json)
MONEY: Final = ColumnCodec(money.decode_amount, money.encode_amount)


class Store(Generic[T]):
    """The rows of one table.

    struct: its fields are columns of the table, by name. codecs: of the fields that need one.
    key: the column that identifies a row, a number or a text.
    compute: (value) -> further columns of its row, such as folded keys to sort and search by.
    compute_from: the fields that those are computed from; empty for all.
    """

    def __init__(
        self,
        table: Table,
        struct: type[T],
        codecs: Mapping[str, ColumnCodec] | None = None,
        *,
        key: str = "id",
        compute: Callable[[T], Mapping[str, Any]] | None = None,
        compute_from: Iterable[str] = (),
    ) -> None:
        self.table, self.struct, self._key = table, struct, key
        self.names: tuple[str, ...] = struct.__struct_fields__
        self.columns = tuple(table.c[name] for name in self.names)
        self._codecs = dict(codecs or {})
        self._decoders = [(self.names.index(name), codec.decode) for name, codec in self._codecs.items()]
        self._compute, self._compute_from = compute, frozenset(compute_from) or frozenset(self.names)
        self._by_id = Statement(select(*self.columns).where(table.c[key] == bindparam("id")))
        self._by_ids = Statement(select(*self.columns).where(InList(table.c[key], "ids")))
        self._insert: Statement | None = None
        self._updates = StatementCache(most=128)
        self._delete = Statement(delete(table).where(InList(table.c[key], "ids")))

    def of_row(self, row: Row) -> T:
        """Return the value of a row, which has `columns`."""
        members = list(row)
        for at, decode in self._decoders:
            if members[at] is not None:
                members[at] = decode(members[at])
        return self.struct(*members)

    def of_rows(self, rows: Iterable[Row]) -> list[T]:
        """Return the values of rows."""
        return [self.of_row(row) for row in rows]

    def find(self, tx: Transaction, id: int | str) -> T | None:
        """Return the value with an id, None where there is none."""
        row = None if isinstance(id, int) and id <= 0 else tx.first(self._by_id, id=id)
        return None if row is None else self.of_row(row)

    def load_by_ids(self, tx: Transaction, ids: Iterable[int]) -> dict[int, T]:
        """Return the values with some ids by id, in one query; unknown ids are left out."""
        found = tx.all(self._by_ids, ids=encode_list(ids))
        at = self.names.index(self._key)
        return {row[at]: self.of_row(row) for row in found}

    def expect_by_ids(self, tx: Transaction, ids: Iterable[int]) -> None:
        """Have what `load_by_ids` reads read with what is asked of the database next."""
        tx.expect(self._by_ids, ids=encode_list(ids))

    def insert(self, tx: Transaction, *values: T) -> None:
        """Insert values as new rows."""
        rows = [self._encode(msgspec.structs.asdict(one)) | self._compute_columns(one) for one in values]
        if not rows:
            return
        if self._insert is None:
            self._insert = Statement(insert(self.table).values({name: bindparam(name) for name in rows[0]}))
        if len(rows) == 1:
            tx.run(self._insert, **rows[0])
        else:
            tx.run_each(self._insert, rows)

    def list_changed(self, old: T, new: T) -> Sequence[str]:
        """Return the names of the fields that differ between two states of a value."""
        return [name for name in self.names if getattr(new, name) != getattr(old, name)]

    def update(self, tx: Transaction, old: T, new: T) -> bool:
        """Write what differs between two states of a row, and return whether anything did."""
        changed = self.list_changed(old, new)
        if not changed:
            return False
        values = self._encode({name: getattr(new, name) for name in changed})
        if not self._compute_from.isdisjoint(changed):
            values |= self._compute_columns(new)
        table, names = self.table, tuple(values)
        statement = self._updates.get(
            names,
            lambda: (
                update(table)
                .where(table.c[self._key] == bindparam("of"))
                .values({name: bindparam(name) for name in names})
            ),
        )
        tx.run(statement, of=getattr(old, self._key), **values)
        return True

    def delete(self, tx: Transaction, *ids: int | str) -> None:
        """Delete rows."""
        if ids:
            tx.run(self._delete, ids=encode_list(ids))

    def _encode(self, members: dict[str, Any]) -> dict[str, Any]:
        for name, codec in self._codecs.items():
            if members.get(name) is not None:
                members[name] = codec.encode(members[name])
        return members

    def _compute_columns(self, value: T) -> dict[str, Any]:
        return {} if self._compute is None else dict(self._compute(value))

"""Roles as rows: those that were made or changed over the interface; each replaces what the profile says of its name.

Rules: docs/rules/roles.md, 2.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import msgspec
import orjson
from sqlalchemy import ColumnElement, func, literal_column, select

from vetrina.backends.database import Statement, Transaction
from vetrina.backends.statement_cache import ArrayAgg
from vetrina.backends.store import JSON_TUPLE, Store
from vetrina.backends.tables.roles import role as table
from vetrina.core.roles import Role
from vetrina.core.unit_of_work import UnitOfWork

ROLE_KIND: Final = "role"  # in the change log
NO_STORED_ROLES: Final = "[]"  # the value of the column STORED_ROLES where there is none


class StoredRole(msgspec.Struct, frozen=True):
    """A role as it is stored; the fields are the columns of its table. created, modified: seconds since 1970."""

    name: str
    label: str
    capabilities: tuple[str, ...]
    types: tuple[str, ...]
    languages: tuple[str, ...]
    created: int
    modified: int

    @property
    def role(self) -> Role:
        """Return what it says."""
        return Role(self.name, self.label, self.capabilities, self.types, self.languages)


STORE: Final = Store(
    table, StoredRole, {"capabilities": JSON_TUPLE, "types": JSON_TUPLE, "languages": JSON_TUPLE}, key="name"
)
_ALL = Statement(select(*STORE.columns).order_by(table.c.name))


def _build_stored_roles() -> ColumnElement[Any]:
    """Return the column that has all stored roles as one text, for `parse_stored_roles`.

    It stands in the statements that read accounts, so that what a role allows is as new as the account itself, in
    every process and transaction, for no statement of its own.
    """
    quote: ColumnElement[str] = literal_column("""'"'""")
    comma: ColumnElement[str] = literal_column("','")
    one = (
        literal_column("'['")
        .concat(quote + table.c.name + quote)
        .concat(comma + table.c.capabilities)
        .concat(comma + table.c.types)
        .concat(comma + table.c.languages)
        .concat(literal_column("']'"))
    )
    joined = func.coalesce(ArrayAgg(one, once=False), literal_column("'[]'"))
    return select(joined).select_from(table).scalar_subquery().label("stored_roles")


STORED_ROLES: Final = _build_stored_roles()


@lru_cache(maxsize=64)
def parse_stored_roles(text: str) -> dict[str, Role]:
    """Return the roles of a value of the column STORED_ROLES by name, without their labels."""
    rows = [orjson.loads(one) for one in orjson.loads(text)]
    return {
        name: Role(name, "", tuple(capabilities), tuple(types), tuple(languages))
        for name, capabilities, types, languages in rows
    }


def list_stored_roles(tx: Transaction) -> dict[str, StoredRole]:
    """Return the stored roles by name."""
    return {one.name: one for one in STORE.of_rows(tx.all(_ALL))}


def find_stored_role(tx: Transaction, name: str) -> StoredRole | None:
    """Return the stored role of a name, None where the profile's word counts."""
    return STORE.find(tx, name)


def save_role(work: UnitOfWork, role: Role, old: StoredRole | None) -> StoredRole:
    """Store a role. old: as it was stored before, None for not at all."""
    new = StoredRole(
        role.name, role.label, role.capabilities, role.types, role.languages,
        work.now if old is None else old.created, work.now,
    )  # fmt: skip
    if old is None:
        STORE.insert(work.tx, new)
        work.note(ROLE_KIND, new.name, "created")
    elif old.role != role:
        STORE.update(work.tx, old, new)
        work.note(ROLE_KIND, new.name, "changed")
    return new


def delete_role(work: UnitOfWork, old: StoredRole, *, is_reset: bool) -> None:
    """Delete a stored role. is_reset: whether the profile has a role of its name, which counts again."""
    STORE.delete(work.tx, old.name)
    work.note(ROLE_KIND, old.name, "changed" if is_reset else "removed")

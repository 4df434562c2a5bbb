"""Meta data: extra fields, names and values that clients store on products, orders, coupons and customers.

Each field has an id, and a name may occur more than once. Rules: docs/rules/products.md, 11 and docs/rules/orders.md,
4: a value without an id replaces the field of its name, null removes it; an id without a name changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
import orjson
from sqlalchemy import bindparam, delete, func, insert, select, update

from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import allocate_id, allocate_ids
from vetrina.backends.statement_cache import ContainsText, InList, encode_list
from vetrina.backends.tables.catalogue import shop_meta as table
from vetrina.core.unit_of_work import UnitOfWork


class MetaField(msgspec.Struct, frozen=True):
    """One extra field."""

    id: int
    key: str
    value: Any


_OF = Statement(
    select(table.c.owner, table.c.id, table.c.name, table.c.value)
    .where(table.c.kind == bindparam("kind"), InList(table.c.owner, "owners"))
    .order_by(table.c.owner, table.c.id)
)
_INSERT = Statement(insert(table).values({column.name: bindparam(column.name) for column in table.c}))
_UPDATE = Statement(
    update(table).where(table.c.id == bindparam("of")).values(name=bindparam("name"), value=bindparam("value"))
)
_DELETE = Statement(delete(table).where(InList(table.c.id, "ids")))
_REMOVE_OF = Statement(delete(table).where(table.c.kind == bindparam("kind"), InList(table.c.owner, "owners")))
_named = (
    select(table.c.name)
    .where(
        table.c.kind == bindparam("kind"),
        ~table.c.name.startswith("_", autoescape=True),
        ContainsText(func.lower(table.c.name), "search"),
    )
    .distinct()
)
_PAGES = {
    direction: Statement(_named.order_by(order).limit(bindparam("limit")).offset(bindparam("offset")))
    for direction, order in (("asc", table.c.name.asc()), ("desc", table.c.name.desc()))
}
_COUNT = Statement(select(func.count()).select_from(_named.subquery()))


def load_meta_by_owner(work: UnitOfWork, kind: str, owners: Iterable[int]) -> dict[int, list[MetaField]]:
    """Return the extra fields of several owners of a kind, by owner id, in one query; every owner has a list."""
    fields: dict[int, list[MetaField]] = {owner: [] for owner in owners}
    if fields:
        for owner, id, name, value in work.tx.all(_OF, kind=kind, owners=encode_list(fields)):
            fields[owner].append(MetaField(id, name, orjson.loads(value)))
    return fields


def expect_meta_by_owner(work: UnitOfWork, kind: str, owners: Iterable[int]) -> None:
    """Have what `load_meta_by_owner` reads read with what is asked of the database next."""
    work.tx.expect(_OF, kind=kind, owners=encode_list(dict.fromkeys(owners)))


def list_meta(work: UnitOfWork, kind: str, owner: int) -> list[MetaField]:
    """Return the extra fields of one owner."""
    return load_meta_by_owner(work, kind, (owner,))[owner]


def serialize_meta(fields: Sequence[MetaField], hide_private: bool = False) -> list[dict[str, Any]]:
    """Return extra fields as responses list them; hide_private: leave out names that begin with `_`."""
    return [
        {"id": one.id, "key": one.key, "value": one.value}
        for one in fields
        if not (hide_private and one.key.startswith("_"))
    ]


def update_meta(work: UnitOfWork, kind: str, owner: int, given: Any) -> None:
    """Write the extra fields that a client sent; anything but a list of objects with names is ignored."""
    if not isinstance(given, list) or not given:
        return
    held = {one.id: one for one in list_meta(work, kind, owner)}
    # Field ids by name, in order: searching the list for each name took seconds with ten thousand fields.
    called: dict[str, dict[int, None]] = {}
    for id, field in held.items():
        called.setdefault(field.key, {})[id] = None

    def keep(field: MetaField) -> None:
        held[field.id] = field
        # Sorted by id, as fields are read: a renamed field may be older than others of its new name.
        called[field.key] = dict.fromkeys(sorted({*called.get(field.key, ()), field.id}))

    def let_go(gone: Sequence[int]) -> None:
        for id in gone:
            del called[held.pop(id).key][id]

    for one in given:
        if not isinstance(one, dict) or not isinstance(one.get("key"), str) or not one["key"]:
            continue
        key, value, number = one["key"], one.get("value"), one.get("id")
        if number:
            same = [number] if isinstance(number, int) and number in held else []
        else:
            same = list(called.get(key, ()))
        if value is None:
            _delete_meta(work, same)
            let_go(same)
        elif same:
            first = same[0]
            _delete_meta(work, same[1:])
            let_go(same)
            keep(MetaField(first, key, value))
            work.tx.run(_UPDATE, of=first, name=key, value=orjson.dumps(value).decode())
        else:
            keep(insert_meta(work, kind, owner, key, value))


def _delete_meta(work: UnitOfWork, ids: Sequence[int]) -> None:
    if ids:
        work.tx.run(_DELETE, ids=encode_list(ids))


def insert_meta(work: UnitOfWork, kind: str, owner: int, key: str, value: Any) -> MetaField:
    """Insert an extra field."""
    id = allocate_id(work.tx, "shop_meta")
    work.tx.run(_INSERT, id=id, kind=kind, owner=owner, name=key, value=orjson.dumps(value).decode())
    return MetaField(id, key, value)


def insert_meta_for_owners(work: UnitOfWork, kind: str, key: str, values: Mapping[int, Any]) -> None:
    """Insert an extra field of one name for several owners; values: by owner id."""
    ids = allocate_ids(work.tx, len(values), "shop_meta")
    rows = [
        {"id": id, "kind": kind, "owner": owner, "name": key, "value": orjson.dumps(value).decode()}
        for id, (owner, value) in zip(ids, values.items(), strict=True)
    ]
    if rows:
        work.tx.run_each(_INSERT, rows)


def insert_fields(work: UnitOfWork, fields: Sequence[tuple[str, int, str, Any]]) -> None:
    """Insert extra fields of several owners, in their order; each: kind and id of the owner, name, value."""
    ids = allocate_ids(work.tx, len(fields), "shop_meta")
    rows = [
        {"id": id, "kind": kind, "owner": owner, "name": name, "value": orjson.dumps(value).decode()}
        for id, (kind, owner, name, value) in zip(ids, fields, strict=True)
    ]
    if rows:
        work.tx.run_each(_INSERT, rows)


def replace_fields(
    work: UnitOfWork, kind: str, fields: Mapping[int, Sequence[tuple[str, Any]]], *, private: bool
) -> bool:
    """Give owners exactly these extra fields, names with values by owner id, and return whether others had any.

    private: whether those whose name begins with `_` are replaced, too; without, they stay unless they are given.
    """
    gone: list[int] = []
    new: list[tuple[str, int, str, Any]] = []
    for owner, held in load_meta_by_owner(work, kind, fields).items():
        given = fields[owner]
        names = {name for name, _ in given}
        replaced = [one for one in held if private or not one.key.startswith("_") or one.key in names]
        if [(one.key, one.value) for one in replaced] != list(given):
            gone += [one.id for one in replaced]
            new += [(kind, owner, name, value) for name, value in given]
    _delete_meta(work, gone)
    insert_fields(work, new)
    return bool(gone or new)


def update_meta_for_owners(work: UnitOfWork, kind: str, key: str, values: Mapping[int, Any]) -> None:
    """Set an extra field of several owners; values: by owner id, None removes the field."""
    held = {
        owner: [one for one in found if one.key == key]
        for owner, found in load_meta_by_owner(work, kind, values).items()
    }
    insert_meta_for_owners(
        work, kind, key, {of: value for of, value in values.items() if value is not None and not held[of]}
    )
    gone = [one.id for of, value in values.items() for one in held[of][0 if value is None else 1 :]]
    if gone:
        work.tx.run(_DELETE, ids=encode_list(gone))
    for of, value in values.items():
        if value is not None and held[of]:
            work.tx.run(_UPDATE, of=held[of][0].id, name=key, value=orjson.dumps(value).decode())


def copy_meta(work: UnitOfWork, kind: str, owner: int, to: int) -> None:
    """Copy the extra fields of one owner to another."""
    for one in list_meta(work, kind, owner):
        insert_meta(work, kind, to, one.key, one.value)


def delete_meta_of_owners(work: UnitOfWork, kind: str, *owners: int) -> None:
    """Delete the extra fields of deleted owners."""
    work.tx.run(_REMOVE_OF, kind=kind, owners=encode_list(owners))


def list_meta_names(
    work: UnitOfWork, kind: str, search: str = "", *, descending: bool = False, limit: int = 10, offset: int = 0
) -> tuple[list[str], int]:
    """Return a page of the names in use, and how many there are; those that begin with `_` are private."""
    values = {"kind": kind, "search": search.lower()}
    page = work.tx.all(_PAGES["desc" if descending else "asc"], **values, limit=limit, offset=offset)
    return [row[0] for row in page], int(work.tx.value(_COUNT, **values))

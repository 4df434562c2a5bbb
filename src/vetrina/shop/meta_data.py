"""Extra fields of what the shop keeps: names and values that clients give to products, orders, coupons, customers.

Each has a number of its own, and a name may stand more than once. Not here: which of them an answer hides (namespaces).
Rules: facts, "Products" and "Orders": a value without a number replaces what has its name, null removes; a number
without a name changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
import orjson
from sqlalchemy import bindparam, delete, func, insert, select, update

from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import next_number, next_numbers
from vetrina.backends.statement_cache import Among, Contains, listed
from vetrina.backends.tables.catalogue import shop_meta as table
from vetrina.core.unit_of_work import Work

__all__ = [
    "Meta", "change", "copy", "names", "of_owner", "of_owners", "put", "put_each", "remove_of", "shown", "write_each",
]  # fmt: skip


class Meta(msgspec.Struct, frozen=True):
    """One extra field."""

    id: int
    key: str
    value: Any


_OF = Statement(
    select(table.c.owner, table.c.id, table.c.name, table.c.value)
    .where(table.c.kind == bindparam("kind"), Among(table.c.owner, "owners"))
    .order_by(table.c.owner, table.c.id)
)
_INSERT = Statement(insert(table).values({column.name: bindparam(column.name) for column in table.c}))
_UPDATE = Statement(
    update(table).where(table.c.id == bindparam("of")).values(name=bindparam("name"), value=bindparam("value"))
)
_DELETE = Statement(delete(table).where(Among(table.c.id, "ids")))
_REMOVE_OF = Statement(delete(table).where(table.c.kind == bindparam("kind"), Among(table.c.owner, "owners")))
_named = (
    select(table.c.name)
    .where(
        table.c.kind == bindparam("kind"),
        ~table.c.name.startswith("_", autoescape=True),
        Contains(func.lower(table.c.name), "search"),
    )
    .distinct()
)
_PAGES = {
    direction: Statement(_named.order_by(order).limit(bindparam("limit")).offset(bindparam("start")))
    for direction, order in (("asc", table.c.name.asc()), ("desc", table.c.name.desc()))
}
_COUNT = Statement(select(func.count()).select_from(_named.subquery()))


def of_owners(work: Work, kind: str, owners: Iterable[int]) -> dict[int, list[Meta]]:
    """Return the extra fields of several things of a kind, by their numbers; asks once, every one has a list."""
    found: dict[int, list[Meta]] = {owner: [] for owner in owners}
    if found:
        for owner, id, name, value in work.tx.all(_OF, kind=kind, owners=listed(found)):
            found[owner].append(Meta(id, name, orjson.loads(value)))
    return found


def of_owner(work: Work, kind: str, owner: int) -> list[Meta]:
    """Return the extra fields of one thing."""
    return of_owners(work, kind, (owner,))[owner]


def shown(fields: Sequence[Meta], hide_private: bool = False) -> list[dict[str, Any]]:
    """Return extra fields as answers list them; hide_private: leave out names that begin with `_`."""
    return [
        {"id": one.id, "key": one.key, "value": one.value}
        for one in fields
        if not (hide_private and one.key.startswith("_"))
    ]


def change(work: Work, kind: str, owner: int, given: Any) -> None:
    """Write the extra fields that a client gave; what is no list of objects with names is passed over."""
    if not isinstance(given, list) or not given:
        return
    held = {one.id: one for one in of_owner(work, kind, owner)}
    # The fields of each name in their order; looked for one by one, ten thousand took seconds.
    called: dict[str, dict[int, None]] = {}
    for id, field in held.items():
        called.setdefault(field.key, {})[id] = None

    def keep(field: Meta) -> None:
        held[field.id] = field
        # By their numbers, as fields are read; one that is renamed comes to others that may be newer.
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
            _drop(work, same)
            let_go(same)
        elif same:
            first = same[0]
            _drop(work, same[1:])
            let_go(same)
            keep(Meta(first, key, value))
            work.tx.run(_UPDATE, of=first, name=key, value=orjson.dumps(value).decode())
        else:
            keep(put(work, kind, owner, key, value))


def _drop(work: Work, ids: Sequence[int]) -> None:
    if ids:
        work.tx.run(_DELETE, ids=listed(ids))


def put(work: Work, kind: str, owner: int, key: str, value: Any) -> Meta:
    """Add an extra field."""
    id = next_number(work.tx, "shop_meta")
    work.tx.run(_INSERT, id=id, kind=kind, owner=owner, name=key, value=orjson.dumps(value).decode())
    return Meta(id, key, value)


def put_each(work: Work, kind: str, key: str, values: Mapping[int, Any]) -> None:
    """Add an extra field of one name to several things; values: by the numbers of the things."""
    ids = next_numbers(work.tx, len(values), "shop_meta")
    rows = [
        {"id": id, "kind": kind, "owner": owner, "name": key, "value": orjson.dumps(value).decode()}
        for id, (owner, value) in zip(ids, values.items(), strict=True)
    ]
    if rows:
        work.tx.run_each(_INSERT, rows)


def write_each(work: Work, kind: str, key: str, values: Mapping[int, Any]) -> None:
    """Let several things have an extra field with these values, by the numbers of the things; None takes it away."""
    held = {owner: [one for one in found if one.key == key] for owner, found in of_owners(work, kind, values).items()}
    put_each(work, kind, key, {of: value for of, value in values.items() if value is not None and not held[of]})
    gone = [one.id for of, value in values.items() for one in held[of][0 if value is None else 1 :]]
    if gone:
        work.tx.run(_DELETE, ids=listed(gone))
    for of, value in values.items():
        if value is not None and held[of]:
            work.tx.run(_UPDATE, of=held[of][0].id, name=key, value=orjson.dumps(value).decode())


def copy(work: Work, kind: str, owner: int, to: int) -> None:
    """Give one thing the extra fields of another one."""
    for one in of_owner(work, kind, owner):
        put(work, kind, to, one.key, one.value)


def remove_of(work: Work, kind: str, *owners: int) -> None:
    """Remove the extra fields of things that go."""
    work.tx.run(_REMOVE_OF, kind=kind, owners=listed(owners))


def names(
    work: Work, kind: str, search: str = "", *, descending: bool = False, limit: int = 10, start: int = 0
) -> tuple[list[str], int]:
    """Return a page of the names that are in use, and how many there are; those that begin with `_` are private."""
    asked = {"kind": kind, "search": search.lower()}
    page = work.tx.all(_PAGES["desc" if descending else "asc"], **asked, limit=limit, start=start)
    return [row[0] for row in page], int(work.tx.value(_COUNT, **asked))

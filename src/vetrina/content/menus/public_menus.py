"""Menus that visitors may read: those at the locations that the profile makes public, with the items that they may see.

An item is shown to visitors where it and what it points to are published, and so is every item above it. Not here:
the routes (content/menus/routes.py, item_routes.py). Rules: docs/rules/menus.md, 11.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import msgspec
from sqlalchemy import bindparam, select

from vetrina.backends.database import Statement
from vetrina.backends.tables.records import record as record_table
from vetrina.backends.tables.terms import record_term
from vetrina.content.menus import item_model, item_originals, rules as menus
from vetrina.content.menus.item_model import MenuItem
from vetrina.content.menus.item_originals import ResolvedMenuItem
from vetrina.content.records import model as record_model
from vetrina.content.records.visibility import INHERIT_STATUS, is_public, load_parents
from vetrina.core.unit_of_work import UnitOfWork

MAX_ITEMS = 1_000  # items of a menu that visitors are shown; further ones, last in its order, are left out
MAX_DEPTH = 11  # levels of a tree, as many as editors of menus make; items below are left out

_ITEMS_OF_MENU = Statement(
    select(record_table)
    .join(record_term, record_term.c.record == record_table.c.id)
    .where(record_term.c.term == bindparam("menu"))
    .order_by(record_table.c.menu_order, record_table.c.id)
    .limit(MAX_ITEMS)
)


class MenuTreeItem(msgspec.Struct, frozen=True):
    """An item of a menu with what it shows and the items below it."""

    item: MenuItem
    shown: ResolvedMenuItem
    children: tuple[MenuTreeItem, ...]


def list_public_locations(work: UnitOfWork) -> tuple[str, ...]:
    """Return the locations whose menus visitors may read, in the order of the profile."""
    public = work.site.profile.public_menu_locations
    return tuple(place for place in work.site.profile.menu_locations if place in public)


def list_public_menu_ids(work: UnitOfWork) -> frozenset[int]:
    """Return the ids of the menus at public locations, in the language of the work."""
    return frozenset(filter(None, (menus.find_menu_id(work, place) for place in list_public_locations(work))))


def list_public_items(
    work: UnitOfWork, menu: int, hidden: Collection[str] = ()
) -> list[tuple[MenuItem, ResolvedMenuItem]]:
    """Return the items of a menu that visitors see, in its order, each with what it shows.

    hidden: types and taxonomies that are closed to the caller.
    """
    records = [record_model.row_to_record(row) for row in work.tx.all(_ITEMS_OF_MENU, menu=menu)]
    items = item_model.load_menu_items(work, records)
    shown = item_originals.resolve_menu_items(work, list(items.values()))
    open_ids = _list_published_originals(work, items, hidden)
    own = {
        id: one
        for id, one in items.items()
        if one.record.status == "publish" and not shown[id].invalid and _is_open(one, open_ids, hidden)
    }
    ordered = [own[one.id] for one in records if one.id in own and _is_under_shown(own[one.id], items, own)]
    return [(one, shown[one.record.id]) for one in ordered]


def build_menu_tree(found: Sequence[tuple[MenuItem, ResolvedMenuItem]]) -> tuple[MenuTreeItem, ...]:
    """Return the items of a menu as a tree; one whose parent is not in the menu stands at the top."""
    known = {item.record.id for item, _ in found}
    below: dict[int, list[tuple[MenuItem, ResolvedMenuItem]]] = {}
    for item, shown in found:
        below.setdefault(item.parent if item.parent in known else 0, []).append((item, shown))

    def build(parent: int, depth: int) -> tuple[MenuTreeItem, ...]:
        if depth > MAX_DEPTH:
            return ()
        return tuple(
            MenuTreeItem(item, shown, build(item.record.id, depth + 1)) for item, shown in below.get(parent, ())
        )

    return build(0, 1)


def _list_published_originals(
    work: UnitOfWork, items: Mapping[int, MenuItem], hidden: Collection[str]
) -> frozenset[int]:
    """Return the ids of the records that items point to and that are published; a file is as public as its parent."""
    wanted = [one.object_id for one in items.values() if one.kind == "post_type"]
    originals = record_model.find_records(work.tx, wanted)
    parents = load_parents(work, [one for one in originals.values() if one.status == INHERIT_STATUS])
    return frozenset(id for id, one in originals.items() if one.type not in hidden and is_public(work, one, parents))


def _is_open(item: MenuItem, open_ids: frozenset[int], hidden: Collection[str]) -> bool:
    if item.kind == "post_type":
        return item.object_id in open_ids
    return item.kind == item_model.CUSTOM_KIND or item.object not in hidden


def _is_under_shown(item: MenuItem, all_items: Mapping[int, MenuItem], shown: Mapping[int, MenuItem]) -> bool:
    """Return whether every item above one is shown, and none of them stands below itself."""
    passed = {item.record.id}
    while item.parent in all_items:
        if item.parent in passed or item.parent not in shown:
            return False
        passed.add(item.parent)
        item = all_items[item.parent]
    return True

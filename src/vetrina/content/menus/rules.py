"""Rules of menus: terms that hold items, the locations where they are shown, and which of them take new pages.

Not here: items (content/menus/item_rules.py). Rules: docs/rules/menus.md, 1 and 3: a name is unique in a language, the
slug follows the name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import bindparam, select

from vetrina.backends.database import Statement
from vetrina.backends.tables.records import record
from vetrina.backends.tables.terms import record_term, term as table
from vetrina.content.menus import item_links
from vetrina.content.records import model as record_model
from vetrina.content.terms import rules as term_rules, store as term_store
from vetrina.content.terms.rules import TermExists
from vetrina.content.terms.store import Term
from vetrina.content.text import sanitizing
from vetrina.content.translations import record_translations
from vetrina.content.types.registry import MENU, MENU_ITEM
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError


class MenuExists(ApiError):
    """Another menu has the name; the response tells its id."""

    code = "menu_exists"
    message = "The name {name!r} is that of menu {id}. Send another name."

    def __init__(self, name: str, id: int) -> None:
        super().__init__(name=name, id=id, data={"term_id": id})
        self._id = id

    def body(self) -> dict[str, Any]:
        return {**super().body(), "additional_data": [self._id]}


_NAMESAKES = Statement(
    select(table.c.id, table.c.name).where(
        table.c.taxonomy == MENU.name,
        table.c.language == bindparam("language"),
        table.c.name_key == bindparam("name_key"),
    )
)
_ITEMS = Statement(select(record_term.c.record).where(record_term.c.term == bindparam("menu")))
_ITEM_VERSIONS = Statement(
    select(record.c.id, record.c.version)
    .join(record_term, record_term.c.record == record.c.id)
    .where(record_term.c.term == bindparam("menu"))
    .order_by(record.c.id)
)
_IN_LANGUAGE = Statement(
    select(table.c.id).where(
        table.c.taxonomy == MENU.name,
        table.c.translations == bindparam("translations"),
        table.c.language == bindparam("language"),
    )
)


def create_menu(work: UnitOfWork, name: str, description: str, language: str = "") -> Term:
    """Create a menu; language: that of the work by default. Raises EmptyTermName, MenuExists."""
    _check_name_free(work, name, language or work.language, 0)
    try:
        return term_rules.create_term(work, MENU, name, description=description, language=language)
    except TermExists as error:
        raise MenuExists(name, error.data["term_id"]) from None


def update_menu(work: UnitOfWork, menu: Term, name: str | None, description: str | None) -> Term:
    """Change what is not None and return the new state of the menu. Raises EmptyTermName, MenuExists."""
    if name is None and description is None:
        return menu
    if name is not None:
        _check_name_free(work, name, menu.language, menu.id)
    return term_rules.update_term(work, MENU, menu, name=name, slug="", description=description)


def move_items_to_language(work: UnitOfWork, menu: Term) -> None:
    """Move the items of a menu to its language, after the menu has moved."""
    for (number,) in work.tx.all(_ITEMS, menu=menu.id):
        item = record_model.find_record(work.tx, number)
        if item is not None and item.language != menu.language:
            if menu.language in record_translations.load_record_group(work, item):
                item = record_translations.leave_record_group(work, item)
            record_translations.set_record_language(work, item, menu.language)


def list_item_versions(work: UnitOfWork, menu: Term) -> list[tuple[int, int]]:
    """Return the items of a menu, each with the number of its last save."""
    work.uses(MENU_ITEM.name)
    return [(int(id), int(version)) for id, version in work.tx.all(_ITEM_VERSIONS, menu=menu.id)]


def delete_menu(work: UnitOfWork, menu: Term) -> None:
    """Delete a menu with its items, and free its locations."""
    for (item,) in work.tx.all(_ITEMS, menu=menu.id):
        item_links.delete_menu_item(work, item)
    set_menu_locations(work, menu, ())
    set_auto_add(work, menu, False)
    term_rules.delete_term(work, MENU, menu)


def _check_name_free(work: UnitOfWork, name: str, language: str, id: int) -> None:
    stored = sanitizing.sanitize_term_name(name)
    for other, taken in work.tx.all(_NAMESAKES, language=language, name_key=term_store.build_name_key(stored)):
        if other != id and taken.casefold() == stored.casefold():
            raise MenuExists(name, other)


# -- locations


def list_menu_locations(work: UnitOfWork, menu: Term) -> list[str]:
    """Return the locations where a menu is shown."""
    return [
        place
        for place, id in work.option("menu_locations").items()
        if id == menu.id and _is_known_location(work, place)
    ]


def set_menu_locations(work: UnitOfWork, menu: Term, places: Sequence[str]) -> None:
    """Show a menu at these locations, and at no others."""
    old: dict[str, int] = work.option("menu_locations")
    new = {place: id for place, id in old.items() if id != menu.id} | dict.fromkeys(places, menu.id)
    if new != old:
        work.set_option("menu_locations", new)


def find_menu_id(work: UnitOfWork, place: str) -> int:
    """Return the id of the menu at a location, in the language of the work where there is one; 0 for none."""
    id: int = work.option("menu_locations").get(place, 0)
    menu = term_store.find_term(work.tx, id) if id else None
    work.uses(MENU.name)
    if menu is None or menu.language == work.language:
        return id if menu else 0
    found = work.tx.value(_IN_LANGUAGE, translations=menu.translations, language=work.language)
    return id if found is None else int(found)


def _is_known_location(work: UnitOfWork, place: str) -> bool:
    return place in work.site.profile.menu_locations


# -- new pages


def has_auto_add(work: UnitOfWork, menu: Term) -> bool:
    """Return whether new pages are added to a menu automatically."""
    return menu.id in work.option("menu_auto_add")


def set_auto_add(work: UnitOfWork, menu: Term, wanted: bool) -> None:
    """Set whether new pages are added to a menu automatically."""
    old: list[int] = work.option("menu_auto_add")
    if wanted != (menu.id in old):
        work.set_option("menu_auto_add", [*old, menu.id] if wanted else [id for id in old if id != menu.id])

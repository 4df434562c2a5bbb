"""Menus: terms that hold items, the places where they are shown, and which of them take new pages.

Not here: items (content/menus/item_rules.py). Rules: facts, "Menus": a name is there once in a language, the
slug follows the name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import bindparam, select

from vetrina.backends.database import Statement
from vetrina.backends.tables.core import record_term
from vetrina.backends.tables.core import term as table
from vetrina.content.menus import item_links
from vetrina.content.records import model as record_model
from vetrina.content.terms import rules as term_rules
from vetrina.content.terms import store as term_store
from vetrina.content.terms.rules import TermExists
from vetrina.content.terms.store import Term
from vetrina.content.text import sanitizing
from vetrina.content.translations import record_translations
from vetrina.content.types.registry import MENU
from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import ApiError

__all__ = ["MenuExists", "adds_pages", "change", "create", "menu_at", "places_of", "put_at", "remove", "set_adds_pages",
           "take_items_along"]  # fmt: skip


class MenuExists(ApiError):
    """Another menu has the name; the answer tells its number."""

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
_IN_LANGUAGE = Statement(
    select(table.c.id).where(
        table.c.taxonomy == MENU.name,
        table.c.translations == bindparam("translations"),
        table.c.language == bindparam("language"),
    )
)


def create(work: Work, name: str, description: str, language: str = "") -> Term:
    """Make a menu; language: that of the work when left out. Raises EmptyTermName, MenuExists."""
    _refuse_namesake(work, name, language or work.language, 0)
    try:
        return term_rules.create(work, MENU, name, description=description, language=language)
    except TermExists as error:
        raise MenuExists(name, error.data["term_id"]) from None


def change(work: Work, menu: Term, name: str | None, description: str | None) -> Term:
    """Change what is not None and return the menu as it is then. Raises EmptyTermName, MenuExists."""
    if name is None and description is None:
        return menu
    if name is not None:
        _refuse_namesake(work, name, menu.language, menu.id)
    return term_rules.change(work, MENU, menu, name=name, slug="", description=description)


def take_items_along(work: Work, menu: Term) -> None:
    """Give the items of a menu its language, after it has moved to another one."""
    for (number,) in work.tx.all(_ITEMS, menu=menu.id):
        item = record_model.by_id(work.tx, number)
        if item is not None and item.language != menu.language:
            if menu.language in record_translations.members(work, item):
                item = record_translations.leave(work, item)
            record_translations.move(work, item, menu.language)


def remove(work: Work, menu: Term) -> None:
    """Remove a menu with its items, from its places too."""
    for (item,) in work.tx.all(_ITEMS, menu=menu.id):
        item_links.drop(work, item)
    put_at(work, menu, ())
    set_adds_pages(work, menu, False)
    term_rules.remove(work, MENU, menu)


def _refuse_namesake(work: Work, name: str, language: str, id: int) -> None:
    stored = sanitizing.term_name(name)
    for other, taken in work.tx.all(_NAMESAKES, language=language, name_key=term_store.name_key(stored)):
        if other != id and taken.casefold() == stored.casefold():
            raise MenuExists(name, other)


# -- places


def places_of(work: Work, menu: Term) -> list[str]:
    """Return the places where a menu is shown."""
    return [place for place, id in work.option("menu_locations").items() if id == menu.id and _is_place(work, place)]


def put_at(work: Work, menu: Term, places: Sequence[str]) -> None:
    """Show a menu at these places, and at no others."""
    old: dict[str, int] = work.option("menu_locations")
    new = {place: id for place, id in old.items() if id != menu.id} | dict.fromkeys(places, menu.id)
    if new != old:
        work.set_option("menu_locations", new)


def menu_at(work: Work, place: str) -> int:
    """Return the number of the menu at a place, in the language of the work where there is such a one; 0 for none."""
    id: int = work.option("menu_locations").get(place, 0)
    menu = term_store.by_id(work.tx, id) if id else None
    work.uses(MENU.name)
    if menu is None or menu.language == work.language:
        return id if menu else 0
    found = work.tx.value(_IN_LANGUAGE, translations=menu.translations, language=work.language)
    return id if found is None else int(found)


def _is_place(work: Work, place: str) -> bool:
    return place in work.frame.profile.menu_locations


# -- new pages


def adds_pages(work: Work, menu: Term) -> bool:
    """Say whether new pages join a menu by themselves."""
    return menu.id in work.option("menu_auto_add")


def set_adds_pages(work: Work, menu: Term, wanted: bool) -> None:
    """Let new pages join a menu by themselves, or not."""
    old: list[int] = work.option("menu_auto_add")
    if wanted != (menu.id in old):
        work.set_option("menu_auto_add", [*old, menu.id] if wanted else [id for id in old if id != menu.id])

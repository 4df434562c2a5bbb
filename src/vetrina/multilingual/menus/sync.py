"""Menus brought into every language: a menu of each language with the items of the original one, in its order.

An item points to the translation of what its original points to; where there is none it is left out, and what stands
beneath it moves up. Links of their own are copied, with the translated text of their label where there is one: each
label is a string of the domain `menus`. What a language's menu has beside is left alone. Not here: single items as
translation jobs (multilingual/translations/menu_item_texts.py). Rules: facts of the multilingual layer, 5.6.
"""

from __future__ import annotations

import html
from collections.abc import Sequence

import msgspec
from sqlalchemy import bindparam, select

from vetrina.backends.database import Statement
from vetrina.backends.tables.core import record_term
from vetrina.backends.tables.core import term as table
from vetrina.content.menus import item_model, item_rules
from vetrina.content.menus.item_model import CUSTOM, MenuItem
from vetrina.content.records import model as record_model
from vetrina.content.terms import store as term_store
from vetrina.content.terms import translations as term_translations
from vetrina.content.terms.store import Term
from vetrina.content.translations import record_translations
from vetrina.content.translations.modes import Mode, mode
from vetrina.content.types.registry import MENU
from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import ApiError
from vetrina.multilingual.jobs.impersonation import trusted
from vetrina.multilingual.strings import rules as strings
from vetrina.multilingual.translations import menu_item_texts

__all__ = ["DOMAIN", "MenuUnknown", "Synchronised", "synchronise"]

DOMAIN = "menus"  # of the strings that labels are

_MENUS = Statement(select(*term_store.COLUMNS).where(table.c.taxonomy == MENU.name).order_by(table.c.id))
_ITEMS = Statement(select(record_term.c.record).where(record_term.c.term == bindparam("menu")))


class MenuUnknown(ApiError):
    """No menu has the number, or it is itself a translation."""

    status, code = 404, "mlang_menu_not_found"
    message = "There is no menu with the number {id} that others are translated from."


class Synchronised(msgspec.Struct, frozen=True):
    """What became of one menu in one language: numbers of its items, and those of its original that it lacks."""

    menu: int
    translation: int
    language: str
    created: list[int]
    changed: list[int]
    left_out: list[int]


def synchronise(work: Work, menu: int = 0, languages: Sequence[str] = ()) -> list[Synchronised]:
    """Bring menus into languages and return what became of each.

    menu: an original's number, 0 for all. languages: into which, all others of the site when there are none.
    Raises MenuUnknown.
    """
    found = [one for row in work.tx.all(_MENUS) if not (one := term_store.from_row(row)).source_language]
    found = [one for one in found if menu in (0, one.id)]
    if menu and not found:
        raise MenuUnknown(id=menu)
    wanted = languages or work.frame.profile.languages
    return [_into(work, one, language) for one in found for language in wanted if language != one.language]


def _into(work: Work, menu: Term, language: str) -> Synchronised:
    done = Synchronised(menu.id, menu_item_texts.menu_in(work, menu, language), language, [], [], [])
    with trusted(work, work.user.id, language):
        places: dict[int, int] = {}  # of each item that is there, its own; of one that is left out, what is above it
        for item in _items(work, menu):
            above = places.get(item.parent, 0)
            number = _placed(work, item, above, language, done)
            places[item.record.id] = number or above
    return done


def _placed(work: Work, item: MenuItem, above: int, language: str, done: Synchronised) -> int:
    """Bring one item into a language and return its number there, 0 where it is left out."""
    source = item.record
    held = record_translations.members(work, source).get(language)
    if held is None:
        if not _points(work, item, language):
            done.left_out.append(source.id)
            return 0
        texts = {"title": _label(work, item, language), "excerpt": source.excerpt, "content": source.content}
        number = menu_item_texts.apply(work, source, None, texts, language)
        done.created.append(number)
        held = record_model.by_id(work.tx, number)
        assert held is not None, "the item was just made"
    now = item_model.of_records(work, [held])[held.id]
    if (now.parent, held.menu_order) != (above, source.menu_order):
        item_rules.change(work, now, {"parent": above, "menu_order": source.menu_order})
        if held.id not in done.created:
            done.changed.append(held.id)
    return held.id


def _points(work: Work, item: MenuItem, language: str) -> bool:
    """Say whether there is something in a language that an item can point to."""
    what = {"post_type": "post", "taxonomy": "tax"}.get(item.kind)
    if what is None or mode(work, f"{what}_{item.object}") is Mode.NOT_TRANSLATED:
        return True
    if what == "post":
        return item.object_id in record_translations.in_languages(work, (item.object_id,), language)
    return item.object_id in term_translations.in_languages(work, (item.object_id,), language)


def _label(work: Work, item: MenuItem, language: str) -> str:
    """Return what an item is called in a language; one that follows its original has no title of its own."""
    title = item.record.title
    if not title or item.kind != CUSTOM:
        return title
    name = f"Menu Item Label {item.record.id}"
    strings.register(work, DOMAIN, name, html.unescape(title), language=item.record.language)
    forms = strings.shown(work, DOMAIN, language).get(name)
    return forms[0] if forms else title


def _items(work: Work, menu: Term) -> list[MenuItem]:
    """Return the items of a menu, those above before those beneath them."""
    numbers = [row[0] for row in work.tx.all(_ITEMS, menu=menu.id)]
    found = item_model.of_records(work, list(record_model.by_ids(work.tx, numbers).values()))
    ordered = sorted(found.values(), key=lambda one: (one.record.menu_order, one.record.id))
    out: list[MenuItem] = []
    placed = {0}
    while ordered:
        ready = [one for one in ordered if one.parent in placed or one.parent not in found]
        # Items that stand beneath each other in a ring have nothing above them.
        ready = ready or ordered[:1]
        out += ready
        placed |= {one.record.id for one in ready}
        ordered = [one for one in ordered if one.record.id not in placed]
    return out

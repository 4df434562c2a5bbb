"""Menus synchronized across languages: each language gets a menu with the original's items, in the same order.

An item points to the translation of its original's target; without one it is left out, and its children move up. Custom
links are copied, with a translated label where there is one: each label is a string of the domain `menus`. Other items
of a language's menu are left alone. Rules: docs/rules/translated_content.md, 15 and 16.
"""

from __future__ import annotations

import html
from collections.abc import Sequence

import msgspec
from sqlalchemy import bindparam, select

from vetrina.backends.database import Statement
from vetrina.backends.tables.terms import record_term, term as table
from vetrina.content.menus import item_model, item_rules
from vetrina.content.menus.item_model import CUSTOM_KIND, MenuItem
from vetrina.content.records import model as record_model
from vetrina.content.terms import store as term_store, translations as term_translations
from vetrina.content.terms.store import Term
from vetrina.content.translations import record_translations
from vetrina.content.translations.modes import TranslationMode, get_translation_mode
from vetrina.content.types.registry import MENU
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure
from vetrina.multilingual.jobs.impersonation import impersonate_author
from vetrina.multilingual.strings import rules as strings, translations as string_translations
from vetrina.multilingual.translations import menu_item_texts

DOMAIN = "menus"  # domain of the strings of labels

_MENUS = Statement(select(*term_store.TERM_COLUMNS).where(table.c.taxonomy == MENU.name).order_by(table.c.id))
_ITEMS = Statement(select(record_term.c.record).where(record_term.c.term == bindparam("menu")))


class OriginalMenuNotFound(ApiError):
    """No menu has this id, or it is itself a translation."""

    failure, code = Failure.NOT_FOUND, "mlang_menu_not_found"
    message = "There is no menu with the number {id} that others are translated from."


class MenuSyncResult(msgspec.Struct, frozen=True):
    """The outcome for one menu in one language: ids of its items, and ids of original items that it lacks."""

    menu: int
    translation: int
    language: str
    created: list[int]
    changed: list[int]
    left_out: list[int]


def synchronize_menus(work: UnitOfWork, menu: int = 0, languages: Sequence[str] = ()) -> list[MenuSyncResult]:
    """Synchronize menus into languages, and return the outcome for each.

    menu: the id of an original, 0 for all. languages: the target languages; empty for all others of the site.
    Raises OriginalMenuNotFound.
    """
    found = [one for row in work.tx.all(_MENUS) if not (one := term_store.row_to_term(row)).source_language]
    found = [one for one in found if menu in (0, one.id)]
    if menu and not found:
        raise OriginalMenuNotFound(id=menu)
    wanted = languages or work.site.profile.languages
    return [_synchronize_menu(work, one, language) for one in found for language in wanted if language != one.language]


def _synchronize_menu(work: UnitOfWork, menu: Term, language: str) -> MenuSyncResult:
    done = MenuSyncResult(menu.id, menu_item_texts.ensure_menu_translation(work, menu, language), language, [], [], [])
    with impersonate_author(work, work.user.id, language):
        places: dict[int, int] = {}  # original item → its item in the language, or its parent's
        for item in _list_items(work, menu):
            above = places.get(item.parent, 0)
            number = _synchronize_item(work, item, above, language, done)
            places[item.record.id] = number or above
    return done


def _synchronize_item(work: UnitOfWork, item: MenuItem, parent: int, language: str, done: MenuSyncResult) -> int:
    """Create or update one item in a language, and return its id there, 0 where it is left out."""
    source = item.record
    held = record_translations.load_record_group(work, source).get(language)
    if held is None:
        if not _has_target(work, item, language):
            done.left_out.append(source.id)
            return 0
        texts = {"title": _translate_label(work, item, language), "excerpt": source.excerpt, "content": source.content}
        number = menu_item_texts.apply_item_translation(work, source, None, texts, language)
        done.created.append(number)
        held = record_model.find_record(work.tx, number)
        assert held is not None, "the item was just made"
    now = item_model.load_menu_items(work, [held])[held.id]
    if (now.parent, held.menu_order) != (parent, source.menu_order):
        item_rules.update_menu_item(work, now, {"parent": parent, "menu_order": source.menu_order})
        if held.id not in done.created:
            done.changed.append(held.id)
    return held.id


def _has_target(work: UnitOfWork, item: MenuItem, language: str) -> bool:
    """Say whether an item has something to point to in a language."""
    what = {"post_type": "post", "taxonomy": "tax"}.get(item.kind)
    if what is None or get_translation_mode(work, f"{what}_{item.object}") is TranslationMode.NOT_TRANSLATED:
        return True
    if what == "post":
        return item.object_id in record_translations.translate_record_ids(work, (item.object_id,), language)
    return item.object_id in term_translations.translate_term_ids(work, (item.object_id,), language)


def _translate_label(work: UnitOfWork, item: MenuItem, language: str) -> str:
    """Return the label of an item in a language; an item labelled by its target has no title of its own."""
    title = item.record.title
    if not title or item.kind != CUSTOM_KIND:
        return title
    name = f"Menu Item Label {item.record.id}"
    strings.register_string(work, DOMAIN, name, html.unescape(title), language=item.record.language)
    forms = string_translations.load_shown_forms(work, DOMAIN, language).get(name)
    return forms[0] if forms else title


def _list_items(work: UnitOfWork, menu: Term) -> list[MenuItem]:
    """Return the items of a menu, parents before children."""
    numbers = [row[0] for row in work.tx.all(_ITEMS, menu=menu.id)]
    found = item_model.load_menu_items(work, list(record_model.find_records(work.tx, numbers).values()))
    ordered = sorted(found.values(), key=lambda one: (one.record.menu_order, one.record.id))
    out: list[MenuItem] = []
    placed = {0}
    while ordered:
        ready = [one for one in ordered if one.parent in placed or one.parent not in found]
        # Items whose parents form a cycle have no root.
        ready = ready or ordered[:1]
        out += ready
        placed |= {one.record.id for one in ready}
        ordered = [one for one in ordered if one.record.id not in placed]
    return out

"""Items of menus as translations: in the menu of their language, beneath the item of their language, and pointing to
what their original points to in that language.

A menu that has no translation yet gets one of the same name. Rules: facts of the multilingual layer, 5.6.
"""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Any

from vetrina.content.menus import item_model, item_originals, item_rules
from vetrina.content.menus import rules as menus
from vetrina.content.menus.item_model import CUSTOM
from vetrina.content.records.model import Record
from vetrina.content.terms import store as term_store
from vetrina.content.terms import translations as term_translations
from vetrina.content.terms.store import Term
from vetrina.content.translations import record_translations
from vetrina.content.types.registry import MENU
from vetrina.core.unit_of_work import Work
from vetrina.multilingual.translations.links import translated_address

__all__ = ["apply", "menu_in", "title"]


def title(work: Work, of: Record) -> str:
    """Return what an item shows, which is its original's title where it has none of its own."""
    item = item_model.of_records(work, [of]).get(of.id)
    return html.unescape(item_originals.shown(work, [item])[of.id].title) if item is not None else ""


def apply(work: Work, source: Record, held: Record | None, texts: Mapping[str, Any], language: str) -> int:
    """Write the translation of an item and return its number; the work writes in the language already."""
    item = item_model.of_records(work, [source])[source.id]
    # An item that follows its original has no title of its own in any language.
    own = texts.get("title", "") if source.title else ""
    given: dict[str, Any] = {"title": own}
    for name, member in (("excerpt", "attr_title"), ("content", "description")):
        if name in texts:
            given[member] = texts[name]
    if held is not None:
        before = item_model.of_records(work, [held])[held.id]
        return item_rules.change(work, before, given).record.id
    given |= {
        "type": item.kind,
        "status": source.status,
        "menu_order": source.menu_order,
        "parent": _in_language(work, item.parent, language),
        "menus": _menu(work, source, language),
        "target": item.target,
        "classes": item.classes,
        "xfn": item.xfn,
    }
    if item.kind == CUSTOM:
        given["url"] = translated_address(work, item.url, language) or item.url
    else:
        given |= {"object": item.object, "object_id": _object(work, item.kind, item.object_id, language)}
    made = item_rules.create(work, given).record
    return record_translations.join(work, made, source.translations, source.language).id


def _in_language(work: Work, id: int, language: str) -> int:
    return record_translations.in_languages(work, (id,), language).get(id, 0) if id else 0


def _object(work: Work, kind: str, id: int, language: str) -> int:
    """Return what an item points to in a language; the same thing where there is none in it."""
    if kind == "post_type":
        return record_translations.in_language(work, id, language)
    return term_translations.in_language(work, id, language) if kind == "taxonomy" else id


def _menu(work: Work, source: Record, language: str) -> int:
    """Return the menu of a language that stands for the source's; 0 for no menu."""
    of = next(
        (term for term in term_store.of_records(work.tx, [source.id])[source.id] if term.taxonomy == MENU.name), None
    )
    return menu_in(work, of, language) if of is not None else 0


def menu_in(work: Work, of: Term, language: str) -> int:
    """Return the translation of a menu, made where there is none."""
    held = term_translations.members(work, of).get(language)
    if held is not None:
        return held.id
    made = menus.create(work, html.unescape(of.name), of.description, language)
    return term_translations.join(work, made, of.translations, of.language).id

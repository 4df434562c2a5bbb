"""Translations of menu items: in the menu of their language, under the parent of their language.

They point to the translation of their original's target. A menu without a translation gets one of the same name.
Rules: docs/rules/translated_content.md, 15.
"""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Any

from vetrina.content.menus import item_model, item_originals, item_rules, rules as menus
from vetrina.content.menus.item_model import CUSTOM_KIND
from vetrina.content.records.model import Record
from vetrina.content.terms import store as term_store, translations as term_translations
from vetrina.content.terms.store import Term
from vetrina.content.translations import record_translations
from vetrina.content.types.registry import MENU
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.multilingual.translations.link_replacement import find_translated_address


def get_item_title(work: UnitOfWork, record: Record) -> str:
    """Return the label of an item: its own title, else that of its target."""
    item = item_model.load_menu_items(work, [record]).get(record.id)
    return html.unescape(item_originals.resolve_menu_items(work, [item])[record.id].title) if item is not None else ""


def apply_item_translation(
    work: UnitOfWork, source: Record, existing: Record | None, texts: Mapping[str, Any], language: str
) -> int:
    """Write the translation of an item, and return its id; the work writes in the language already."""
    item = item_model.load_menu_items(work, [source])[source.id]
    # An item labelled by its target has no title of its own in any language.
    own = texts.get("title", "") if source.title else ""
    members: dict[str, Any] = {"title": own}
    for name, member in (("excerpt", "attr_title"), ("content", "description")):
        if name in texts:
            members[member] = texts[name]
    if existing is not None:
        before = item_model.load_menu_items(work, [existing])[existing.id]
        return item_rules.update_menu_item(work, before, members).record.id
    members |= {
        "type": item.kind,
        "status": source.status,
        "menu_order": source.menu_order,
        "parent": _find_translated_item(work, item.parent, language),
        "menus": _ensure_menu_of_item(work, source, language),
        "target": item.target,
        "classes": item.classes,
        "xfn": item.xfn,
    }
    if item.kind == CUSTOM_KIND:
        members["url"] = find_translated_address(work, item.url, language) or item.url
    else:
        members |= {
            "object": item.object,
            "object_id": _find_translated_object(work, item.kind, item.object_id, language),
        }
    made = item_rules.create_menu_item(work, members).record
    return record_translations.join_record_group(work, made, source.translations, source.language).id


def _find_translated_item(work: UnitOfWork, id: int, language: str) -> int:
    return record_translations.translate_record_ids(work, (id,), language).get(id, 0) if id else 0


def _find_translated_object(work: UnitOfWork, kind: str, id: int, language: str) -> int:
    """Return the id of an item's target in a language, or of the same target where it has no translation."""
    if kind == "post_type":
        return record_translations.translate_record_id(work, id, language)
    return term_translations.translate_term_id(work, id, language) if kind == "taxonomy" else id


def _ensure_menu_of_item(work: UnitOfWork, source: Record, language: str) -> int:
    """Return the menu of a language that corresponds to the source's; 0 for no menu."""
    of = next(
        (
            term
            for term in term_store.list_terms_by_record(work.tx, [source.id])[source.id]
            if term.taxonomy == MENU.name
        ),
        None,
    )
    return ensure_menu_translation(work, of, language) if of is not None else 0


def ensure_menu_translation(work: UnitOfWork, menu: Term, language: str) -> int:
    """Return the translation of a menu, created where there is none."""
    held = term_translations.load_term_group(work, menu).get(language)
    if held is not None:
        return held.id
    made = menus.create_menu(work, html.unescape(menu.name), menu.description, language)
    return term_translations.join_term_group(work, made, menu.translations, menu.language).id

"""Writes the values of own fields that all translations share to each of them, in the transaction that wrote one.

What joins a group takes the values of its original (record_translations.py, content/terms/translations.py). Rules:
docs/rules/custom_fields.md, 7.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from vetrina.content.custom_fields.model import list_shared_names
from vetrina.content.records import model as record_model
from vetrina.content.records.model import Record
from vetrina.content.terms import store as term_store, translations as term_translations
from vetrina.content.terms.store import Term
from vetrina.content.translations import record_translations
from vetrina.core.unit_of_work import UnitOfWork


def select_shared_values(work: UnitOfWork, owner: str, meta: Mapping[str, Any], named: Iterable[str]) -> dict[str, Any]:
    """Return the shared values that a write named, None for those that it emptied.

    owner: the type or taxonomy. meta: the stored fields after the write. named: the fields that it named.
    """
    shared = list_shared_names(work.site, owner)
    return {name: meta.get(name) for name in named if name in shared}


def spread_record_values(work: UnitOfWork, of: Record, values: Mapping[str, Any]) -> Record:
    """Write shared values to a record and its translations, and return the record."""
    if not values:
        return of
    new = of
    for one in record_translations.load_record_group(work, of).values():
        if (meta := _merge_values(one.meta, values)) != one.meta:
            changed = msgspec.structs.replace(one, meta=meta)
            record_model.update_record_row(work, one, changed)
            work.note(one.type, one.id, "changed")
            if one.id == of.id:
                new = msgspec.structs.replace(of, meta=meta, version=one.version + 1)
    work.lookups.clear()
    return new


def spread_term_values(work: UnitOfWork, of: Term, values: Mapping[str, Any]) -> Term:
    """Write shared values to a term and its translations, and return the term."""
    if not values:
        return of
    new = of
    for one in term_translations.load_term_group(work, of).values():
        if (meta := _merge_values(one.meta, values)) != one.meta:
            changed = msgspec.structs.replace(one, meta=meta)
            term_store.STORE.update(work.tx, one, changed)
            work.note(one.taxonomy, one.id, "changed")
            if one.id == of.id:
                new = changed
    return new


def _merge_values(meta: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    merged = {**meta, **values}
    return {name: value for name, value in merged.items() if name not in values or value is not None}

"""Strings: texts of the site that are not records, and those that catalog files ship.

A string is identified by domain, name and context. Not here: its translations (multilingual/strings/translations.py),
files (multilingual/strings/catalogs.py, multilingual/strings/catalog_files.py), which texts of the site become strings
(multilingual/strings/site_texts.py). Rules: docs/rules/strings.md, 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Any, Final

import msgspec
import orjson
from sqlalchemy import bindparam, case, insert, null, select

from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import ContainsText, build_upsert
from vetrina.backends.store import Store
from vetrina.backends.tables.strings import mlang_string, mlang_string_translation
from vetrina.core.listing import ListFilters, Listing
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure
from vetrina.multilingual.strings.model import SiteString, encode_forms, note_change
from vetrina.multilingual.strings.states import (
    COMPLETE,
    NOT_TRANSLATED,
    bind_states,
    build_state_condition,
)
from vetrina.multilingual.strings.translations import mark_translations_outdated

_LONGEST_NAME: Final = 160  # characters; a longer text is named by its digest


class SiteStringNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "mlang_string_not_found"
    message = "There is no string {id}. GET /mlang/st/v1/strings lists them."


class CatalogEntry(msgspec.Struct, frozen=True):
    """A text of a catalog file with its forms in the file's language."""

    value: str
    forms: tuple[str, ...]
    plural: str = ""
    context: str = ""


class StringQuery(msgspec.Struct, frozen=True, kw_only=True):
    """Query of a list of strings, ordered by id. domain, name: exact. search: part of the text. states: any of."""

    domain: str = ""
    name: str = ""
    search: str = ""
    states: tuple[int, ...] = ()
    limit: int = 10
    offset: int = 0
    include: tuple[int, ...] = ()
    orderby: str = "id"
    descending: bool = False


_STORE: Final = Store(mlang_string, SiteString)
_LISTING: Final = Listing(_STORE, {})
_BY_KEY = Statement(select(*_STORE.columns).where(mlang_string.c.key == bindparam("key")))
_NEW_VALUES: dict[str, Any] = {
    name: bindparam(name)
    for name in ("key", "domain", "name", "context", "language", "value", "plural", "kind", "words")
}
_INSERT = Statement(insert(mlang_string).values(_NEW_VALUES).returning(mlang_string.c.id))
# Existing rows stay as they are; only their key is overwritten with itself.
_INSERT_MISSING = Statement(build_upsert(mlang_string, ("key",), _NEW_VALUES, {"key": bindparam("key")}))
_SHIP = Statement(
    build_upsert(
        mlang_string_translation,
        ("string", "language"),
        {
            "string": select(mlang_string.c.id).where(mlang_string.c.key == bindparam("key")).scalar_subquery(),
            "language": bindparam("code"), "status": COMPLETE, "value": null(), "shipped": bindparam("forms"),
            "changed": bindparam("now"), "fresh": False, "before": 0,
        },
        {
            "status": case(
                (mlang_string_translation.c.status == NOT_TRANSLATED, COMPLETE), else_=mlang_string_translation.c.status
            ),
            "shipped": bindparam("forms"),
            "changed": bindparam("now"),
        },
    )
)  # fmt: skip


def build_string_name(value: str) -> str:
    """Return the name of a text from a file: the text itself, or its digest where it is long."""
    return value if len(value) <= _LONGEST_NAME else blake2b(value.encode(errors="replace"), digest_size=16).hexdigest()


def register_string(
    work: UnitOfWork, domain: str, name: str, value: str, *, context: str = "", plural: str = "", kind: str = "LINE",
    language: str = "",
) -> int:  # fmt: skip
    """Insert a string or update its text, and return its id.

    language: of the text, the site's default when empty. A new text marks every translation as needing an update.
    """
    row = work.tx.first(_BY_KEY, key=compute_string_key(domain, name, context))
    if row is None:
        members = _build_string_members(
            domain, name, context, language or work.site.profile.default_language, value, plural, kind
        )
        id = int(work.tx.value(_INSERT, **members))
        note_change(work, id, "created")
        return id
    known = _STORE.of_row(row)
    if (known.value, known.plural, known.kind) != (value, plural, kind):
        changed = msgspec.structs.replace(known, value=value, plural=plural, kind=kind, words=_count_words(value))
        _STORE.update(work.tx, known, changed)
        if (known.value, known.plural) != (value, plural):
            mark_translations_outdated(work, known.id)
        note_change(work, known.id, "changed")
    return known.id


def save_catalog_entries(
    work: UnitOfWork, domain: str, language: str, entries: Sequence[CatalogEntry], source: str = "en"
) -> None:
    """Store the entries of a file: new strings for unknown texts, and the file's value of each."""
    if not entries:
        return
    keyed = [(one, build_string_name(one.value)) for one in entries]
    new = [
        _build_string_members(domain, name, one.context, source, one.value, one.plural, "LINE") for one, name in keyed
    ]
    work.tx.run_each(_INSERT_MISSING, new)
    shipped = {"code": language, "now": work.now}
    rows = [
        {**shipped, "key": compute_string_key(domain, name, one.context), "forms": encode_forms(one.forms)}
        for one, name in keyed
    ]
    work.tx.run_each(_SHIP, rows)
    note_change(work, domain, "changed")


def get_string(work: UnitOfWork, id: int) -> SiteString:
    """Return a string. Raises SiteStringNotFound."""
    work.uses("string")
    found = _STORE.find(work.tx, id)
    if found is None:
        raise SiteStringNotFound(id=id)
    return found


def list_strings_by_ids(work: UnitOfWork, ids: Iterable[int]) -> list[SiteString]:
    """Return those of some strings that exist, ordered by id."""
    work.uses("string")
    return [one for _, one in sorted(_STORE.load_by_ids(work.tx, ids).items())]


def list_strings(work: UnitOfWork, query: StringQuery) -> tuple[list[SiteString], int]:
    """Return a page of strings, and how many there are."""
    work.uses("string")
    return _LISTING.list_page(work, _build_filters(work, query), query)


def _build_filters(work: UnitOfWork, query: StringQuery) -> ListFilters:
    out: ListFilters = {}
    if query.domain:
        out["domain"] = (lambda: mlang_string.c.domain == bindparam("domain")), {"domain": query.domain}
    if query.name:
        out["name"] = (lambda: mlang_string.c.name == bindparam("name")), {"name": query.name}
    if query.search:
        out["search"] = (lambda: ContainsText(mlang_string.c.value, "search")), {"search": query.search}
    if query.states:
        out["states"] = build_state_condition, bind_states(query.states, work.site.profile.languages)
    return out


def compute_string_key(domain: str, name: str, context: str) -> str:
    """Return the key of a string: a digest, because an index cannot hold texts of any length."""
    whole = orjson.dumps([domain, name, context])
    return blake2b(whole, digest_size=20).hexdigest()


def _build_string_members(
    domain: str, name: str, context: str, language: str, value: str, plural: str, kind: str
) -> dict[str, Any]:
    return {
        "key": compute_string_key(domain, name, context), "domain": domain, "name": name, "context": context,
        "language": language, "value": value, "plural": plural, "kind": kind, "words": _count_words(value),
    }  # fmt: skip


def _count_words(value: str) -> int:
    return len(value.split())

"""Strings: texts of the site that are not records, and those that catalog files ship.

A string is identified by domain, name and context. Not here: its translations (multilingual/strings/translations.py),
files (multilingual/strings/catalogs.py, multilingual/strings/catalog_files.py), which texts of the site become strings
(multilingual/strings/site_texts.py). Rules: docs/rules/strings.md, 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import Any, Final

import msgspec
import orjson
from sqlalchemy import bindparam, case, func, insert, null, select, update

from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import ContainsText, InList, StatementCache, build_upsert, encode_list
from vetrina.backends.tables.strings import mlang_string, mlang_string_translation
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure

__all__ = [
    "COMPLETE",
    "KINDS",
    "NEEDS_UPDATE",
    "NOT_TRANSLATED",
    "PARTLY",
    "SHOWN_FORMS",
    "WAITING",
    "CatalogEntry",
    "SiteString",
    "SiteStringNotFound",
    "build_string_name",
    "compute_string_key",
    "encode_forms",
    "get_string",
    "list_strings",
    "list_strings_by_ids",
    "note_change",
    "register_string",
    "save_catalog_entries",
]  # fmt: skip

NOT_TRANSLATED, WAITING, PARTLY, NEEDS_UPDATE, COMPLETE = 0, 1, 2, 3, 10
KINDS: Final = ("LINE", "AREA", "VISUAL", "LINK")
SHOWN_FORMS: Final = "strings"  # lookup of a unit of work: the forms in use by domain and language
_LONGEST_NAME: Final = 160  # characters; a longer text is named by its digest


class SiteStringNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "mlang_string_not_found"
    message = "There is no string {id}. GET /mlang/st/v1/strings lists them."


class SiteString(msgspec.Struct, frozen=True):
    """A string. plural: the plural form of its source, empty for none. context: distinguishes equal texts of a file."""

    id: int
    domain: str
    name: str
    context: str
    language: str
    value: str
    plural: str
    kind: str
    words: int


class CatalogEntry(msgspec.Struct, frozen=True):
    """A text of a catalog file with its forms in the file's language."""

    value: str
    forms: tuple[str, ...]
    plural: str = ""
    context: str = ""


_COLUMNS = (
    mlang_string.c.id,
    mlang_string.c.domain,
    mlang_string.c.name,
    mlang_string.c.context,
    mlang_string.c.language,
    mlang_string.c.value,
    mlang_string.c.plural,
    mlang_string.c.kind,
    mlang_string.c.words,
)
_BY_KEY = Statement(select(*_COLUMNS).where(mlang_string.c.key == bindparam("key")))
_BY_IDS = Statement(select(*_COLUMNS).where(InList(mlang_string.c.id, "ids")).order_by(mlang_string.c.id))
_NEW_VALUES: dict[str, Any] = {
    name: bindparam(name)
    for name in ("key", "domain", "name", "context", "language", "value", "plural", "kind", "words")
}
_INSERT = Statement(insert(mlang_string).values(_NEW_VALUES).returning(mlang_string.c.id))
# Existing rows stay as they are; only their key is overwritten with itself.
_INSERT_MISSING = Statement(build_upsert(mlang_string, ("key",), _NEW_VALUES, {"key": bindparam("key")}))
_CHANGE = Statement(
    update(mlang_string)
    .where(mlang_string.c.id == bindparam("at"))
    .values(value=bindparam("to"), plural=bindparam("other"), kind=bindparam("sort"), words=bindparam("count"))
)
_OUTDATE = Statement(
    update(mlang_string_translation)
    .where(mlang_string_translation.c.string == bindparam("at"), mlang_string_translation.c.status != NOT_TRANSLATED)
    .values(status=NEEDS_UPDATE, fresh=True)
)
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
_LISTS = StatementCache(64)


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
            domain, name, context, language or work.frame.profile.default_language, value, plural, kind
        )
        id = int(work.tx.value(_INSERT, **members))
        note_change(work, id, "created")
        return id
    known = SiteString(*row)
    if (known.value, known.plural, known.kind) != (value, plural, kind):
        work.tx.run(_CHANGE, at=known.id, to=value, other=plural, sort=kind, count=_count_words(value))
        if (known.value, known.plural) != (value, plural):
            work.tx.run(_OUTDATE, at=known.id)
        note_change(work, known.id, "changed")
    return known.id


def save_catalog_entries(
    work: UnitOfWork, domain: str, language: str, entries: Sequence[CatalogEntry], source: str = "en"
) -> None:
    """Store the entries of a file: new strings for unknown texts, and the file's value of each."""
    if not entries:
        return
    keyed = [(one, build_string_name(one.value)) for one in entries]
    work.tx.run_each(
        _INSERT_MISSING,
        [
            _build_string_members(domain, name, one.context, source, one.value, one.plural, "LINE")
            for one, name in keyed
        ],
    )
    work.tx.run_each(
        _SHIP,
        [
            {
                "key": compute_string_key(domain, name, one.context),
                "code": language,
                "forms": encode_forms(one.forms),
                "now": work.now,
            }
            for one, name in keyed
        ],
    )
    note_change(work, domain, "changed")


def get_string(work: UnitOfWork, id: int) -> SiteString:
    """Return a string. Raises SiteStringNotFound."""
    texts = list_strings_by_ids(work, (id,))
    if not texts:
        raise SiteStringNotFound(id=id)
    return texts[0]


def list_strings_by_ids(work: UnitOfWork, ids: Iterable[int]) -> list[SiteString]:
    """Return those of some strings that exist, ordered by id."""
    work.uses("string")
    return [SiteString(*row) for row in work.tx.all(_BY_IDS, ids=encode_list(ids))]


def list_strings(work: UnitOfWork, filters: Mapping[str, Any], limit: int, offset: int) -> tuple[list[SiteString], int]:
    """Return a page of strings ordered by id, and their total number.

    filters: domain, name, context: exact; search: a substring of the text, taken literally.
    """
    work.uses("string")
    bound = {name: value for name, value in filters.items() if value not in (None, "")}
    names = tuple(sorted(bound))
    page = _LISTS.get(names, lambda: _filter_query(select(*_COLUMNS), names).order_by(mlang_string.c.id).limit(
        bindparam("most")).offset(bindparam("skip")))  # fmt: skip
    count = _LISTS.get((*names, "count"), lambda: _filter_query(select(func.count()).select_from(mlang_string), names))
    rows = work.tx.all(page, **bound, most=limit, skip=offset)
    return [SiteString(*row) for row in rows], int(work.tx.value(count, **bound))


def note_change(work: UnitOfWork, item: object, action: str) -> None:
    """Note that strings or translations changed, and forget the forms in use."""
    work.lookups.pop(SHOWN_FORMS, None)
    work.note("string", item, action)


def _filter_query(query: Any, names: Sequence[str]) -> Any:
    for name in names:
        query = query.where(
            ContainsText(mlang_string.c.value, name) if name == "search" else mlang_string.c[name] == bindparam(name)
        )
    return query


def compute_string_key(domain: str, name: str, context: str) -> str:
    """Return the key of a string: a digest, because an index cannot hold texts of any length."""
    whole = orjson.dumps([domain, name, context])
    return blake2b(whole, digest_size=20).hexdigest()


def _build_string_members(
    domain: str, name: str, context: str, language: str, value: str, plural: str, kind: str
) -> dict[str, Any]:
    return {
        "key": compute_string_key(domain, name, context),
        "domain": domain,
        "name": name,
        "context": context,
        "language": language,
        "value": value,
        "plural": plural,
        "kind": kind,
        "words": _count_words(value),
    }


def _count_words(value: str) -> int:
    return len(value.split())


def encode_forms(forms: Sequence[str]) -> str:
    """Return the forms of a translation as they are stored."""
    return orjson.dumps(list(forms)).decode()

"""Strings: texts of the site that are no records, each with its translations and the state that follows from them.

A string is known by domain, name and context. Its translation has two values: what was translated here, and what a file
ships; the own one wins. Texts with a plural have as many forms as the language needs. Not here: files
(multilingual/strings/catalogs.py, multilingual/strings/catalog_files.py), which texts of the site become strings
(multilingual/strings/site_texts.py). Rules: facts, "Strings model".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import Any, Final

import msgspec
import orjson
from sqlalchemy import bindparam, case, func, insert, null, select, update

from vetrina.backends.database import Row, Statement
from vetrina.backends.statement_cache import Among, Contains, Shapes, listed, upsert
from vetrina.backends.tables.strings import string, string_translation
from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import ApiError

__all__ = [
    "COMPLETE", "KINDS", "NEEDS_UPDATE", "NOT_TRANSLATED", "PARTLY", "WAITING", "Entry", "StringUnknown", "Text",
    "Translation", "WrongForms", "by_id", "by_ids", "forms_of", "found", "mark_waiting", "name_of",
    "register", "release", "ship", "shown", "state", "translate", "translations",
]  # fmt: skip

NOT_TRANSLATED, WAITING, PARTLY, NEEDS_UPDATE, COMPLETE = 0, 1, 2, 3, 10
KINDS: Final = ("LINE", "AREA", "VISUAL", "LINK")
_MEMO: Final = "strings"  # of a work: the shown forms by domain and language
_LONGEST_NAME: Final = 160  # letters; a longer text is named by its digest


class StringUnknown(ApiError):
    status, code = 404, "mlang_string_not_found"
    message = "There is no string {id}. GET /mlang/st/v1/strings lists them."


class WrongForms(ApiError):
    """A plural needs every form that its language has; other texts have one."""

    code = "mlang_string_wrong_forms"
    message = "String {id} needs {needed} form(s) in {language}; {given} came."


class Text(msgspec.Struct, frozen=True):
    """A string. plural: its source's other form, empty for none. context: what tells equal texts of a file apart."""

    id: int
    domain: str
    name: str
    context: str
    language: str
    value: str
    plural: str
    kind: str
    words: int


class Translation(msgspec.Struct, frozen=True):
    """What a string is in a language.

    value: translated here; shipped: of a file; None for none. before: its status before it was sent to be translated.
    """

    string: int
    language: str
    status: int
    value: tuple[str, ...] | None
    shipped: tuple[str, ...] | None
    before: int = NOT_TRANSLATED

    @property
    def forms(self) -> tuple[str, ...] | None:
        """Return what is shown, the own value first; None for nothing."""
        # While it waits for another one, readers keep the one that there is.
        status = self.before if self.status == WAITING else self.status
        return self.value if self.value is not None and status == COMPLETE else self.shipped


class Entry(msgspec.Struct, frozen=True):
    """A text of a catalogue file with its forms in the file's language."""

    value: str
    forms: tuple[str, ...]
    plural: str = ""
    context: str = ""


_COLUMNS = (
    string.c.id, string.c.domain, string.c.name, string.c.context, string.c.language, string.c.value, string.c.plural,
    string.c.kind, string.c.words,
)  # fmt: skip
_TRANSLATED = (
    string_translation.c.string, string_translation.c.language, string_translation.c.status,
    string_translation.c.value, string_translation.c.shipped, string_translation.c.before,
)  # fmt: skip

_BY_KEY = Statement(select(*_COLUMNS).where(string.c.key == bindparam("key")))
_BY_IDS = Statement(select(*_COLUMNS).where(Among(string.c.id, "ids")).order_by(string.c.id))
_NEW_VALUES: dict[str, Any] = {
    name: bindparam(name)
    for name in ("key", "domain", "name", "context", "language", "value", "plural", "kind", "words")
}
_INSERT = Statement(insert(string).values(_NEW_VALUES).returning(string.c.id))
# What is there already stays as it is; its key is written over by itself.
_INSERT_MISSING = Statement(upsert(string, ("key",), _NEW_VALUES, {"key": bindparam("key")}))
_CHANGE = Statement(
    update(string)
    .where(string.c.id == bindparam("at"))
    .values(value=bindparam("to"), plural=bindparam("other"), kind=bindparam("sort"), words=bindparam("count"))
)
_OUTDATE = Statement(
    update(string_translation)
    .where(string_translation.c.string == bindparam("at"), string_translation.c.status != NOT_TRANSLATED)
    .values(status=NEEDS_UPDATE, fresh=True)
)
_TRANSLATIONS = Statement(
    select(*_TRANSLATED)
    .where(Among(string_translation.c.string, "ids"))
    .order_by(string_translation.c.string, string_translation.c.language)
)
_PUT = Statement(
    upsert(
        string_translation,
        ("string", "language"),
        {
            "string": bindparam("at"), "language": bindparam("code"), "status": bindparam("to"),
            "value": bindparam("own"), "shipped": null(), "changed": bindparam("now"), "fresh": True,
            "before": 0,
        },
        {"status": bindparam("to"), "value": bindparam("own"), "changed": bindparam("now"), "fresh": True},
    )
)  # fmt: skip
_WAIT = Statement(
    upsert(
        string_translation,
        ("string", "language"),
        {
            "string": bindparam("at"), "language": bindparam("code"), "status": WAITING, "value": null(),
            "shipped": null(), "changed": bindparam("now"), "fresh": False, "before": NOT_TRANSLATED,
        },
        {
            "status": WAITING,
            "before": case(
                (string_translation.c.status == WAITING, string_translation.c.before),
                else_=string_translation.c.status,
            ),
            "changed": bindparam("now"),
        },
    )
)  # fmt: skip
_RELEASE = Statement(
    update(string_translation)
    .where(
        string_translation.c.string == bindparam("at"),
        string_translation.c.language == bindparam("code"),
        string_translation.c.status == WAITING,
    )
    .values(status=string_translation.c.before)
)
_SHIP = Statement(
    upsert(
        string_translation,
        ("string", "language"),
        {
            "string": select(string.c.id).where(string.c.key == bindparam("key")).scalar_subquery(),
            "language": bindparam("code"), "status": COMPLETE, "value": null(), "shipped": bindparam("forms"),
            "changed": bindparam("now"), "fresh": False, "before": 0,
        },
        {
            "status": case(
                (string_translation.c.status == NOT_TRANSLATED, COMPLETE), else_=string_translation.c.status
            ),
            "shipped": bindparam("forms"),
            "changed": bindparam("now"),
        },
    )
)  # fmt: skip
_SHOWN = Statement(
    select(string.c.name, *_TRANSLATED)
    .join_from(string_translation, string, string.c.id == string_translation.c.string)
    .where(string.c.domain == bindparam("domain"), string_translation.c.language == bindparam("code"))
)
_LISTS = Shapes(64)


def name_of(value: str) -> str:
    """Return the name that a text of a file has: itself, or its digest where it is long."""
    return value if len(value) <= _LONGEST_NAME else blake2b(value.encode(errors="replace"), digest_size=16).hexdigest()


def register(
    work: Work, domain: str, name: str, value: str, *, context: str = "", plural: str = "", kind: str = "LINE",
    language: str = "",
) -> int:  # fmt: skip
    """Make a string known, or give it its new text, and return its number.

    language: of the text, the site's default when empty. A new text makes every translation one that needs an update.
    """
    row = work.tx.first(_BY_KEY, key=key(domain, name, context))
    if row is None:
        members = _members(domain, name, context, language or work.frame.profile.default_language, value, plural, kind)
        id = int(work.tx.value(_INSERT, **members))
        _note(work, id, "created")
        return id
    known = Text(*row)
    if (known.value, known.plural, known.kind) != (value, plural, kind):
        work.tx.run(_CHANGE, at=known.id, to=value, other=plural, sort=kind, count=_words(value))
        if (known.value, known.plural) != (value, plural):
            work.tx.run(_OUTDATE, at=known.id)
        _note(work, known.id, "changed")
    return known.id


def ship(work: Work, domain: str, language: str, entries: Sequence[Entry], source: str = "en") -> None:
    """Keep what a file says: new strings for texts that nobody knew, and the file's value of each."""
    if not entries:
        return
    keyed = [(one, name_of(one.value)) for one in entries]
    work.tx.run_each(
        _INSERT_MISSING,
        [_members(domain, name, one.context, source, one.value, one.plural, "LINE") for one, name in keyed],
    )
    work.tx.run_each(
        _SHIP,
        [
            {"key": key(domain, name, one.context), "code": language, "forms": _dumped(one.forms), "now": work.now}
            for one, name in keyed
        ],
    )
    _note(work, domain, "changed")


def by_id(work: Work, id: int) -> Text:
    """Return a string. Raises StringUnknown."""
    texts = by_ids(work, (id,))
    if not texts:
        raise StringUnknown(id=id)
    return texts[0]


def by_ids(work: Work, ids: Iterable[int]) -> list[Text]:
    """Return those strings of some numbers that there are, by their numbers."""
    work.uses("string")
    return [Text(*row) for row in work.tx.all(_BY_IDS, ids=listed(ids))]


def translations(work: Work, ids: Iterable[int]) -> dict[int, list[Translation]]:
    """Return the translations of some strings, by the strings' numbers."""
    work.uses("string")
    out: dict[int, list[Translation]] = {id: [] for id in ids}
    for row in work.tx.all(_TRANSLATIONS, ids=listed(out)):
        out[row[0]].append(_translation(row))
    return out


def translate(work: Work, text: Text, language: str, forms: Sequence[str], status: int = COMPLETE) -> None:
    """Keep a translation that was made here. Raises WrongForms."""
    needed = forms_of(language) if text.plural else 1
    if len(forms) != needed:
        raise WrongForms(id=text.id, needed=needed, language=language, given=len(forms))
    work.tx.run(_PUT, at=text.id, code=language, to=status, own=_dumped(forms), now=work.now)
    _note(work, text.id, "changed")


def mark_waiting(work: Work, ids: Iterable[int], language: str) -> None:
    """Note that some strings were sent to be translated."""
    work.tx.run_each(_WAIT, [{"at": id, "code": language, "now": work.now} for id in ids])
    _note(work, language, "changed")


def release(work: Work, ids: Iterable[int], language: str) -> None:
    """Note that nobody translates some strings any more; each is what it was before it was sent."""
    work.tx.run_each(_RELEASE, [{"at": id, "code": language} for id in ids])
    _note(work, language, "changed")


def shown(work: Work, domain: str, language: str) -> Mapping[str, tuple[str, ...]]:
    """Return the shown forms of a domain's strings in a language, by their names; only those that have some."""
    work.uses("string")
    known: dict[tuple[str, str], dict[str, tuple[str, ...]]] = work.memo.setdefault(_MEMO, {})
    found = known.get((domain, language))
    if found is None:
        rows = work.tx.all(_SHOWN, domain=domain, code=language)
        found = {row[0]: forms for row in rows if (forms := _translation(row[1:]).forms)}
        known[domain, language] = found
    return found


def state(source: str, languages: Iterable[str], known: Iterable[Translation]) -> int:
    """Return the state of a string over the other languages of the site."""
    others = [code for code in languages if code != source]
    statuses = {one.language: one.status for one in known if one.language in others}
    if not any(statuses.values()):
        return NOT_TRANSLATED
    for first in (WAITING, NEEDS_UPDATE):
        if first in statuses.values():
            return first
    complete = sum(status == COMPLETE for status in statuses.values())
    return COMPLETE if complete == len(others) else PARTLY if complete else NOT_TRANSLATED


def found(work: Work, filters: Mapping[str, Any], limit: int, offset: int) -> tuple[list[Text], int]:
    """Return some strings by their numbers, and how many there are.

    filters: domain, name, context: equal; search: part of the text, letter by letter.
    """
    work.uses("string")
    asked = {name: value for name, value in filters.items() if value not in (None, "")}
    names = tuple(sorted(asked))
    page = _LISTS.get(names, lambda: _filtered(select(*_COLUMNS), names).order_by(string.c.id).limit(
        bindparam("most")).offset(bindparam("skip")))  # fmt: skip
    count = _LISTS.get((*names, "count"), lambda: _filtered(select(func.count()).select_from(string), names))
    rows = work.tx.all(page, **asked, most=limit, skip=offset)
    return [Text(*row) for row in rows], int(work.tx.value(count, **asked))


def forms_of(language: str) -> int:
    """Return how many forms a plural has in a language."""
    from babel.messages.plurals import get_plural

    return int(get_plural(language)[0])


def _note(work: Work, item: object, action: str) -> None:
    work.memo.pop(_MEMO, None)
    work.note("string", item, action)


def _filtered(query: Any, names: Sequence[str]) -> Any:
    for name in names:
        query = query.where(Contains(string.c.value, name) if name == "search" else string.c[name] == bindparam(name))
    return query


def key(domain: str, name: str, context: str) -> str:
    """Return what a string is found by: a digest, because an index cannot hold texts of any length."""
    whole = orjson.dumps([domain, name, context])
    return blake2b(whole, digest_size=20).hexdigest()


def _members(domain: str, name: str, context: str, language: str, value: str, plural: str, kind: str) -> dict[str, Any]:
    return {
        "key": key(domain, name, context), "domain": domain, "name": name, "context": context, "language": language,
        "value": value, "plural": plural, "kind": kind, "words": _words(value),
    }  # fmt: skip


def _words(value: str) -> int:
    return len(value.split())


def _dumped(forms: Sequence[str]) -> str:
    return orjson.dumps(list(forms)).decode()


def _translation(row: Row) -> Translation:
    own, shipped = (None if text is None else tuple(orjson.loads(text)) for text in row[3:5])
    return Translation(row[0], row[1], row[2], own, shipped, row[5])

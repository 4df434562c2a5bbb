"""Translations of strings: each with the site's own value and the one of a file.

The own value takes precedence. Plural texts have as many forms as the language needs. Not here: strings, and what a
file ships (multilingual/strings/rules.py), the state of a string over them (multilingual/strings/states.py).
Rules: docs/rules/strings.md, 1 and 8.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec
import orjson
from sqlalchemy import bindparam, case, null, select, update

from vetrina.backends.database import Row, Statement
from vetrina.backends.statement_cache import InList, build_upsert, encode_list
from vetrina.backends.tables.strings import mlang_string, mlang_string_translation
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError
from vetrina.multilingual.strings.model import SHOWN_FORMS, SiteString, encode_forms, note_change
from vetrina.multilingual.strings.states import COMPLETE, NEEDS_UPDATE, NOT_TRANSLATED, WAITING


class PluralFormsMismatch(ApiError):
    """A plural needs every form of its language; other texts have exactly one."""

    code = "mlang_string_wrong_forms"
    message = "String {id} needs {needed} form(s) in {language}; {given} came."


class StringTranslation(msgspec.Struct, frozen=True):
    """A string in one language.

    value: the site's own translation; shipped: that of a file; None for none. before: the status before it was sent to
    be translated.
    """

    string: int
    language: str
    status: int
    value: tuple[str, ...] | None
    shipped: tuple[str, ...] | None
    before: int = NOT_TRANSLATED

    @property
    def forms(self) -> tuple[str, ...] | None:
        """Return the forms in use, the site's own value first; None for none."""
        # While a new translation is pending, readers keep the existing one.
        status = self.before if self.status == WAITING else self.status
        return self.value if self.value is not None and status == COMPLETE else self.shipped


_TRANSLATION_COLUMNS = (
    mlang_string_translation.c.string, mlang_string_translation.c.language, mlang_string_translation.c.status,
    mlang_string_translation.c.value, mlang_string_translation.c.shipped, mlang_string_translation.c.before,
)  # fmt: skip

_TRANSLATIONS = Statement(
    select(*_TRANSLATION_COLUMNS)
    .where(InList(mlang_string_translation.c.string, "ids"))
    .order_by(mlang_string_translation.c.string, mlang_string_translation.c.language)
)
_PUT = Statement(
    build_upsert(
        mlang_string_translation,
        ("string", "language"),
        {
            "string": bindparam("at"), "language": bindparam("code"), "status": bindparam("to"),
            "value": bindparam("own"), "shipped": null(), "changed": bindparam("now"), "fresh": True,
            "before": 0,
        },
        {"status": bindparam("to"), "value": bindparam("own"), "changed": bindparam("now"), "fresh": True},
    )
)  # fmt: skip
_LEFT = case((mlang_string_translation.c.shipped.is_(None), NOT_TRANSLATED), else_=COMPLETE)
_IS_WAITING = mlang_string_translation.c.status == WAITING
# The row stays, so that the written file loses the translation as well.
_REMOVE = Statement(
    update(mlang_string_translation)
    .where(
        mlang_string_translation.c.string == bindparam("at"),
        mlang_string_translation.c.language == bindparam("code"),
        mlang_string_translation.c.value.is_not(None),
    )
    .values(
        value=null(),
        status=case((_IS_WAITING, WAITING), else_=_LEFT),
        before=case((_IS_WAITING, _LEFT), else_=mlang_string_translation.c.before),
        changed=bindparam("now"),
        fresh=True,
    )
)
_WAIT = Statement(
    build_upsert(
        mlang_string_translation,
        ("string", "language"),
        {
            "string": bindparam("at"), "language": bindparam("code"), "status": WAITING, "value": null(),
            "shipped": null(), "changed": bindparam("now"), "fresh": False, "before": NOT_TRANSLATED,
        },
        {
            "status": WAITING,
            "before": case(
                (mlang_string_translation.c.status == WAITING, mlang_string_translation.c.before),
                else_=mlang_string_translation.c.status,
            ),
            "changed": bindparam("now"),
        },
    )
)  # fmt: skip
_OUTDATE = Statement(
    update(mlang_string_translation)
    .where(mlang_string_translation.c.string == bindparam("at"), mlang_string_translation.c.status != NOT_TRANSLATED)
    .values(status=NEEDS_UPDATE, fresh=True)
)
_RELEASE = Statement(
    update(mlang_string_translation)
    .where(
        mlang_string_translation.c.string == bindparam("at"),
        mlang_string_translation.c.language == bindparam("code"),
        mlang_string_translation.c.status == WAITING,
    )
    .values(status=mlang_string_translation.c.before)
)
_SELECT_FORMS = Statement(
    select(mlang_string.c.name, *_TRANSLATION_COLUMNS)
    .join_from(mlang_string_translation, mlang_string, mlang_string.c.id == mlang_string_translation.c.string)
    .where(mlang_string.c.domain == bindparam("domain"), mlang_string_translation.c.language == bindparam("code"))
)


def list_translations(work: UnitOfWork, ids: Iterable[int]) -> dict[int, list[StringTranslation]]:
    """Return the translations of some strings, by string id."""
    work.uses("string")
    out: dict[int, list[StringTranslation]] = {id: [] for id in ids}
    for row in work.tx.all(_TRANSLATIONS, ids=encode_list(out)):
        out[row[0]].append(_row_to_translation(row))
    return out


def translate_string(
    work: UnitOfWork, text: SiteString, language: str, forms: Sequence[str], status: int = COMPLETE
) -> None:
    """Store the site's own translation of a string. Raises PluralFormsMismatch."""
    needed = count_plural_forms(language) if text.plural else 1
    if len(forms) != needed:
        raise PluralFormsMismatch(id=text.id, needed=needed, language=language, given=len(forms))
    work.tx.run(_PUT, at=text.id, code=language, to=status, own=encode_forms(forms), now=work.now)
    note_change(work, text.id, "changed")


def remove_translation(work: UnitOfWork, text: SiteString, language: str) -> None:
    """Remove the site's own translation of a string; that of a file, if there is one, is shown again."""
    work.tx.run(_REMOVE, at=text.id, code=language, now=work.now)
    note_change(work, text.id, "changed")


def mark_translations_outdated(work: UnitOfWork, id: int) -> None:
    """Mark the translations of a string whose text changed as needing an update."""
    work.tx.run(_OUTDATE, at=id)


def mark_strings_waiting(work: UnitOfWork, ids: Iterable[int], language: str) -> None:
    """Mark some strings as sent to be translated."""
    work.tx.run_each(_WAIT, [{"at": id, "code": language, "now": work.now} for id in ids])
    note_change(work, language, "changed")


def release_strings(work: UnitOfWork, ids: Iterable[int], language: str) -> None:
    """Undo marking some strings as sent; each returns to its previous status."""
    work.tx.run_each(_RELEASE, [{"at": id, "code": language} for id in ids])
    note_change(work, language, "changed")


def load_shown_forms(work: UnitOfWork, domain: str, language: str) -> Mapping[str, tuple[str, ...]]:
    """Return the forms in use of a domain's strings in a language, by name; only strings that have some."""
    work.uses("string")
    known: dict[tuple[str, str], dict[str, tuple[str, ...]]] = work.lookups.setdefault(SHOWN_FORMS, {})
    found = known.get((domain, language))
    if found is None:
        rows = work.tx.all(_SELECT_FORMS, domain=domain, code=language)
        found = {row[0]: forms for row in rows if (forms := _row_to_translation(row[1:]).forms)}
        known[domain, language] = found
    return found


def count_plural_forms(language: str) -> int:
    """Return the number of plural forms of a language."""
    from babel.messages.plurals import get_plural

    return int(get_plural(language)[0])


def _row_to_translation(row: Row) -> StringTranslation:
    own, shipped = (None if text is None else tuple(orjson.loads(text)) for text in row[3:5])
    return StringTranslation(row[0], row[1], row[2], own, shipped, row[5])

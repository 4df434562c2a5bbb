"""Translation groups of any kind of member: order, original, source of each translation.

Groups of records (content/translations/record_translations.py) and of terms (content/terms/translations.py) follow the
same rules and are stored in tables of the same form. Rules: docs/rules/content_languages.md, 4 to 6;
docs/rules/translated_content.md, 19.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

from sqlalchemy import Table, bindparam, select

from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.core.unit_of_work import UnitOfWork


class TranslationGroupMember(Protocol):
    """A record or term in one language. source_language: what it was translated from, empty for the original."""

    @property
    def id(self) -> int: ...

    @property
    def language(self) -> str: ...

    @property
    def source_language(self) -> str: ...


M = TypeVar("M", bound=TranslationGroupMember)


def sort_by_language(work: UnitOfWork, members: Iterable[M]) -> list[M]:
    """Return the members of a group in the site's order of languages."""
    languages = work.site.profile.languages
    place = {language: at for at, language in enumerate(languages)}
    return sorted(members, key=lambda one: (place.get(one.language, len(place)), one.id))


def find_original(work: UnitOfWork, members: Iterable[M]) -> M | None:
    """Return the member that the others were translated from."""
    return next((one for one in sort_by_language(work, members) if not one.source_language), None)


def list_changed_sources(work: UnitOfWork, group: Mapping[str, M]) -> list[tuple[M, str]]:
    """Return the members whose source changes, with the new one: one is the original, the others descend from it.

    group: by language. Where the original is gone, the first one in the site's order of languages replaces it.
    """
    ordered = sort_by_language(work, group.values())
    first = next((one for one in ordered if not one.source_language), ordered[0] if ordered else None)
    out = []
    for one in ordered:
        assert first is not None, "a group with members has a first"
        source = one.source_language if one.source_language in group else first.language
        if one.id == first.id:
            source = ""
        if source != one.source_language:
            out.append((one, source))
    return out


class TranslationIdMap:
    """Maps ids to those of the translations. table: of the records or terms; kind: its column of types."""

    def __init__(self, table: Table, kind: str) -> None:
        mine = table.alias("mine")
        self._statement = Statement(
            select(mine.c.id, table.c.id, table.c[kind])
            .join(table, table.c.translations == mine.c.translations)
            .where(InList(mine.c.id, "ids"), table.c.language == bindparam("language"), table.c[kind] == mine.c[kind])
        )

    def translate_id(self, work: UnitOfWork, id: int, language: str) -> int:
        """Return the id of a translation, the given id where there is none."""
        return self.translate_ids(work, (id,), language).get(id, id) if id else id

    def translate_ids(self, work: UnitOfWork, ids: Sequence[int], language: str, of: str = "") -> dict[int, int]:
        """Return the ids of the translations that exist, by the given ids; one statement.

        of: the only type whose ids count; empty for all.
        """
        rows = work.tx.all(self._statement, ids=encode_list(ids), language=language) if ids else []
        return {row[0]: row[1] for row in rows if of in ("", row[2])}

"""What a translation group is, whatever its members are: their order, the original, what each was translated from.

Groups of records (content/translations/record_translations.py) and of terms (content/terms/translations.py) follow the
same rules and lie in tables of the same form. Not here: how members come into a group and leave it. Rules: facts of the
multilingual layer, 3 and 5.8.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

from sqlalchemy import Table, bindparam, select

from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import Among, listed
from vetrina.core.unit_of_work import Work

__all__ = ["Counterparts", "Member", "in_order", "original", "sources"]


class Member(Protocol):
    """One thing in one language. source_language: what it was translated from, empty for the original."""

    @property
    def id(self) -> int: ...

    @property
    def language(self) -> str: ...

    @property
    def source_language(self) -> str: ...


M = TypeVar("M", bound=Member)


def in_order(work: Work, members: Iterable[M]) -> list[M]:
    """Return the members of a group in the site's order of languages."""
    languages = work.frame.profile.languages
    place = {language: at for at, language in enumerate(languages)}
    return sorted(members, key=lambda one: (place.get(one.language, len(place)), one.id))


def original(work: Work, members: Iterable[M]) -> M | None:
    """Return the member that the others were translated from."""
    return next((one for one in in_order(work, members) if not one.source_language), None)


def sources(work: Work, group: Mapping[str, M]) -> list[tuple[M, str]]:
    """Return the members that have to name another source, with it: one is the original, the others descend from it.

    group: by language. Where the original is gone, the first by the site's order of languages takes its place.
    """
    ordered = in_order(work, group.values())
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


class Counterparts:
    """Numbers of things turned into those of their translations. table: where they lie; kind: its column of types."""

    def __init__(self, table: Table, kind: str) -> None:
        mine = table.alias("mine")
        self._statement = Statement(
            select(mine.c.id, table.c.id, table.c[kind])
            .join(table, table.c.translations == mine.c.translations)
            .where(Among(mine.c.id, "ids"), table.c.language == bindparam("language"), table.c[kind] == mine.c[kind])
        )

    def one(self, work: Work, id: int, language: str) -> int:
        """Return the number of a thing's translation, its own where there is none."""
        return self.known(work, (id,), language).get(id, id) if id else id

    def known(self, work: Work, ids: Sequence[int], language: str, of: str = "") -> dict[int, int]:
        """Return the numbers of the translations of some things, those that have one; asks once.

        of: the only type whose things count; empty for all.
        """
        rows = work.tx.all(self._statement, ids=listed(ids), language=language) if ids else []
        return {row[0]: row[1] for row in rows if of in ("", row[2])}

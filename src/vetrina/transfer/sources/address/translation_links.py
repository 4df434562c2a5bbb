"""Which records of a list are translations of each other, where the site shows that in no member of them.

A list of another language that is asked for the ids of some records answers with their translations, in the order of
the ids. Ids without one are passed over, so that a part is halved until as many come back as were asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Final

from vetrina.transfer.sources.address.connection import ReadRefused, SiteConnection
from vetrina.transfer.sources.address.paging import PAGE_SIZE, UnreadRecord, list_objects

TRANSLATIONS: Final = "translations"
_PUBLISHED: Final = "publish"  # where a record has no status, as a term

Link = dict[str, Any]  # id and status of a record


class TranslationLinks:
    """Finds the translations of the records of one list.

    languages: of the site, the default first, in whose order the list is read. parameter: it chooses the language.
    report_refused: told once of each language that the site does not list by ids, whose links stay unknown.
    """

    def __init__(
        self, connection: SiteConnection, path: str, languages: tuple[str, ...], parameter: str,
        report_refused: Callable[[str, ReadRefused], None] = lambda language, error: None,
    ) -> None:  # fmt: skip
        self._connection, self._path, self._languages, self._parameter = connection, path, languages, parameter
        self._report_refused = report_refused
        self._refused: set[str] = set()
        self._groups: dict[int, dict[str, Link]] = {}

    def add_links(
        self, language: str, query: Mapping[str, Any], records: Iterable[dict[str, Any] | UnreadRecord]
    ) -> Iterator[dict[str, Any] | UnreadRecord]:
        """Give the records of one language with `translations`, as our own interface has them.

        query: that they are read with. One that has the member is left as it is. Raises ReadRefused, SourceError.
        """
        iterator = iter(records)
        while part := list(islice(iterator, PAGE_SIZE)):
            silent = [
                one for one in part
                if isinstance(one, dict) and TRANSLATIONS not in one and isinstance(one.get("id"), int)
            ]  # fmt: skip
            if silent:
                self._find_groups(language, query, silent)
            for one in silent:
                if group := self._groups.get(one["id"]):
                    one[TRANSLATIONS] = group
            yield from part

    def _find_groups(self, language: str, query: Mapping[str, Any], records: list[dict[str, Any]]) -> None:
        """Find the translations of some records into the languages that are read after theirs."""
        own = {one["id"]: _build_link(one) for one in records}
        for other in self._languages[self._languages.index(language) + 1 :]:
            wanted = {**query, self._parameter: other, "orderby": "include", "order": "asc", "_fields": "id,status"}
            # Whose group is known through a language before has been asked for.
            ids = [id for id in own if other not in self._groups.get(id, {})]
            for id, found in self._pair(ids, self._ask(wanted, ids), wanted):
                group = self._groups.setdefault(id, {language: own[id]})
                group[other] = found
                self._groups.setdefault(found["id"], group)

    def _pair(self, ids: list[int], found: list[Link], query: Mapping[str, Any]) -> Iterator[tuple[int, Link]]:
        """Give each of the ids that has a translation with it. found: the translations of them all, in order."""
        if not found or len(found) > len(ids):
            return
        if len(found) == len(ids):
            yield from zip(ids, found, strict=True)
            return
        middle = len(ids) // 2
        left = self._ask(query, ids[:middle])
        yield from self._pair(ids[:middle], left, query)
        yield from self._pair(ids[middle:], found[len(left) :], query)

    def _ask(self, query: Mapping[str, Any], ids: list[int]) -> list[Link]:
        """Return the translations that some records have, in the order of the ids; none where the list is refused."""
        if not ids:
            return []
        asked = {**query, "include": [str(id) for id in ids], "per_page": PAGE_SIZE}
        try:
            answer = list_objects(self._connection.ask(self._path, asked).value)
        except ReadRefused as error:
            language = query[self._parameter]
            if language not in self._refused:
                self._refused.add(language)
                self._report_refused(language, error)
            return []
        # What is not translated may be shown in every language, under its own id.
        known = set(ids)
        return [_build_link(one) for one in answer if isinstance(one.get("id"), int) and one["id"] not in known]


def _build_link(record: Mapping[str, Any]) -> Link:
    return {"id": record["id"], "status": str(record.get("status") or _PUBLISHED)}

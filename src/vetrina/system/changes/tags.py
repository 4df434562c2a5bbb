"""The cache tags of a change: at least one of each response that it made stale, none of those that it left alone.

What tags a response has: rest/cache_tags.py. Rules: docs/rules/cache_tags.md, 2 and 3.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from vetrina.content.records.visibility import INHERIT_STATUS
from vetrina.content.terms import translations as term_translations
from vetrina.content.translations import record_translations
from vetrina.core.unit_of_work import UnitOfWork

# The only ones whose log holds each step into the public and out of it (content/records/public_transitions.py).
_ROOM_OF_RECORDS: Final = "records"
_PUBLIC_STATUSES: Final = frozenset({"publish", INHERIT_STATUS})


class ChangeTags:
    """The tags of the changes of one page of the log; what they need is read at once.

    things: kind and id of what changed.
    """

    def __init__(self, work: UnitOfWork, things: Iterable[tuple[str, int]]) -> None:
        site, things = work.site, set(things)
        self._types = site.types
        # A record shows the addresses of its translations, which a new one of them does not change.
        records = sorted(id for kind, id in things if kind in site.types)
        terms = sorted(id for kind, id in things if kind in site.taxonomies)
        several = len(site.profile.languages) > 1
        self._records = record_translations.list_published_partners(work, records) if several and records else {}
        self._terms = term_translations.list_partners(work, terms) if several and terms else {}

    def list_tags(self, kind: str, id: int, before: Mapping[str, str], status: str) -> list[str]:
        """Return the tags of a change.

        id: 0 for a change of the whole kind. before: what the public could see of it before. status: of a record now,
        empty where that is unknown.
        """
        if not id:
            return [kind]
        type = self._types.get(kind)
        partners = (self._terms if type is None else self._records).get(id, ())
        tags = [f"{kind}-{one}" for one in (id, *partners)]
        noted = type is not None and type.public and type.room == _ROOM_OF_RECORDS
        if noted and status not in ("", *_PUBLIC_STATUSES) and not before.get("transition"):
            # Nobody but those who write has seen it, before or after: no list of readers is made from it.
            return tags
        return [kind, *tags]

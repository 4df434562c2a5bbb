"""A record of the source on its way into the site: its values as the site's rules take them.

Ids of the source become those here, addresses too; what refers to something that has not come is remembered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from vetrina.content.translations.modes import TranslationMode, get_translation_mode
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.times import DateTimeOutOfRange, MalformedDateTime, parse_date_time
from vetrina.transfer.records import Record

from .journal import ImportJournal

MAX_ID: Final = 2**53  # a greater number is no id
ANOTHER_TRANSLATION: Final = "what it is a translation of has another one here in its language"  # note of the report


class RecordSkipped(Exception):
    """A record cannot be written; the message says why."""


class ReferenceMissing(Exception):
    """A record belongs to something that has not come, and cannot be written before."""


@dataclass
class IncomingRecord:
    """A record on its way.

    work: in which it is written, with an administrator as its user. target: its id here from an earlier run, 0 for
    none. keep_ids: whether records take their own ids where these are free. settling: whether this import has written
    it already, before what it refers to had come. urls: addresses of the source, without a final slash. missing: kind,
    id and name of what it refers to and has not come. retried: whether its texts name something that may still come.
    notes: what the report is told of it. resets: logins of new accounts, which have no password.
    """

    record: Record
    work: UnitOfWork
    journal: ImportJournal
    urls: tuple[str, ...]
    target: int = 0
    keep_ids: bool = False
    settling: bool = False
    missing: list[tuple[str, str, str]] = field(default_factory=list)
    retried: bool = False
    notes: Counter[str] = field(default_factory=Counter)
    resets: list[str] = field(default_factory=list)

    @property
    def values(self) -> Mapping[str, Any]:
        return self.record.values

    @property
    def own_id(self) -> int:
        """Return its id in the source where that is a number that may be one here, else 0."""
        id = self.record.id
        return id if isinstance(id, int) and 0 < id < MAX_ID else 0

    def choose_id(self, is_taken: Callable[[int], bool]) -> int:
        """Return its own id where ids are kept and it is free here, else 0. is_taken: asked for that id."""
        return self.own_id if self.keep_ids and self.own_id and not is_taken(self.own_id) else 0

    def choose_language(self, element: str) -> str:
        """Return its language here. element: as the modes of translation name its type. Raises RecordSkipped."""
        profile = self.work.site.profile
        if get_translation_mode(self.work, element) is TranslationMode.NOT_TRANSLATED or not self.record.language:
            return profile.default_language
        if self.record.language not in profile.languages:
            raise RecordSkipped(f"the site has no language {self.record.language!r}")
        return self.record.language

    def resolve(self, kind: str, id: Any, member: str) -> int:
        """Return the id here of a thing of the source, 0 for none and where it has not come, which is remembered."""
        if id in (None, 0, "", "0", False):
            return 0
        found = self.journal.find_target(self.work.tx, kind, str(id))
        if not found and (kind, str(id), member) not in self.missing:
            self.missing.append((kind, str(id), member))
        return found

    def require(self, kind: str, id: Any, member: str) -> int:
        """Return the id here of what the record belongs to. Raises ReferenceMissing."""
        found = self.resolve(kind, id, member)
        if not found:
            raise ReferenceMissing
        return found

    def get_text(self, name: str) -> str:
        """Return a text as it is stored in the source."""
        value = self.values.get(name)
        if isinstance(value, Mapping):
            value = value.get("raw", value.get("rendered"))
        return value.replace("\0", "") if isinstance(value, str) else ""

    def get_number(self, name: str) -> int:
        """Return a whole number, 0 where there is none."""
        value = self.values.get(name)
        if isinstance(value, str) and value.strip().lstrip("-").isdecimal():
            value = int(value)
        return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) < MAX_ID else 0

    def list_translations(self, kind: str) -> list[int]:
        """Return the ids here of those of its translations that have come, whichever form the source names them in."""
        named = self.values.get("translations")
        each = named.values() if isinstance(named, Mapping) else ()
        ids = [one.get("id") if isinstance(one, Mapping) else one for one in each]
        found = (self.journal.find_target(self.work.tx, kind, str(id)) for id in ids if id)
        return [id for id in found if id]

    @property
    def source_language(self) -> str:
        """The language that it was translated from, empty where the source does not say."""
        return str(self.values.get("source_language") or "")

    def list_ids(self, name: str) -> list[Any]:
        """Return the ids that a member has."""
        value = self.values.get(name)
        return list(value) if isinstance(value, (list, tuple)) else []

    @cached_property
    def meta(self) -> Mapping[str, Any]:
        """The extra fields; what is no object is none."""
        value = self.values.get("meta")
        return value if isinstance(value, Mapping) else {}

    def read_dates(self, name: str) -> tuple[int, int] | None:
        """Return local time and GMT of a member and its `_gmt`, each as it is written; None where neither is there."""
        local, gmt = (parse_seconds(self.values.get(one)) for one in (name, f"{name}_gmt"))
        zone = self.work.zone
        if local is None and gmt is None:
            return None
        if local is None:
            assert gmt is not None, "one of the two is there"
            return zone.to_local(gmt), gmt
        return local, zone.to_gmt(local) if gmt is None else gmt


def parse_seconds(value: Any) -> int | None:
    """Return the seconds since 1970 that a date says as it is written, None for none."""
    # Records without a date have one in the year 0.
    if not isinstance(value, str) or value.startswith("0000"):
        return None
    try:
        return parse_date_time(value).local_seconds
    except (MalformedDateTime, DateTimeOutOfRange):
        return None

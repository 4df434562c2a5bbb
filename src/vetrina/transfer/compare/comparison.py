"""Comparing two sources, collection by collection: which records both have, and in what they differ.

A record is found by its id where the other side has the same one under it, else by what names it
(transfer/compare/natural_keys.py). In memory are ids and checksums; values are on disk, and loaded where they differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple

import orjson

from vetrina.transfer.comparable_source import ComparableSource
from vetrina.transfer.compare.comparable_form import ComparableForm
from vetrina.transfer.compare.natural_keys import IdMap, compute_natural_key, get_collection_above
from vetrina.transfer.compare.record_spool import RecordSpool, SpooledRecord, compute_checksum
from vetrina.transfer.compare.value_differences import MemberDifference, OneSidedMembers, find_differences
from vetrina.transfer.records import SourceDescription

Side = Literal["a", "b"]
REPORTS: Final = "reports"
_LABEL_MEMBERS: Final = ("slug", "email", "code", "name", "number", "title")


class RecordDifference(NamedTuple):
    """A record that differs, or that only one side has.

    only: the side that has it, empty where both do. a, b: its ids, empty where a side hasn't it.
    """

    resource: str
    a: int | str
    b: int | str
    label: str
    only: Side | Literal[""] = ""
    members: tuple[MemberDifference, ...] = ()


@dataclass
class CollectionTotals:
    """How the records of a collection compare.

    one_sided: members that only one side's records have, by side. not_compared: why they were not, empty if they were.
    """

    resource: str
    same: int = 0
    differing: int = 0
    only_a: int = 0
    only_b: int = 0
    one_sided: dict[Side, set[str]] = field(default_factory=lambda: {"a": set(), "b": set()})
    not_compared: str = ""

    @property
    def agrees(self) -> bool:
        """Whether both sides have the same."""
        return not (self.differing or self.only_a or self.only_b)


class SourceComparison:
    """Compares two sources.

    only: beginnings of the collections that are compared, none for all. change_times: whether the times of changes
    are. tell: (collection, side, records read) while it reads.
    """

    def __init__(
        self,
        a: ComparableSource,
        b: ComparableSource,
        *,
        only: Sequence[str] = (),
        change_times: bool = False,
        tell: Callable[[str, Side, int], None] = lambda resource, side, done: None,
    ) -> None:
        self._a, self._b, self._only, self._tell = a, b, tuple(only), tell
        self._ids = IdMap()
        self.totals: list[CollectionTotals] = []
        self._about: tuple[SourceDescription, SourceDescription] = (a.describe(), b.describe())
        self._forms = [ComparableForm(one.urls, change_times=change_times) for one in self._about]
        self._per_language = all(one.languages for one in self._about)

    @property
    def agrees(self) -> bool:
        """Whether nothing differed in what was compared."""
        return all(one.agrees for one in self.totals)

    @property
    def shown_by_neither(self) -> list[str]:
        """Collections that neither side shows to whoever reads it, which so are not compared."""
        here, there = self._about
        hidden = [path for path in here.unreadable if path in there.unreadable and path.startswith(self._only or "/")]
        return [path for path in hidden if path not in here.resources and path not in there.resources]

    def run(self) -> Iterator[RecordDifference]:
        """Give the differences as they are found; `totals` grows meanwhile. Raises SourceError."""
        here, there = self._about
        for resource in dict.fromkeys((*here.resources, *there.resources)):
            if self._only and not resource.startswith(self._only):
                continue
            totals = CollectionTotals(resource)
            self.totals.append(totals)
            if resource in here.resources and resource in there.resources:
                yield from self._compare_collection(resource, totals)
            else:
                yield from self._list_one_sided(resource, totals)
        if not self._only or REPORTS.startswith(self._only):
            yield from self._compare_reports()

    # -- collections

    def _read(self, side: Side, resource: str) -> Iterator[tuple[int | str, dict[str, Any], int]]:
        """Give the ids of the records of a collection, their comparable values and natural keys."""
        source, form = (self._a, self._forms[0]) if side == "a" else (self._b, self._forms[1])
        above = get_collection_above(resource)
        for number, record in enumerate(source.read_records(resource), 1):
            values, parent = form.convert(record.values), record.parent
            if side == "a":
                values = self._ids.translate(resource, values)
                parent = self._ids.get(above, parent)
            key = compute_natural_key(record, values, parent, record.language if self._per_language else "")
            self._tell(resource, side, number)
            # Names are told apart only below one record, numbers everywhere.
            yield f"{parent}/{record.id}" if parent and isinstance(record.id, str) else record.id, values, key

    def _compare_collection(self, resource: str, totals: CollectionTotals) -> Iterator[RecordDifference]:
        with RecordSpool() as here, RecordSpool() as there:
            for id, values, naming in self._read("a", resource):
                here.add(id, naming, _encode(values))
            pairs = self._match(resource, here, there, totals)
            found = {pair[0].id for pair in pairs}
            for one, other in pairs:
                if other is not None:
                    yield from self._compare_pair(resource, totals, one, here.load(one), other, there.load(other))
            taken = {other.id for _, other in pairs if other is not None}
            for one in here:
                if one.id not in found:
                    totals.only_a += 1
                    yield RecordDifference(resource, one.id, "", _make_label(here.load(one)), "a")
            for other in there:
                if other.id not in taken:
                    totals.only_b += 1
                    yield RecordDifference(resource, "", other.id, _make_label(there.load(other)), "b")

    def _match(
        self, resource: str, here: RecordSpool, there: RecordSpool, totals: CollectionTotals
    ) -> list[tuple[SpooledRecord, SpooledRecord | None]]:
        """Return the pairs of records, without the second one where they are equal; others of B are spooled."""
        pairs: list[tuple[SpooledRecord, SpooledRecord | None]] = []
        found: set[int | str] = set()
        waiting: list[SpooledRecord] = []
        by_id = 0
        for id, values, naming in self._read("b", resource):
            content = _encode(values)
            one = here.find_by_id(id)
            if one is not None and (one.naming != naming or one.id in found):
                one = None
            by_id += one is not None
            if one is None and naming and ((one := here.find_by_key(naming)) is not None) and one.id in found:
                one = None
            if one is not None:
                found.add(one.id)
                self._ids.add(resource, one.id, id)
                if one.checksum == compute_checksum(content):
                    totals.same += 1
                    pairs.append((one, None))
                    continue
            there.add(id, naming, content)
            other = there.find_by_id(id)
            assert other is not None
            if one is not None:
                pairs.append((one, other))
            else:
                waiting.append(other)
        # Where ids were kept, a record under the same id is the same one by another name.
        if by_id * 2 >= len(found):
            for other in waiting:
                one = here.find_by_id(other.id)
                if one is not None and one.id not in found:
                    found.add(one.id)
                    pairs.append((one, other))
        return pairs

    def _compare_pair(
        self, resource: str, totals: CollectionTotals, one: SpooledRecord, a: dict[str, Any], other: SpooledRecord,
        b: dict[str, Any],
    ) -> Iterator[RecordDifference]:  # fmt: skip
        # The ids of this collection itself are known only now.
        a = self._ids.translate(resource, a, own=True)
        if one.id != other.id:
            a, b = ({name: value for name, value in values.items() if name != "id"} for values in (a, b))
        members, one_sided = find_differences(a, b)
        _note_one_sided(totals, one_sided)
        if not members:
            totals.same += 1
            return
        totals.differing += 1
        yield RecordDifference(resource, one.id, other.id, _make_label(a), "", tuple(members))

    def _list_one_sided(self, resource: str, totals: CollectionTotals) -> Iterator[RecordDifference]:
        """Give the records of a collection that only one side shows."""
        side: Side = "a" if resource in self._about[0].resources else "b"
        reason = self._about[1 if side == "a" else 0].unreadable.get(resource)
        for id, values, _ in self._read(side, resource):
            if side == "a":
                totals.only_a += 1
            else:
                totals.only_b += 1
            if reason is None:
                a, b = (id, "") if side == "a" else ("", id)
                yield RecordDifference(resource, a, b, _make_label(values), side)
        if reason is not None:
            totals.not_compared = f"{'B' if side == 'a' else 'A'} doesn't show it: {reason}"

    # -- reports

    def _compare_reports(self) -> Iterator[RecordDifference]:
        here, there = self._a.read_reports(), self._b.read_reports()
        if not here and not there:
            return
        totals = CollectionTotals(REPORTS)
        self.totals.append(totals)
        for path in dict.fromkeys((*here, *there)):
            if path not in here or path not in there:
                side: Side = "a" if path in here else "b"
                totals.only_a += side == "a"
                totals.only_b += side == "b"
                yield RecordDifference(REPORTS, path if side == "a" else "", path if side == "b" else "", path, side)
                continue
            members, one_sided = find_differences(here[path], there[path])
            _note_one_sided(totals, one_sided)
            if members:
                totals.differing += 1
                yield RecordDifference(REPORTS, path, path, path, "", tuple(members))
            else:
                totals.same += 1


def _encode(values: Mapping[str, Any]) -> bytes:
    return orjson.dumps(values, option=orjson.OPT_SORT_KEYS)


def _note_one_sided(totals: CollectionTotals, found: OneSidedMembers) -> None:
    totals.one_sided["a"].update(found.a)
    totals.one_sided["b"].update(found.b)


def _make_label(values: Mapping[str, Any]) -> str:
    """Return what a record is called."""
    for member in _LABEL_MEMBERS:
        value = values.get(member)
        if isinstance(value, dict):
            value = value.get("raw") or value.get("rendered")
        if value:
            return str(value)
    return ""

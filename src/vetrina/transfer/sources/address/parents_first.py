"""Records in an order in which each comes after the one that it lies under."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from vetrina.transfer.records import Record


def order_parents_first(records: Iterable[Record]) -> Iterator[Record]:
    """Give records, those whose parent has not come yet after it; the rest at the end, if it never comes.

    What waits is kept in memory; in the order of ids that is little.
    """
    given: set[int | str] = set()
    waiting: dict[int | str, list[Record]] = {}
    for record in records:
        parent = record.values.get("parent")
        if isinstance(parent, int) and parent and parent != record.id and parent not in given:
            waiting.setdefault(parent, []).append(record)
        else:
            yield from _release(record, given, waiting)
    while waiting:
        held = {record.id for records in waiting.values() for record in records}
        # Below a parent that can't be read; where there is none, a circle, begun at any of it.
        for parent in [parent for parent in waiting if parent not in held] or [next(iter(waiting))]:
            for record in waiting.pop(parent, ()):
                yield from _release(record, given, waiting)


def _release(record: Record, given: set[int | str], waiting: dict[int | str, list[Record]]) -> Iterator[Record]:
    ready = [record]
    while ready:
        one = ready.pop()
        given.add(one.id)
        yield one
        ready += reversed(waiting.pop(one.id, ()))

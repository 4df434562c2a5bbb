"""How many items the lists of a request may hold: counted before anything is done with one of them.

A list may hold what its field names (`max_items`), otherwise what the site's limits say; what no field describes holds
as much as a list of a record's data. Text that is split into a list is counted without being split to its end.
Not here: what else is wrong with a value (rest/fields.py), how large a body may be (http/bodies.py).
Rules: docs/settings.md, `limits`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

from vetrina.kernel.errors import Fault, InvalidParam
from vetrina.rest import coercion
from vetrina.rest.fields import AnyOf, Array, Field, Object, OneOf, String, Untyped
from vetrina.settings import Limits

__all__ = [
    "READING", "WRITING", "Bound", "Bounds", "any_too_long", "bound_of", "bounds_of", "refuse_many",
    "too_many",
]  # fmt: skip


class Bounds(NamedTuple):
    """The most items of a list that names no maximum itself.

    named: of a list that names things, such as the numbers of a filter. data: of one that is a record's data, and of
    what no field describes.
    """

    named: int
    data: int


def bounds_of(limits: Limits) -> tuple[Bounds, Bounds]:
    """Return the bounds of requests that read, and of those that write."""
    read = limits.list_items
    return Bounds(read, read), Bounds(read, max(read, limits.written_items))


READING, WRITING = bounds_of(Limits())

Bound = Callable[[Any, str, Bounds], Fault | None]

_SPLIT: Final = re.compile(r"[\s,]+")


def bound_of(field: Field) -> Bound | None:
    """Return what counts the lists of a value of this field; None where it can have none."""
    match field:
        case Array():
            return _of_array(field)
        case Object():
            return _of_object(field)
        case OneOf():
            return _first_of([found for form in field.forms if (found := bound_of(form)) is not None])
        case AnyOf():
            return _of_any(field)
        case String() if field.parted:
            return _of_text
        case Untyped():
            return _of_text if field.parted else any_too_long
    # What is taken as it comes may be a list although the field is none.
    return any_too_long if field.lenient or field.alone else None


def any_too_long(value: Any, name: str, bounds: Bounds) -> Fault | None:
    """Return why a value that no field describes is refused: a list or an object in it holds too much."""
    if not isinstance(value, (list, dict)):
        return None
    waiting = [value]
    while waiting:
        node = waiting.pop()
        if len(node) > bounds.data:
            return too_many(name, bounds.data)
        below: Iterable[Any] = node.values() if isinstance(node, dict) else node
        waiting += [item for item in below if isinstance(item, (list, dict))]
    return None


def _of_text(value: Any, name: str, bounds: Bounds) -> Fault | None:
    if isinstance(value, str):
        return too_many(name, bounds.named) if value.count(",") >= bounds.named else None
    return any_too_long(value, name, bounds)


def _of_array(field: Array) -> Bound:
    # What the field itself names is refused with the faults of others, by the field.
    most, long = field.max_items or 0, field.long
    of_item = any_too_long if field.lenient or field.alone else bound_of(field.items)

    def bound(value: Any, name: str, bounds: Bounds) -> Fault | None:
        limit = max(most, bounds.data if long else bounds.named)
        if isinstance(value, str):
            return too_many(name, limit) if _longer(value, limit) else None
        if not isinstance(value, (list, dict)):
            return None
        if len(value) > limit:
            return too_many(name, limit)
        if of_item is not None:
            for at, item in enumerate(value if isinstance(value, list) else value.values()):
                if (found := of_item(item, f"{name}[{at}]", bounds)) is not None:
                    return found
        return None

    return bound


def _of_object(field: Object) -> Bound:
    if field.lenient or field.alone:
        return any_too_long
    known: dict[str, Bound | None] = {
        name: found for name, member in field.properties.items() if (found := bound_of(member)) is not None
    }
    plain = field.properties.keys() - known.keys()
    other = bound_of(field.additional) if isinstance(field.additional, Field) else any_too_long

    def bound(value: Any, name: str, bounds: Bounds) -> Fault | None:
        if not isinstance(value, (list, dict)):
            return None
        if len(value) > bounds.data:
            return too_many(name, bounds.data)
        for key, item in (coercion.mapping(value) or {}).items():
            of_item = None if key in plain else known.get(key) or other
            if of_item is not None and (found := of_item(item, f"{name}[{key}]", bounds)) is not None:
                return found
        return None

    return bound


def _first_of(bounds_of_forms: list[Bound]) -> Bound | None:
    if not bounds_of_forms:
        return None

    def bound(value: Any, name: str, bounds: Bounds) -> Fault | None:
        return next((found for one in bounds_of_forms if (found := one(value, name, bounds)) is not None), None)

    return bound


def _of_any(field: AnyOf) -> Bound | None:
    kinds = [(kind, bound_of(kind)) for kind in field.kinds]
    if all(found is None for _, found in kinds):
        return None

    def bound(value: Any, name: str, bounds: Bounds) -> Fault | None:
        for kind, of_kind in kinds:
            # Any text but none is a list; to find that out by splitting it is what must not be done.
            fits = (
                value != ""
                if isinstance(kind, Array) and isinstance(value, str)
                else coercion.is_kind(value, kind.kind)
            )
            if fits:
                return of_kind(value, name, bounds) if of_kind is not None else None
        return None

    return bound


def _longer(text: str, most: int) -> bool:
    """Say whether text says more items than so many."""
    if len(text) < 2 * most:
        return False
    # The first and the last part may be empty.
    return sum(map(bool, _SPLIT.split(text, most + 2))) > most


def refuse_many(name: str, count: int, most: int) -> None:
    """Refuse a filter of which each part is a condition of its own. Raises InvalidParam.

    count: its parts. most: how many may be joined.
    """
    if count > most:
        raise InvalidParam({name: too_many(name, most)})


def too_many(name: str, most: int) -> Fault:
    """Return why a list is refused that holds more than so many items."""
    return Fault("rest_too_many_items", f"{name} must contain at most {most} items. Send fewer at a time.")

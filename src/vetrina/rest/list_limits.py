"""How many items the lists of a request may have, counted before anything else is done with them.

A list may have as many as its field names (`max_items`), otherwise as the site's limits say; a value without a field
has the limit of a record's data. Text that is split into a list is counted without splitting all of it. Rules:
docs/settings.md, `limits`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

from vetrina.kernel.errors import Fault, InvalidParam
from vetrina.rest import coercion
from vetrina.rest.fields import AnyOf, Array, Field, Object, OneOf, String, Untyped
from vetrina.settings import SiteLimits


class ListLimits(NamedTuple):
    """The most items of a list whose field names no maximum.

    named: of a list that names things, such as the ids of a filter. data: of one that is a record's data, and of
    values without a field.
    """

    named: int
    data: int


def build_list_limits(limits: SiteLimits) -> tuple[ListLimits, ListLimits]:
    """Return the limits of requests that read, and of those that write."""
    read = limits.list_items
    return ListLimits(read, read), ListLimits(read, max(read, limits.written_items))


WRITE_LIST_LIMITS: Final = build_list_limits(SiteLimits())[1]

ListLimitCheck = Callable[[Any, str, ListLimits], Fault | None]

_SEPARATORS: Final = re.compile(r"[\s,]+")


def build_limit_check(field: Field) -> ListLimitCheck | None:
    """Return a function that counts the lists in a value of this field; None where it can have none."""
    match field:
        case Array():
            return _build_array_check(field)
        case Object():
            return _build_object_check(field)
        case OneOf():
            return _combine_checks([found for form in field.forms if (found := build_limit_check(form)) is not None])
        case AnyOf():
            return _build_any_of_check(field)
        case String() if field.parted:
            return _find_oversized_text
        case Untyped():
            return _find_oversized_text if field.parted else find_oversized_list
    # A value that is passed on unchecked may be a list although the field is none.
    return find_oversized_list if field.lenient or field.alone else None


def find_oversized_list(value: Any, name: str, bounds: ListLimits) -> Fault | None:
    """Return why a value without a field is refused: a list or an object in it has too many items."""
    if not isinstance(value, (list, dict)):
        return None
    waiting = [value]
    while waiting:
        node = waiting.pop()
        if len(node) > bounds.data:
            return build_too_many_fault(name, bounds.data)
        below: Iterable[Any] = node.values() if isinstance(node, dict) else node
        waiting += [item for item in below if isinstance(item, (list, dict))]
    return None


def _find_oversized_text(value: Any, name: str, bounds: ListLimits) -> Fault | None:
    if isinstance(value, str):
        return build_too_many_fault(name, bounds.named) if value.count(",") >= bounds.named else None
    return find_oversized_list(value, name, bounds)


def _build_array_check(field: Array) -> ListLimitCheck:
    # The field's own maximum is checked by the field, with other faults.
    most, long = field.max_items or 0, field.long
    of_item = find_oversized_list if field.lenient or field.alone else build_limit_check(field.items)

    def bound(value: Any, name: str, bounds: ListLimits) -> Fault | None:
        limit = max(most, bounds.data if long else bounds.named)
        if isinstance(value, str):
            return build_too_many_fault(name, limit) if _has_more_items(value, limit) else None
        if not isinstance(value, (list, dict)):
            return None
        if len(value) > limit:
            return build_too_many_fault(name, limit)
        if of_item is not None:
            for at, item in enumerate(value if isinstance(value, list) else value.values()):
                if (found := of_item(item, f"{name}[{at}]", bounds)) is not None:
                    return found
        return None

    return bound


def _build_object_check(field: Object) -> ListLimitCheck:
    if field.lenient or field.alone:
        return find_oversized_list
    known: dict[str, ListLimitCheck | None] = {
        name: found for name, member in field.properties.items() if (found := build_limit_check(member)) is not None
    }
    plain = field.properties.keys() - known.keys()
    other = build_limit_check(field.additional) if isinstance(field.additional, Field) else find_oversized_list

    def bound(value: Any, name: str, bounds: ListLimits) -> Fault | None:
        if not isinstance(value, (list, dict)):
            return None
        if len(value) > bounds.data:
            return build_too_many_fault(name, bounds.data)
        for key, item in (coercion.coerce_object(value) or {}).items():
            of_item = None if key in plain else known.get(key) or other
            if of_item is not None and (found := of_item(item, f"{name}[{key}]", bounds)) is not None:
                return found
        return None

    return bound


def _combine_checks(bounds_of_forms: list[ListLimitCheck]) -> ListLimitCheck | None:
    if not bounds_of_forms:
        return None

    def bound(value: Any, name: str, bounds: ListLimits) -> Fault | None:
        return next((found for one in bounds_of_forms if (found := one(value, name, bounds)) is not None), None)

    return bound


def _build_any_of_check(field: AnyOf) -> ListLimitCheck | None:
    kinds = [(kind, build_limit_check(kind)) for kind in field.kinds]
    if all(found is None for _, found in kinds):
        return None

    def bound(value: Any, name: str, bounds: ListLimits) -> Fault | None:
        for kind, of_kind in kinds:
            # Any text but empty text is a list; finding that out by splitting it is what must not be done.
            fits = (
                value != ""
                if isinstance(kind, Array) and isinstance(value, str)
                else coercion.is_of_kind(value, kind.kind)
            )
            if fits:
                return of_kind(value, name, bounds) if of_kind is not None else None
        return None

    return bound


def _has_more_items(text: str, most: int) -> bool:
    """Return whether text has more items than `most`."""
    if len(text) < 2 * most:
        return False
    # The first and the last part may be empty.
    return sum(map(bool, _SEPARATORS.split(text, most + 2))) > most


def check_filter_terms(name: str, count: int, most: int) -> None:
    """Refuse a filter with too many terms, each of which is a condition of its own. Raises InvalidParam.

    count: its terms. most: how many may be combined.
    """
    if count > most:
        raise InvalidParam({name: build_too_many_fault(name, most)})


def build_too_many_fault(name: str, most: int) -> Fault:
    """Return the fault of a list with more items than `most`."""
    return Fault("rest_too_many_items", f"{name} must contain at most {most} items. Send fewer at a time.")

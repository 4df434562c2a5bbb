"""From what a client writes of own fields in a list's query to filters, or to the faults of it.

Not here: the arguments themselves (list_arguments.py beside this), the filters as SQL (value_conditions.py). Rules:
docs/rules/custom_field_lists.md, 1, 2 and 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from vetrina.content.custom_fields.field_values import may_read_field
from vetrina.content.custom_fields.model import CustomField
from vetrina.content.custom_fields.value_conditions import FieldFilter
from vetrina.content.custom_fields.value_keys import encode_number, encode_value
from vetrina.core.user import User
from vetrina.kernel.errors import Fault
from vetrina.kernel.struct_faults import suggest_name
from vetrina.kernel.times import DateTimeOutOfRange, MalformedDateTime, TimeZone, parse_date_time
from vetrina.rest import coercion
from vetrina.rest.fields import Boolean, Field, Integer, Number, String
from vetrina.rest.list_limits import build_too_many_fault
from vetrina.settings import SiteLimits

PREFIX: Final = "meta."
EQUAL: Final = "eq"
_BOUNDS: Final = ("gt", "gte", "lt", "lte")
_DATES: Final = ("date", "date_time")
_LAST_CHARACTER: Final = "\U0010ffff"


class RefusedCondition(Exception):
    """What a client wrote is no filter."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault
        super().__init__(fault.message)


def list_operators(field: CustomField) -> tuple[str, ...]:
    """Return the conditions that a field can be asked for."""
    if field.type == "boolean":
        return (EQUAL, "ne", "exists")
    if field.value_kind == "number":
        return (EQUAL, "ne", *_BOUNDS, "in", "exists")
    return (EQUAL, "ne", "in", "exists") if field.value_kind == "ids" else (EQUAL, "ne", "in", "starts", "exists")


def build_operand_field(field: CustomField, *, whole: bool = True) -> Field:
    """Return the field of a value that a field is compared with. whole: not only the beginning of one."""
    match field.type:
        case "number":
            return Number()
        case "boolean":
            return Boolean()
        case "integer" | "relation" | "file" | "image":
            return Integer()
        case "choice" if whole:
            return String(enum=tuple(field.choices))
        case _:
            return String()


def build_right_fault(parameter: str, field: str) -> Fault:
    """Return the fault of a filter or order by a field that the caller may not read."""
    message = f"You may not read {field}, so you cannot find or sort records by it."
    return Fault("rest_forbidden_field", message, {"param": parameter})


def read_conditions(
    fields: Iterable[CustomField], written: Any, caller: User, zone: TimeZone, limits: SiteLimits
) -> tuple[FieldFilter, ...]:
    """Return the filters that a client wrote, those first by which an index leads best.

    written: field → value, or field → condition → value. zone: in which instants are read.
    Raises RefusedCondition with all faults.
    """
    known = {one.name: one for one in fields if one.value_kind}
    members = coercion.coerce_object(written)
    if members is None:
        raise RefusedCondition(coercion.build_type_fault("meta", "object"))
    if sum(len(one) if isinstance(one, dict) else 1 for one in members.values()) > limits.filter_terms:
        raise RefusedCondition(build_too_many_fault("meta", limits.filter_terms))
    found: list[FieldFilter] = []
    faults: list[Fault] = []
    for name, item in members.items():
        try:
            field = _require_field(known, name, caller)
            found += _read_field(field, item if isinstance(item, dict) else {EQUAL: item}, zone, limits.list_items)
        except RefusedCondition as refused:
            faults.append(refused.fault)
    if faults:
        raise RefusedCondition(Fault(faults[0].code, " ".join(one.message for one in faults), faults[0].data))
    return tuple(sorted(found, key=lambda one: _rank(one, known[one.field])))


def _require_field(known: Mapping[str, CustomField], name: str, caller: User) -> CustomField:
    field, path = known.get(name), PREFIX + name
    if field is None:
        message = f"{path} is no field to filter by; {suggest_name(name, known)}."
        raise RefusedCondition(Fault("rest_unknown_field", message, {"param": path}))
    if not may_read_field(caller, field):
        raise RefusedCondition(build_right_fault(path, path))
    return field


def _rank(one: FieldFilter, field: CustomField) -> tuple[int, str]:
    """Return how well an index leads by a filter: a text splits records more finely than true and false."""
    if not one.is_equality:
        return (3 if one.without else 2), one.field
    return (1 if field.type == "boolean" else 0), one.field


def _read_field(field: CustomField, conditions: Mapping[str, Any], zone: TimeZone, most: int) -> Iterator[FieldFilter]:
    """Yield the filters of one field; its bounds are one filter. most: values of a list."""
    known, several = list_operators(field), field.is_list
    bounds: dict[str, str] = {}
    for operator, value in conditions.items():
        name = PREFIX + field.name + ("" if operator == EQUAL else f"[{operator}]")
        if operator not in known:
            message = f"{name} is no condition; {suggest_name(operator, known)}."
            raise RefusedCondition(Fault("rest_unknown_operator", message, {"param": name}))
        if operator in _BOUNDS:
            bounds[operator] = _read_key(field, value, name, zone)
        elif operator == "exists":
            if (fault := Boolean().fault(value, name)) is not None:
                raise RefusedCondition(fault)
            yield FieldFilter(field.name, without=not coercion.coerce_boolean(value), several=several)
        elif operator == "starts":
            begin = _read_key(field, value, name, zone, whole=False)
            yield FieldFilter(field.name, low=begin, high=begin + _LAST_CHARACTER, several=several)
        elif operator == "in":
            keys = [_read_key(field, one, name, zone) for one in _split_list(value, name, most)]
            yield FieldFilter(field.name, among=tuple(dict.fromkeys(keys)), several=several)
        else:
            among = (_read_key(field, value, name, zone),)
            yield FieldFilter(field.name, among=among, without=operator == "ne", several=several)
    if bounds:
        yield _join_bounds(FieldFilter(field.name, several=several), bounds)


def _join_bounds(of: FieldFilter, bounds: Mapping[str, str]) -> FieldFilter:
    """Return one filter for all bounds of a field; of two on one side the narrower counts."""
    low = max(((bounds[one], one == "gt") for one in ("gt", "gte") if one in bounds), default=(None, False))
    high = min(((bounds[one], one == "lte") for one in ("lt", "lte") if one in bounds), default=(None, True))
    return FieldFilter(
        of.field, low=low[0], high=high[0], low_open=low[1], high_open=not high[1], several=of.several
    )  # fmt: skip


def _split_list(value: Any, name: str, most: int) -> list[Any]:
    """Return the values of a list, or of a text that separates them by commas. Raises RefusedCondition."""
    if isinstance(value, str) and value.count(",") >= most:
        raise RefusedCondition(build_too_many_fault(name, most))
    values = [part.strip() for part in value.split(",")] if isinstance(value, str) else value
    if not isinstance(values, list):
        values = [values]
    if len(values) > most:
        raise RefusedCondition(build_too_many_fault(name, most))
    return values


def _read_key(field: CustomField, value: Any, name: str, zone: TimeZone, *, whole: bool = True) -> str:
    """Return the key of a value that a field is compared with. Raises RefusedCondition."""
    operand = build_operand_field(field, whole=whole)
    if (fault := operand.fault(value, name)) is not None:
        raise RefusedCondition(fault)
    if field.type in _DATES:
        return encode_number(_read_seconds(value, name, zone))
    found = field.list_index_values(operand.clean(value))
    if not found:
        message = f"{name} is empty. Send a value, or {PREFIX}{field.name}[exists]=false for what has none."
        raise RefusedCondition(Fault("rest_invalid_param", message, {"param": name}))
    return encode_value(field, found[0])


def _read_seconds(text: str, name: str, zone: TimeZone) -> int:
    """Return a date or a time in seconds since 1970; an instant as the clock shows it in the site's zone."""
    try:
        parsed = parse_date_time(text if "T" in text or " " in text else f"{text}T00:00:00")
        return parsed.local_seconds if parsed.offset is None else zone.resolve_local(parsed)[0]
    except (MalformedDateTime, DateTimeOutOfRange):
        message = f"{name} is no date. Write YYYY-MM-DD or YYYY-MM-DDTHH:MM:SS."
        raise RefusedCondition(Fault("rest_invalid_date", message, {"param": name})) from None

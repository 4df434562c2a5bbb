"""The arguments by which lists are filtered and sorted by own fields: `meta[prep_minutes][gte]=10`.

Not here: how they are read (list_filters.py beside this). Rules: docs/rules/custom_field_lists.md, 1, 3 and 4.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from vetrina.content.custom_fields.field_values import may_read_field
from vetrina.content.custom_fields.list_filters import (
    EQUAL,
    PREFIX,
    RefusedCondition,
    build_operand_field,
    build_right_fault,
    list_operators,
    read_conditions,
)
from vetrina.content.custom_fields.model import CustomField
from vetrina.content.custom_fields.value_conditions import FieldFilter
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import NOBODY
from vetrina.kernel.errors import Fault, InvalidParam
from vetrina.rest.fields import Array, Boolean, Field, Object, OneOf, ValidationContext
from vetrina.rest.fields.field import FieldCheck

ARGUMENT: Final = "meta"
_HELP: Final[Mapping[str, str]] = {
    "eq": "It is this.",
    "ne": "It is not this, or there is none.",
    "gt": "It is greater, or later.",
    "gte": "It is at least this.",
    "lt": "It is less, or earlier.",
    "lte": "It is at most this.",
    "starts": "It begins with this.",
}


def build_filter_arguments(site: SiteContext, owner: str) -> dict[str, Field]:
    """Return the argument that filters a list by the fields of a content type; none where it has none to filter by."""
    fields = [one for one in site.custom_fields.get(owner, ()) if one.value_kind]
    if not fields:
        return {}

    def check(value: Any, name: str, context: ValidationContext) -> Fault | None:
        try:
            read_conditions(fields, value, context.caller or NOBODY, site.zone, site.profile.limits)
        except RefusedCondition as refused:
            return refused.fault
        return None

    return {
        ARGUMENT: Object(
            "Only those whose own fields fulfil all of these conditions.",
            properties={one.name: _build_filter_field(one) for one in fields},
            additional=False, lenient=True, null="keep", check=check,
        )
    }  # fmt: skip


def list_field_orders(site: SiteContext, owner: str) -> tuple[str, ...]:
    """Return the orders by own fields that the list of a content type has."""
    return tuple(PREFIX + one.name for one in _list_sortable_fields(site, owner))


def build_order_check(site: SiteContext, owner: str) -> FieldCheck | None:
    """Return the check that refuses an order by a field that the caller may not read; None where all may."""
    guarded = {PREFIX + one.name: one for one in _list_sortable_fields(site, owner) if one.read}
    if not guarded:
        return None

    def check(value: Any, name: str, context: ValidationContext) -> Fault | None:
        field = guarded.get(value)
        return (
            None if field is None or may_read_field(context.caller or NOBODY, field) else build_right_fault(name, value)
        )

    return check


def read_filters(work: UnitOfWork, owner: str, args: Mapping[str, Any]) -> tuple[FieldFilter, ...]:
    """Return the filters by own fields that the arguments of a list say. Raises InvalidParam."""
    site, written = work.site, args.get(ARGUMENT)
    fields = site.custom_fields.get(owner, ())
    if written is None or not fields:
        return ()
    try:
        return read_conditions(fields, written, work.user, work.zone, site.profile.limits)
    except RefusedCondition as refused:
        raise InvalidParam({ARGUMENT: refused.fault}) from None


def read_order(orderby: str) -> tuple[str, str]:
    """Return the order of a list and the own field that it sorts by, empty for none."""
    return ("field", orderby.removeprefix(PREFIX)) if orderby.startswith(PREFIX) else (orderby, "")


def _list_sortable_fields(site: SiteContext, owner: str) -> list[CustomField]:
    fields = site.custom_fields.get(owner, ())
    return [one for one in fields if one.value_kind in ("number", "text") and not one.is_list]


def _build_filter_field(field: CustomField) -> OneOf:
    operand = build_operand_field(field)
    conditions: dict[str, Field] = {}
    for operator in list_operators(field):
        if operator == "exists":
            conditions[operator] = Boolean("Whether there is a value.")
        elif operator == "in":
            conditions[operator] = Array("It is one of these.", items=operand)
        else:
            one = build_operand_field(field, whole=False) if operator == "starts" else operand
            conditions[operator] = one.replace(help=_HELP[operator])
    return OneOf(
        f"What {field.label} is to be: a value, or conditions.",
        forms=(
            operand.replace(help=_HELP[EQUAL]),
            Object("Conditions, all of which count.", properties=conditions, additional=False),
        ),
        types=(operand.kind, "object"),
    )

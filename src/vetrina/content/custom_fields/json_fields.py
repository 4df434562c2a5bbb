"""A field of the site's own as a member of a JSON object: what its schema says, and what is checked of one value.

Not here: values that hold others, references, rights (field_values.py beside this). Rules:
docs/rules/custom_fields.md, 2 and 3.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from vetrina.content.custom_fields.model import CustomField, parse_seconds
from vetrina.kernel.errors import Fault
from vetrina.kernel.frozen import thaw
from vetrina.kernel.times import DateTimeOutOfRange, format_iso
from vetrina.rest.fields import (
    ABSENT,
    EDIT,
    VIEW,
    Array,
    Boolean,
    Field,
    Integer,
    Number,
    Object,
    String,
    ValidationContext,
)

_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_URL: Final = re.compile(r"(?:https?://[^/\s]|mailto:[^\s]|tel:[^\s]|/(?!/))\S*", re.IGNORECASE)
_SHOWN: Final = (VIEW, EDIT)
# Nothing of JSON Schema says these; forms look for them.
REFERS_TO: Final = "x-refers-to"  # what a number names: `file`, `image`, a type, a taxonomy or `user`
LABELS: Final = "x-labels"  # what choices are called, by their values
MARKUP: Final = "x-markup"  # what a text with markup is: `rich_text` or `blocks`
SHARED: Final = "x-shared"  # whether all translations have one value
_FILES: Final = {"file": "file", "image": "image", "gallery": "image"}
_RENDERED: Final = {
    "raw": String("Value as it is stored.", context=(EDIT,)),
    "rendered": String("Value as it is shown, as HTML.", context=_SHOWN, readonly=True),
}


def build_json_fields(fields: Sequence[CustomField]) -> dict[str, Field]:
    """Return the members of an object that has these fields, by name."""
    out = {}
    for one in fields:
        field = build_json_field(one)
        # Whoever may not read a field is answered without it.
        extra = {**field.extra, **({SHARED: True} if one.shared else {})}
        out[one.name] = field.replace(optional=bool(one.read), extra=extra)
    return out


def build_json_field(of: CustomField) -> Field:
    """Return a field as a member of an object."""
    help = " ".join(filter(None, (of.help or of.label, "Required to publish." if of.required else "")))
    words: dict[str, Any] = {"title": of.label if of.label != of.name else ""}
    default = ABSENT if of.default is None else thaw(of.default)
    if of.type == "repeater":
        items: Field = Object(properties=build_json_fields(of.fields), additional=False)
        return Array(help, items=items, min_items=of.min_items, max_items=of.max_items, default=default, **words)
    if of.type == "gallery" or of.multiple:
        items = build_value_field(of)
        return Array(help, items=items, min_items=of.min_items, max_items=of.max_items, default=default, **words)
    if of.type == "group":
        return Object(help, build_json_fields(of.fields), additional=False, default=default, **words)
    if of.type in ("rich_text", "blocks"):
        return Object(help, _RENDERED, default=default, extra={MARKUP: of.type}, **words)
    one = build_value_field(of).replace(help=help, default=default, **words)
    if default is not ABSENT:
        return one
    allowed: dict[str, Any] = {"type": [one.kind, "null"]}
    if isinstance(one, String) and one.enum:
        allowed["enum"] = [*one.enum, None]
    return one.replace(extra={**one.extra, **allowed})


def build_value_field(of: CustomField) -> Field:
    """Return what one value must be, of a field that holds no others."""
    match of.type:
        case "integer":
            low, high = (None if bound is None else int(bound) for bound in (of.minimum, of.maximum))
            return Integer(minimum=low, maximum=high)
        case "number":
            return Number(minimum=of.minimum, maximum=of.maximum)
        case "boolean":
            return Boolean()
        case "date":
            return String(format="date", check=_make_date_check(of), alone=True)
        case "date_time":
            return String(format="date-time", check=_make_date_check(of))
        case "choice":
            labels = {value: label for value, label in of.choices.items() if label != value}
            return String(enum=tuple(of.choices), extra={LABELS: labels} if labels else {})
        case "colour":
            return String(format="hex-color")
        case "url":
            return String(format="uri", max_length=of.max_length, check=_check_url)
        case "email":
            return String(format="email")
        case "file" | "image" | "gallery" | "relation":
            return Integer(minimum=1, extra={REFERS_TO: of.to if of.type == "relation" else _FILES[of.type]})
        case _:
            return String(max_length=of.max_length, pattern=f"^(?:{of.pattern})$" if of.pattern else "")


def _make_date_check(of: CustomField) -> Any:
    def check(value: Any, name: str, context: ValidationContext) -> Fault | None:
        if not isinstance(value, str):
            return String().fault(value, name)
        if of.type == "date" and not _DATE.fullmatch(value):
            return Fault("rest_invalid_date", f"{name} is not a date: write YYYY-MM-DD.")
        seconds = parse_seconds(value)
        if seconds is None or (of.type == "date" and format_iso(seconds)[:10] != value):
            return Fault("rest_invalid_date", f"{name} is not a date that there is.")
        if of.minimum is not None and seconds < of.minimum:
            return Fault("rest_out_of_bounds", f"{name} must not be before {_format_bound(of, of.minimum)}.")
        if of.maximum is not None and seconds > of.maximum:
            return Fault("rest_out_of_bounds", f"{name} must not be after {_format_bound(of, of.maximum)}.")
        return None

    return check


def _format_bound(of: CustomField, seconds: float) -> str:
    try:
        text = format_iso(int(seconds))
    except DateTimeOutOfRange:
        return str(seconds)
    return text if of.type == "date_time" else text[:10]


def _check_url(value: Any, name: str, context: ValidationContext) -> Fault | None:
    if isinstance(value, str) and _URL.fullmatch(value):
        return None
    return Fault("rest_invalid_param", f"{name} is no address: write one with https://, mailto: or tel:, or a path.")

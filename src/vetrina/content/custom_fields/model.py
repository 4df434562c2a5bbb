"""What a field of the site's own is, and what of its values an index can hold.

Not here: how a profile becomes fields (declaration.py beside this). Rules: docs/rules/custom_fields.md, 1, 2 and 7.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from vetrina.core.site_context import SiteContext
from vetrina.kernel.frozen import freeze
from vetrina.kernel.times import DateTimeOutOfRange, MalformedDateTime, parse_date_time
from vetrina.settings import FieldType

ValueKind = Literal["number", "text", "ids", ""]

_VALUE_KINDS: Final[Mapping[FieldType, ValueKind]] = {
    "integer": "number",
    "number": "number",
    "boolean": "number",
    "date": "number",
    "date_time": "number",
    "text": "text",
    "choice": "text",
    "colour": "text",
    "url": "text",
    "email": "text",
    "file": "ids",
    "image": "ids",
    "relation": "ids",
}
_DATES: Final = ("date", "date_time")
_TRANSLATED: Final = ("text", "rich_text", "blocks")
_FILES: Final = ("file", "image", "gallery")


@dataclass(frozen=True)
class CustomField:
    """A field of the site's own.

    choices: what a choice can be, value → label. default: as it is stored; None for none. minimum, maximum: numbers;
    of dates in seconds since 1970, as if the site's zone were GMT. fields: the members of a group, or of each item of a
    repeater. to: a content type, a taxonomy or `user`. shared: whether all translations of a record have one value.
    read, write: the capability that each takes beside the right to the record; empty for none.
    """

    name: str
    type: FieldType
    label: str
    help: str = ""
    required: bool = False
    default: Any = field(default=None, hash=False)
    minimum: float | None = None
    maximum: float | None = None
    max_length: int | None = None
    pattern: str = ""
    choices: Mapping[str, str] = field(default_factory=dict, hash=False)
    multiple: bool = False
    to: str = ""
    fields: tuple[CustomField, ...] = ()
    min_items: int | None = None
    max_items: int | None = None
    shared: bool = False
    read: str = ""
    write: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "choices", freeze(self.choices))
        object.__setattr__(self, "default", freeze(self.default))

    @property
    def is_list(self) -> bool:
        """Return whether a value is a list."""
        return self.multiple or self.type in ("gallery", "repeater")

    @property
    def target(self) -> str:
        """Return what its values are the ids of: a content type, a taxonomy or `user`; empty for no ids."""
        return "attachment" if self.type in _FILES else self.to

    def list_text_paths(self) -> list[tuple[str, ...]]:
        """Return where in a value the texts are that are translated; `*` stands for each item of a list."""
        if self.type in _TRANSLATED:
            return [("*",) if self.multiple else ()]
        inside = ("*",) if self.type == "repeater" else ()
        return [(*inside, one.name, *path) for one in self.fields for path in one.list_text_paths()]

    @property
    def value_kind(self) -> ValueKind:
        """Return how lists can be filtered and sorted by it: as numbers, as texts, by ids; empty for not at all."""
        return _VALUE_KINDS.get(self.type, "")

    def list_index_values(self, value: Any) -> list[float | int | str]:
        """Return what an index holds of a stored value: one entry, several of a list, none of what does not fit.

        Dates are seconds since 1970, as if the site's zone were GMT; booleans 1 and 0.
        """
        values = value if isinstance(value, (list, tuple)) else (value,)
        return [found for one in values for found in self._iterate_index_values(one)]

    def _iterate_index_values(self, value: Any) -> Iterator[float | int | str]:
        if self.type in _DATES:
            seconds = parse_seconds(value)
            if seconds is not None:
                yield seconds
        elif self.value_kind == "text":
            if isinstance(value, str) and value:
                yield value
        elif self.type == "boolean":
            if isinstance(value, bool):
                yield int(value)
        elif self.value_kind and _is_finite_number(value):
            yield value


def _is_finite_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def parse_seconds(value: Any) -> int | None:
    """Return a date or a local time, as it is stored, in seconds since 1970; None for what is neither."""
    if not isinstance(value, str):
        return None
    try:
        return parse_date_time(value if "T" in value else f"{value}T00:00:00").local_seconds
    except (MalformedDateTime, DateTimeOutOfRange):
        return None


def list_shared_names(site: SiteContext, owner: str) -> list[str]:
    """Return the names of the own fields of a type or a taxonomy that all translations share."""
    return [one.name for one in site.custom_fields.get(owner, ()) if one.shared]


def replace_shared_values(
    site: SiteContext, owner: str, meta: Mapping[str, Any], others: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the stored fields of a translation with the shared values of another one."""
    names = list_shared_names(site, owner)
    kept = {name: value for name, value in meta.items() if name not in names}
    return {**kept, **{name: others[name] for name in names if name in others}}

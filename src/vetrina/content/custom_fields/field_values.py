"""What a write makes of the values of own fields: checked as a whole, cleaned by the writer's rights, merged.

Every fault is found, each with the name of the value that has it (`meta.steps[2].minutes`). Not here: which values a
reader sees (views.py beside this), whether what a value refers to is there (references.py). Rules:
docs/rules/custom_fields.md, 3 to 6.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from vetrina.access.roles.capabilities import may_write_unfiltered_html
from vetrina.content.custom_fields import references
from vetrina.content.custom_fields.json_fields import build_value_field
from vetrina.content.custom_fields.model import CustomField
from vetrina.content.custom_fields.references import Reference
from vetrina.content.text import sanitizing
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.kernel.errors import Fault, InvalidParam, PermissionDenied
from vetrina.kernel.struct_faults import suggest_name
from vetrina.kernel.times import DateTimeOutOfRange, MalformedDateTime, format_iso, parse_date_time
from vetrina.rest.coercion import build_type_fault

MEMBERS: Final[tuple[str, ...]] = ("meta", "ext")  # of a record, in which own fields are written
_MARKUP: Final = ("rich_text", "blocks")
# Types whose empty text, or 0 where they are numbers of something, means that there is no value.
_EMPTIED: Final = frozenset({
    "integer", "number", "boolean", "date", "date_time", "choice", "colour", "url", "email", "file", "image",
    "relation",
})  # fmt: skip

GivenValues = Mapping[str, tuple[str, Any]]  # by a field's name: the name in the request, and the value


class CannotWriteField(PermissionDenied):
    """A field that the caller may not write was written."""

    code = "rest_cannot_update"
    message = "You may not write {names}."

    def __init__(self, signed_in: bool, names: Sequence[str]) -> None:
        super().__init__(signed_in, data={"params": [*names]}, names=", ".join(names))


def collect_given_values(given: Mapping[str, Any]) -> GivenValues:
    """Return the values that a write names in `meta` and `ext`. Raises InvalidParam where the two disagree."""
    out: dict[str, tuple[str, Any]] = {}
    faults: dict[str, Fault] = {}
    for member in MEMBERS:
        values = given.get(member)
        for name, value in values.items() if isinstance(values, Mapping) else ():
            path = f"{member}.{name}"
            if name in out and out[name][1] != value:
                faults[path] = Fault("rest_invalid_param", f"{path} and {out[name][0]} are one field; write it once.")
            out[name] = path, value
    if faults:
        raise InvalidParam(faults)
    return out


def merge_field_values(
    work: UnitOfWork,
    fields: Sequence[CustomField],
    stored: Mapping[str, Any],
    given: GivenValues,
    *,
    others: Collection[str] = (),
    required: Collection[str] = (),
) -> dict[str, Any]:
    """Return the stored values after a write; null restores a field's default.

    others: names that are no own fields and may be given; they are not merged here. required: names of the fields that
    must not be left without a value.
    Raises CannotWriteField, and InvalidParam with every fault.
    """
    known = {one.name: one for one in fields}
    reader = _ValueReader(work)
    out, denied = dict(stored), []
    for name, (path, value) in given.items():
        if name in known:
            field = known[name]
            new = reader.read_value(field, value, path, stored.get(name))
            if not may_write_field(work.user, field) and not _is_unchanged(work.user, field, new, stored.get(name)):
                denied.append(path)
            if new is None:
                out.pop(name, None)
            else:
                out[name] = new
        elif name not in others:
            message = f"There is no field {name!r} here; {suggest_name(name, [*known, *sorted(others)])}."
            reader.faults[path] = Fault("rest_additional_properties_forbidden", message)
    if denied:
        raise CannotWriteField(bool(work.user), denied)
    for name in required:
        field, path = known[name], given[name][0] if name in given else f"meta.{name}"
        for missing in _list_missing(field, out.get(name), path):
            reader.faults.setdefault(missing, Fault("rest_property_required", f"{missing} is required."))
    reader.faults.update(references.find_reference_faults(work, reader.references))
    if reader.faults:
        raise InvalidParam(reader.faults)
    return out


def merge_owned_values(
    work: UnitOfWork,
    owner: str,
    stored: Mapping[str, Any],
    given: Mapping[str, Any],
    *,
    creating: bool = False,
    others: Collection[str] = (),
) -> dict[str, Any]:
    """Return the stored values of a term, a user or an options page after a write.

    owner: the taxonomy or options page, or `user`. given: the written members, of which `meta` and `ext` count.
    creating: whether it is new, and needs every required field. others: as in `merge_field_values`.
    Raises CannotWriteField, InvalidParam.
    """
    fields, values = work.site.custom_fields.get(owner, ()), collect_given_values(given)
    required = [one.name for one in fields if creating or one.name in values]
    return merge_field_values(work, fields, stored, values, others=others, required=required)


def may_read_field(user: User, field: CustomField) -> bool:
    """Return whether somebody who may see a thing also sees this field of it."""
    return not field.read or user.can(field.read)


def may_write_field(user: User, field: CustomField) -> bool:
    """Return whether somebody who may edit a thing also writes this field of it."""
    return not field.write or user.can(field.write)


def list_stored_faults(field: CustomField, value: Any) -> list[tuple[str, str]]:
    """Return what keeps a stored value from being one of a field now: name of the part, and why."""
    reader = _ValueReader(None)
    reader.read_value(field, value, field.name, value)
    return [(name, fault.message) for name, fault in reader.faults.items()]


def _is_unchanged(user: User, field: CustomField, new: Any, stored: Any) -> bool:
    # A client that writes a whole record back sends what it was shown; of a hidden value, this would tell what it is.
    return may_read_field(user, field) and new == stored


class _ValueReader:
    """Reads values as they are stored. faults: by name. references: those that a write adds. work: None for a check."""

    def __init__(self, work: UnitOfWork | None) -> None:
        self.work = work
        self.faults: dict[str, Fault] = {}
        self.references: list[Reference] = []
        self._is_free = work is None or may_write_unfiltered_html(work.user)

    def read_value(self, field: CustomField, value: Any, path: str, stored: Any) -> Any:
        """Return a value as it is stored, None for none. stored: what the record has; its references are not new."""
        held = {reference.id for reference in references.list_references(field, stored, path)}
        read = self._read(field, value, path)
        if self.work is not None and path not in self.faults:
            self.references += [one for one in references.list_references(field, read, path) if one.id not in held]
        return read

    def _read(self, field: CustomField, value: Any, path: str) -> Any:
        if value is None:
            return None
        if not field.is_list:
            return self._read_one(field, value, path)
        if not isinstance(value, list):
            return self._refuse(path, build_type_fault(path, "array"))
        size = len(value)
        if size and field.min_items is not None and size < field.min_items:
            message = f"{path} must contain at least {field.min_items} item(s)."
            self._refuse(path, Fault("rest_too_few_items", message))
        if field.max_items is not None and size > field.max_items:
            message = f"{path} must contain at most {field.max_items} items."
            return self._refuse(path, Fault("rest_too_many_items", message))
        found = [self._read_one(field, one, f"{path}[{at}]") for at, one in enumerate(value)]
        return [one for one in found if one is not None] or None

    def _read_one(self, field: CustomField, value: Any, path: str) -> Any:
        if field.type in ("group", "repeater"):
            return self._read_members(field, value, path)
        if field.type in _MARKUP:
            return self._read_markup(field, value, path)
        if field.type in _EMPTIED and (value == "" or (field.target and value in (0, False))):
            return None
        if field.type == "date_time" and isinstance(value, str) and self.work is not None:
            value = _to_local_time(self.work, value)
        leaf = build_value_field(field)
        if (fault := leaf.fault(value, path)) is not None:
            return self._refuse(path, fault)
        clean = leaf.clean(value)
        if field.type == "text":
            clean = clean.replace("\0", "")
            return clean if self._is_free else sanitizing.sanitize_plain_lines(clean)
        return clean

    def _read_members(self, field: CustomField, value: Any, path: str) -> Any:
        if not isinstance(value, Mapping):
            return self._refuse(path, build_type_fault(path, "object"))
        known = {one.name: one for one in field.fields}
        out = {}
        for name, one in value.items():
            inside = f"{path}.{name}"
            if name not in known:
                message = f"{inside} is no field; {suggest_name(name, known)}."
                self._refuse(inside, Fault("rest_additional_properties_forbidden", message))
            elif (read := self._read(known[name], one, inside)) is not None:
                out[name] = read
        # An item of a repeater is there even where nothing is written in it.
        return out if out or field.type == "repeater" else None

    def _read_markup(self, field: CustomField, value: Any, path: str) -> Any:
        raw = value.get("raw") if isinstance(value, Mapping) else value
        leaf = build_value_field(field)
        if raw is None:
            return None
        if (fault := leaf.fault(raw, path)) is not None:
            return self._refuse(path, fault)
        text = raw.replace("\0", "")
        if self._is_free or self.work is None:
            return text or None
        return self.work.run_before_write((path, text), len(text), lambda: sanitizing.sanitize_content(text)) or None

    def _refuse(self, path: str, fault: Fault) -> None:
        self.faults.setdefault(path, fault)


def _to_local_time(work: UnitOfWork, value: str) -> str:
    """Return a date and time in the site's zone, without an offset; what is none stays as it is."""
    try:
        return format_iso(work.zone.resolve_local(parse_date_time(value))[0])
    except (MalformedDateTime, DateTimeOutOfRange):
        return value


def _list_missing(field: CustomField, value: Any, path: str) -> list[str]:
    """Return the names of required values that are not there, in the field and in what it holds."""
    if value in (None, "", [], {}):
        return [path] if field.required and field.default is None else []
    if field.type == "group":
        return [name for one in field.fields for name in _list_missing(one, value.get(one.name), f"{path}.{one.name}")]
    if field.type == "repeater":
        return [
            name
            for at, item in enumerate(value)
            for one in field.fields
            for name in _list_missing(one, item.get(one.name), f"{path}[{at}].{one.name}")
        ]
    return []

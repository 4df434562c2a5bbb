"""From a record to the members of a response: those of its context, with the values that they have.

A `Serializer` joins the schema of a record with the getter of each member; its plan for a context and a choice of
fields is compiled once and cached. Not here: which members a client chooses (rest/field_selection.py), embedding
(rest/embedding.py). Rules: docs/rules/global_parameters.md, 1 and 3; docs/rules/coercion.md, 10.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, NamedTuple

from vetrina.rest.field_selection import FieldSelection
from vetrina.rest.fields import Field, Object

MemberGetter = Callable[[Any, Any], Any]
# All members, without values; those that are plain attributes, with the function that reads them; the others with
# their getters; those whose children are chosen; children that are added to a member.
_SerializerPlan = tuple[
    dict[str, Any], tuple[str, ...], Callable[[Any], tuple[Any, ...]] | None, list[tuple[str, MemberGetter]],
    list[tuple[str, tuple[str, ...]]], list[tuple[str, str, MemberGetter]],
]  # fmt: skip

_MAX_PLANS = 512
CURIES = [{"name": "cms", "href": "https://api.cms.example/{rel}", "templated": True}]


class AttributeGetter:
    """A getter that only reads an attribute of the record, by its path; a serializer reads all of these at once."""

    __slots__ = ("_read", "path")

    def __init__(self, path: str) -> None:
        self.path, self._read = path, attrgetter(path)

    def __call__(self, record: Any, view: Any) -> Any:
        return self._read(record)


def read_attributes(*names: str, **renamed: str) -> dict[str, MemberGetter]:
    """Return the getters of members that are attributes of the record.

    names: of members and attributes alike. renamed: member → path of the attribute.
    """
    return {name: AttributeGetter(path) for name, path in {**{name: name for name in names}, **renamed}.items()}


class RequestedMember(NamedTuple):
    """A member that is shown only where `_fields` names it; the schema of the interface does not have it."""

    field: Field
    getter: MemberGetter


class Serializer:
    """How a record type is serialized.

    fields: the record's schema, by member; their contexts say where a member is included.
    getters: (record, view) -> value, by member; a member without one is left out (write-only).
    nested: whether `_fields` may name children; where not, a child's name matches nothing.
    requested: members that are shown only where `_fields` names them, by name; one with a dot is a child.
    """

    def __init__(
        self,
        fields: Mapping[str, Field],
        getters: Mapping[str, MemberGetter],
        nested: bool = True,
        requested: Mapping[str, RequestedMember] | None = None,
    ) -> None:
        self.fields, self.getters, self.nested = dict(fields), dict(getters), nested
        self.requested = dict(requested or {})
        self._plans: dict[tuple[str, tuple[str, ...] | None], _SerializerPlan] = {}

    def serialize(self, record: Any, view: Any, context: str, wanted: FieldSelection | None = None) -> dict[str, Any]:
        """Return the members of a record in a context; wanted: leaves out members that are not asked for."""
        if wanted is not None and not wanted.is_cached:
            last = wanted.last_plan
            if last is None or last[0] is not self or last[1] != context:
                last = wanted.last_plan = (self, context, self._build_plan(context, wanted))
            plan: _SerializerPlan | None = last[2]
        else:
            key = (context, wanted.names if wanted else None)
            plan = self._plans.get(key)
            if plan is None:
                if len(self._plans) >= _MAX_PLANS:
                    self._plans.clear()
                plan = self._plans[key] = self._build_plan(context, wanted)
        assert plan is not None
        blank, names, read, members, cut, added = plan
        out = blank.copy()
        if read is not None:
            out.update(zip(names, read(record), strict=True))
        for name, getter in members:
            out[name] = getter(record, view)
        for name, below in cut:
            value = out[name]
            if isinstance(value, dict):
                out[name] = {key: value[key] for key in below if key in value}
        for name, child, getter in added:
            out[name] = {**out[name], child: getter(record, view)}
        return out

    def _build_plan(self, context: str, wanted: FieldSelection | None) -> _SerializerPlan:
        names: set[str] | None = None
        if wanted is not None:
            names = {"id", *(name.split(".")[0] if self.nested else name for name in wanted.names)}
        members: list[tuple[str, MemberGetter]] = []
        cut: list[tuple[str, tuple[str, ...]]] = []
        for name, field in self.fields.items():
            if name not in self.getters or (field.context and context not in field.context):
                continue
            if names is not None and name not in names:
                continue
            members.append((name, self.getters[name]))
            if isinstance(field, Object) and any(member.context for member in field.properties.values()):
                visible = tuple(key for key, member in field.properties.items() if context in member.context)
                if len(visible) < len(field.properties):
                    cut.append((name, visible))
        added: list[tuple[str, str, MemberGetter]] = []
        for path, one in self.requested.items():
            name, _, child = path.partition(".")
            if wanted is None or names is None or context not in one.field.context:
                continue
            if not child and name in names and name not in self.fields:
                members.append((name, one.getter))
            elif child and path in wanted.names and any(name == shown for shown, _ in members):
                added.append((name, child, one.getter))
        plain = [(name, getter.path) for name, getter in members if isinstance(getter, AttributeGetter)]
        if len(plain) < 2:  # of one path alone the value would come without a tuple
            return dict.fromkeys(name for name, _ in members), (), None, members, cut, added
        read = attrgetter(*(path for _, path in plain))
        rest = [(name, getter) for name, getter in members if not isinstance(getter, AttributeGetter)]
        return dict.fromkeys(name for name, _ in members), tuple(name for name, _ in plain), read, rest, cut, added

    def build_response_fields(self) -> dict[str, Field]:
        """Return the members that `_fields` may ask for beyond the schema, for the OpenAPI document."""
        out: dict[str, Field] = {}
        for path, one in self.requested.items():
            name, _, child = path.partition(".")
            whole = self.fields.get(name)
            if not child and whole is None:
                out[name] = one.field.replace(optional=True)
            elif child and isinstance(whole, Object):
                out[name] = whole.replace(properties={**whole.properties, child: one.field.replace(optional=True)})
        return out

    def schema(self, title: str, links: list[dict[str, Any]] | None = None) -> dict[str, Any]:
        """Return the JSON schema of the record, as OPTIONS has it, with what only responses have."""
        out: dict[str, Any] = {
            "$schema": "http://json-schema.org/draft-04/schema#",
            "title": title,
            "type": "object",
            "properties": {name: self._describe_member(name, field) for name, field in self.fields.items()},
        }
        if links:
            out["links"] = links
        return out

    def _describe_member(self, name: str, field: Field) -> dict[str, Any]:
        # What this serializer does not read, its resource may add to some records.
        return (field.replace(optional=True) if self.getters and name not in self.getters else field).schema()


def build_link(href: str, /, embeddable: bool = False, **members: Any) -> dict[str, Any]:
    """Return one link of `_links`."""
    return {**members, "embeddable": True, "href": href} if embeddable else {**members, "href": href}

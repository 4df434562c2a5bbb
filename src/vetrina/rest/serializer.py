"""From a record to the members of an answer: context, chosen fields, links, embedded records.

A Shape joins the schema of a record with the getter of each member; its plan for a context and a choice of fields is
compiled once and kept. Rules: facts of the interface, "Global parameters and headers".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from operator import attrgetter
from typing import Any

from vetrina.rest.coercion import array
from vetrina.rest.fields import Field, Object

__all__ = ["CURIES", "Choice", "Member", "Shape", "choice", "chosen", "link"]

Getter = Callable[[Any, Any], Any]
Tree = dict[str, "Tree | None"]
# All members, without values; those that are only read, with what reads them; the others with their getters; those
# whose children are chosen.
_Plan = tuple[
    dict[str, Any], tuple[str, ...], Callable[[Any], tuple[Any, ...]] | None, list[tuple[str, Getter]],
    list[tuple[str, tuple[str, ...]]],
]  # fmt: skip

_MOST_PLANS = 512
_LONGEST = 2000  # letters of a choice that is known from one request to the next
CURIES = [{"name": "cms", "href": "https://api.cms.example/{rel}", "templated": True}]


class Choice:
    """What `_fields` asks for: a tree of names; a whole member wins over its children.

    kept: whether it is known from one request to the next. last: the plan of one that is not, with shape and context.
    """

    __slots__ = ("kept", "last", "names", "tree")

    def __init__(self, names: tuple[str, ...], kept: bool = True) -> None:
        self.names, self.kept = names, kept
        self.last: tuple[Shape, str, _Plan] | None = None
        self.tree: Tree = {}
        for name in names:
            node = self.tree
            parts = name.split(".")
            for part in parts[:-1]:
                known = node.setdefault(part, {})
                if known is None:
                    break
                node = known
            else:
                node[parts[-1]] = None

    def names_links(self) -> bool:
        """Say whether links or embedded records are asked for."""
        return "_links" in self.tree or "_embedded" in self.tree


@lru_cache(maxsize=_MOST_PLANS)
def _choice(names: tuple[str, ...]) -> Choice:
    return Choice(names)


def choice(raw: Any) -> Choice | None:
    """Return what the raw value of `_fields` asks for, None for everything."""
    names = tuple(name.strip() for name in array(raw) or () if isinstance(name, str) and name.strip())
    if not names:
        return None
    # Choices come from clients: how many are kept is bounded, and how long they are.
    return _choice(names) if sum(map(len, names)) <= _LONGEST else Choice(names, kept=False)


def chosen(body: Any, tree: Tree) -> Any:
    """Return the members of an answer that the tree names, in the answer's own order."""
    if isinstance(body, list):
        return [chosen(item, tree) for item in body]
    if not isinstance(body, dict):
        return body
    out = {}
    for name, value in body.items():
        if name in tree:
            below = tree[name]
            if below is None:
                out[name] = value
            elif isinstance(value, (dict, list)):
                out[name] = chosen(value, below) if isinstance(value, dict) else value
    return out


class Member:
    """A getter that only reads an attribute of the record, by its path; a shape reads all of these at once."""

    __slots__ = ("_read", "path")

    def __init__(self, path: str) -> None:
        self.path, self._read = path, attrgetter(path)

    def __call__(self, record: Any, view: Any) -> Any:
        return self._read(record)


class Shape:
    """How a kind of record is shown.

    fields: the record's schema, by member; their contexts say where a member is shown.
    getters: (record, view) -> value, by member; a member without one is not shown (write-only).
    nested: whether `_fields` may name children; where not, a child's name finds nothing.
    """

    def __init__(self, fields: Mapping[str, Field], getters: Mapping[str, Getter], nested: bool = True) -> None:
        self.fields, self.getters, self.nested = dict(fields), dict(getters), nested
        self._plans: dict[tuple[str, tuple[str, ...] | None], _Plan] = {}

    def members(self, record: Any, view: Any, context: str, wanted: Choice | None = None) -> dict[str, Any]:
        """Return the members of a record in a context; `wanted` leaves out what nobody will see."""
        if wanted is not None and not wanted.kept:
            last = wanted.last
            if last is None or last[0] is not self or last[1] != context:
                last = wanted.last = (self, context, self._plan(context, wanted))
            plan: _Plan | None = last[2]
        else:
            key = (context, wanted.names if wanted else None)
            plan = self._plans.get(key)
            if plan is None:
                if len(self._plans) >= _MOST_PLANS:
                    self._plans.clear()
                plan = self._plans[key] = self._plan(context, wanted)
        assert plan is not None
        blank, names, read, members, cut = plan
        out = blank.copy()
        if read is not None:
            out.update(zip(names, read(record), strict=True))
        for name, getter in members:
            out[name] = getter(record, view)
        for name, below in cut:
            value = out[name]
            if isinstance(value, dict):
                out[name] = {key: value[key] for key in below if key in value}
        return out

    def _plan(self, context: str, wanted: Choice | None) -> _Plan:
        names: set[str] | None = None
        if wanted is not None:
            names = {"id", *(name.split(".")[0] if self.nested else name for name in wanted.names)}
        members: list[tuple[str, Getter]] = []
        cut: list[tuple[str, tuple[str, ...]]] = []
        for name, field in self.fields.items():
            if name not in self.getters or (field.context and context not in field.context):
                continue
            if names is not None and name not in names:
                continue
            members.append((name, self.getters[name]))
            if isinstance(field, Object) and any(member.context for member in field.properties.values()):
                shown = tuple(key for key, member in field.properties.items() if context in member.context)
                if len(shown) < len(field.properties):
                    cut.append((name, shown))
        plain = [(name, getter.path) for name, getter in members if isinstance(getter, Member)]
        if len(plain) < 2:  # of one path alone the value would come without a tuple
            return dict.fromkeys(name for name, _ in members), (), None, members, cut
        read = attrgetter(*(path for _, path in plain))
        rest = [(name, getter) for name, getter in members if not isinstance(getter, Member)]
        return dict.fromkeys(name for name, _ in members), tuple(name for name, _ in plain), read, rest, cut

    def schema(self, title: str, links: list[dict[str, Any]] | None = None) -> dict[str, Any]:
        """Return the JSON schema of the record, as OPTIONS shows it."""
        out: dict[str, Any] = {
            "$schema": "http://json-schema.org/draft-04/schema#",
            "title": title,
            "type": "object",
            "properties": {name: field.schema() for name, field in self.fields.items()},
        }
        if links:
            out["links"] = links
        return out


def link(href: str, /, embeddable: bool = False, **members: Any) -> dict[str, Any]:
    """Return one link of `_links`."""
    return {**members, "embeddable": True, "href": href} if embeddable else {**members, "href": href}

"""From what a client sent to the arguments that a handler gets; every fault of a round is gathered.

Sources, strongest first: JSON body, form body, query, path. Rounds: `early` fields are checked first, the others only
when the first round found nothing. Rules: facts of the interface, "How a request is processed".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from vetrina.kernel.errors import Fault, InvalidParam, MissingParam
from vetrina.rest.fields import ABSENT, NOBODY_ASKS, Asked, Field
from vetrina.rest.list_limits import WRITING, Bound, Bounds, any_too_long, bound_of

__all__ = ["Arguments", "Taken", "merged"]

Values = dict[str, Any]


def merged(sources: Sequence[Mapping[str, Any]]) -> Values:
    """Return one value for each name; sources run from the weakest to the strongest, and null gives way to a value."""
    out: Values = {}
    for source in sources:
        for name, value in source.items():
            if value is None:
                out.setdefault(name, None)
            else:
                out[name] = value
    return out


class Taken(dict[str, Any]):
    """The typed arguments of a call, defaults included; `given` holds the names that the client gave."""

    __slots__ = ("given",)

    def __init__(self, values: Mapping[str, Any], given: frozenset[str]) -> None:
        super().__init__(values)
        self.given = given


class Arguments:
    """The compiled arguments of one route; `defaults`: the values of those that nobody gives."""

    __slots__ = ("_bounds", "_required", "_two_rounds", "defaults", "fields")

    def __init__(self, fields: Mapping[str, Field]) -> None:
        self.fields = dict(fields)
        self._bounds: dict[str, Bound | None] | None = None
        self._required = [name for name, field in fields.items() if field.required]
        self.defaults: Mapping[str, Any] = {
            name: field.clean(field.default) if field.default is not None else None
            for name, field in fields.items()
            if field.default is not ABSENT
        }
        self._two_rounds = len({field.early for field in fields.values() if not field.lenient}) > 1

    def take(
        self, raw: Mapping[str, Any], checked: bool = True, asked: Asked = NOBODY_ASKS, bounds: Bounds = WRITING
    ) -> Taken:
        """Return the typed arguments of the raw values; unchecked, those that are good.

        asked: who asks, for rules that depend on the caller or on what is stored. bounds: how long lists may be.

        Raises MissingParam when a required one is absent or null, InvalidParam with all lists that are too long, of
        no declared argument too, or with all faults of the first round that has any.
        """
        too_long = self._too_long(raw, bounds)
        if too_long and checked:
            raise InvalidParam(too_long)
        if not checked:
            raw = {
                name: value
                for name, value in raw.items()
                if name in self.fields
                and name not in too_long
                and (value is None or self.fields[name].fault(value, name, asked) is None)
            }
        missing = [name for name in self._required if raw.get(name) is None and name not in self.defaults]
        if missing and checked:
            raise MissingParam(missing)
        fields = self.fields
        given = [name for name in raw if name in fields]
        if given and checked:
            if self._two_rounds:
                self._refuse([name for name in given if fields[name].early], raw, asked)
                self._refuse([name for name in given if not fields[name].early], raw, asked)
            else:
                self._refuse(given, raw, asked)
        values = {**self.defaults}
        kept = []
        for name in given:
            value, field = raw[name], fields[name]
            if value is not None:
                values[name] = value if field.lenient else field.clean(value)
                kept.append(name)
            elif field.null == "null" or (field.null == "empty" and name not in self.defaults):
                values[name] = None if field.null == "null" else field.empty()
                kept.append(name)
        return Taken(values, frozenset(kept))

    def _too_long(self, raw: Mapping[str, Any], bounds: Bounds) -> dict[str, Fault]:
        """Return the values whose lists hold too much; of what no argument is declared for a handler may read too."""
        known = self._bounds
        if known is None:
            # At first use: most routes of a process are never asked for.
            known = self._bounds = {name: bound_of(field) for name, field in self.fields.items()}
        faults: dict[str, Fault] = {}
        for name, value in raw.items():
            bound = known.get(name, any_too_long)
            if bound is not None and (found := bound(value, name, bounds)) is not None:
                faults[name] = found
        return faults

    def _refuse(self, names: list[str], raw: Mapping[str, Any], asked: Asked) -> None:
        faults: dict[str, Fault] = {}
        for name in names:
            field = self.fields[name]
            if raw[name] is None:
                continue
            found = field.fault(raw[name], name, asked)
            if found is not None:
                faults[name] = found
        if faults:
            raise InvalidParam({name: faults[name] for name in self.fields if name in faults})

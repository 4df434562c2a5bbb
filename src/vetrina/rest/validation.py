"""From raw values to the arguments that a handler gets; all faults of a round are reported.

Sources, strongest first: JSON body, form body, query, path. Rounds: `early` fields are checked first, the others only
when the first round found nothing. Rules: docs/rules/requests.md, 3, 5 and 6; docs/rules/coercion.md, 6 and 9;
docs/rules/errors.md, 3, 4 and 5.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from vetrina.kernel.errors import Fault, InvalidParam, MissingParam
from vetrina.rest.fields import ABSENT, EMPTY_VALIDATION_CONTEXT, Field, ValidationContext
from vetrina.rest.list_limits import (
    WRITE_LIST_LIMITS,
    ListLimitCheck,
    ListLimits,
    build_limit_check,
    find_oversized_list,
)

RawValues = dict[str, Any]


def merge_sources(sources: Sequence[Mapping[str, Any]]) -> RawValues:
    """Return one value for each name; sources go from the weakest to the strongest, and null gives way to a value."""
    out: RawValues = {}
    for source in sources:
        for name, value in source.items():
            if value is None:
                out.setdefault(name, None)
            else:
                out[name] = value
    return out


class ParsedArguments(dict[str, Any]):
    """The typed arguments of a call, defaults included; `given_names`: the names that the client sent."""

    __slots__ = ("given_names",)

    def __init__(self, values: Mapping[str, Any], given: frozenset[str]) -> None:
        super().__init__(values)
        self.given_names = given


class ArgumentParser:
    """The compiled arguments of one route.

    defaults: the values of absent ones. secrets: the names of those that no address may hold.
    """

    __slots__ = ("_limit_checks", "_required", "_two_rounds", "defaults", "fields", "secrets")

    def __init__(self, fields: Mapping[str, Field]) -> None:
        self.fields = dict(fields)
        self._limit_checks: dict[str, ListLimitCheck | None] | None = None
        self._required = [name for name, field in fields.items() if field.required]
        self.defaults: Mapping[str, Any] = {
            name: field.clean(field.default) if field.default is not None else None
            for name, field in fields.items()
            if field.default is not ABSENT
        }
        self.secrets = tuple(name for name, field in fields.items() if field.secret)
        self._two_rounds = len({field.early for field in fields.values() if not field.lenient}) > 1

    def parse(
        self,
        raw: Mapping[str, Any],
        checked: bool = True,
        validation: ValidationContext = EMPTY_VALIDATION_CONTEXT,
        bounds: ListLimits = WRITE_LIST_LIMITS,
    ) -> ParsedArguments:
        """Return the typed arguments of raw values; unchecked: only the valid ones.

        validation: the caller and the store, for rules that depend on either. bounds: how long lists may be.
        Raises MissingParam when a required one is absent or null, InvalidParam with all lists that are too long,
        undeclared ones too, or with all faults of the first round that has any.
        """
        too_long = self._find_oversized_lists(raw, bounds)
        if too_long and checked:
            raise InvalidParam(too_long)
        if not checked:
            raw = {
                name: value
                for name, value in raw.items()
                if name in self.fields
                and name not in too_long
                and (value is None or self.fields[name].fault(value, name, validation) is None)
            }
        missing = [name for name in self._required if raw.get(name) is None and name not in self.defaults]
        if missing and checked:
            raise MissingParam(missing)
        fields = self.fields
        given = [name for name in raw if name in fields]
        if given and checked:
            if self._two_rounds:
                self._check_values([name for name in given if fields[name].early], raw, validation)
                self._check_values([name for name in given if not fields[name].early], raw, validation)
            else:
                self._check_values(given, raw, validation)
        values = {**self.defaults}
        given_names = []
        for name in given:
            value, field = raw[name], fields[name]
            if value is not None:
                values[name] = value if field.lenient else field.clean(value)
                given_names.append(name)
            elif field.null == "null" or (field.null == "empty" and name not in self.defaults):
                values[name] = None if field.null == "null" else field.empty()
                given_names.append(name)
        return ParsedArguments(values, frozenset(given_names))

    def _find_oversized_lists(self, raw: Mapping[str, Any], bounds: ListLimits) -> dict[str, Fault]:
        """Return the faults of lists that are too long; a handler may read undeclared values too."""
        known = self._limit_checks
        if known is None:
            # On first use: most routes of a process are never called.
            known = self._limit_checks = {name: build_limit_check(field) for name, field in self.fields.items()}
        faults: dict[str, Fault] = {}
        for name, value in raw.items():
            bound = known.get(name, find_oversized_list)
            if bound is not None and (found := bound(value, name, bounds)) is not None:
                faults[name] = found
        return faults

    def _check_values(self, names: list[str], raw: Mapping[str, Any], validation: ValidationContext) -> None:
        faults: dict[str, Fault] = {}
        for name in names:
            field = self.fields[name]
            if raw[name] is None:
                continue
            found = field.fault(raw[name], name, validation)
            if found is not None:
                faults[name] = found
        if faults:
            raise InvalidParam({name: faults[name] for name in self.fields if name in faults})

"""What every field can declare, the context of its check, and the field that takes any value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Final, Self

from vetrina.kernel.errors import Fault


class _Absent:
    def __repr__(self) -> str:
        return "ABSENT"

    def __bool__(self) -> bool:
        return False


ABSENT: Final = _Absent()
VIEW, EDIT, EMBED = "view", "edit", "embed"
# The keyword for what only responses have; the OpenAPI document alone reads it (rest/response_schema.py).
RESPONSE_KEYWORD: Final = "x-response"


class ValidationContext:
    """The caller and the store, for the few rules that depend on either.

    caller: the user. raw: all raw values of the request. `query_store` reads what is stored. has_queried: whether it
    was called, so that another answer is possible later.
    """

    __slots__ = ("_open", "caller", "has_queried", "raw")

    def __init__(self, caller: Any, raw: Mapping[str, Any], open_work: Callable[[bool], Any] | None) -> None:
        self.caller, self.raw, self._open = caller, raw, open_work
        self.has_queried = False

    def query_store(self, question: Callable[[Any], Any]) -> Any:
        """Return the result of a function of a unit of work that reads."""
        if self._open is None:
            return None
        self.has_queried = True
        with self._open(True) as work:
            return question(work)


FieldCheck = Callable[[Any, str, ValidationContext], Fault | None]
EMPTY_VALIDATION_CONTEXT: Final = ValidationContext(None, {}, None)


@dataclass(frozen=True)
class Field:
    """What every field can declare.

    help: one sentence for the index and the docs.
    default: the value of an absent argument; ABSENT for none.
    context: the contexts of a response that include the member.
    early: checked in the first round; faults of the second are reported only when the first found none.
    lenient: neither checked by the schema nor coerced; the handler takes what it can use. `check` still runs.
    null: what a JSON null means: "empty" the type's empty value, "keep" as if absent, "null" None.
    check: a rule beyond the schema, run after it: (value, name, validation) -> Fault or None. It replaces the schema's
    checks when `alone` is true.
    written: whether the descriptions of routes have the argument. in_index: whether the index has it too, which clients
    of the interface compare; the OpenAPI document has it in any case.
    secret: whether it is refused in the address of a request, which is written to logs and histories.
    optional: whether a response may lack the member. unset: what a response has where there is no value: None, False,
    a text or 0; empty where it always has one. values: the closed set that a response has one of, where it is
    not the choice of requests; empty where that choice does not bind what is stored.
    """

    help: str = ""
    _: KW_ONLY
    default: Any = ABSENT
    required: bool = False
    context: tuple[str, ...] = ()
    readonly: bool = False
    early: bool = False
    lenient: bool = False
    null: str = "empty"
    check: FieldCheck | None = None
    alone: bool = False
    title: str = ""
    written: bool = True
    in_index: bool = True
    secret: bool = False
    optional: bool = False
    unset: tuple[bool | str | int | None, ...] = ()
    values: tuple[str | int, ...] | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    kind = ""

    # -- description

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema, as a member of an object or of a record's schema has it."""
        out: dict[str, Any] = {}
        if self.title:
            out["title"] = self.title
        if self.help:
            out["description"] = self.help
        out.update(self._keywords())
        if self.default is not ABSENT:
            out["default"] = self.default
        if self.context:
            out["context"] = list(self.context)
        if self.readonly:
            out["readonly"] = True
        if self.required:
            out["required"] = True
        out.update(self.extra)
        if self.optional or self.unset or self.values is not None:
            out[RESPONSE_KEYWORD] = self._build_response_facts()
        return out

    def _build_response_facts(self) -> dict[str, Any]:
        facts: dict[str, Any] = {"optional": True} if self.optional else {}
        if self.unset:
            facts["unset"] = list(self.unset)
        if self.values is not None:
            facts["enum"] = list(self.values)
        return facts

    def argument(self) -> dict[str, Any]:
        """Return the JSON schema as an argument in the index has it."""
        out = self.schema()
        out.pop("context", None)
        out.pop("readonly", None)
        out["required"] = self.required
        return out

    def _keywords(self) -> dict[str, Any]:
        return {"type": self.kind} if self.kind else {}

    # -- values

    def fault(self, value: Any, name: str, validation: ValidationContext = EMPTY_VALIDATION_CONTEXT) -> Fault | None:
        """Return why `value` is refused, or None."""
        if not self.alone and not self.lenient:
            found = self._fault(value, name)
            if found is not None:
                return found
        return self.check(value, name, validation) if self.check else None

    def _fault(self, value: Any, name: str) -> Fault | None:
        return None

    def clean(self, value: Any) -> Any:
        """Return the typed value of a raw one that has no fault."""
        return value

    def empty(self) -> Any:
        """Return the value of a JSON null."""
        return None

    def replace(self, **changes: Any) -> Self:
        """Return this field with some of its words changed. Raises TypeError for a word that it does not have."""
        # A site makes thousands of them when it starts: `dataclasses.replace` takes twenty times as long.
        changed = object.__new__(type(self))
        changed.__dict__.update(self.__dict__)
        if unknown := changes.keys() - changed.__dict__.keys():
            raise TypeError(f"{type(self).__name__} has no {', '.join(sorted(unknown))}")
        changed.__dict__.update(changes)
        return changed


@dataclass(frozen=True)
class Untyped(Field):
    """Any value; nothing is checked. parted: as in String."""

    _: KW_ONLY
    parted: bool = False


def remove_response_facts(schema: Any) -> Any:
    """Return a schema without what only responses have, as the index and OPTIONS write it."""
    if isinstance(schema, list):
        return [remove_response_facts(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    return {word: remove_response_facts(one) for word, one in schema.items() if word != RESPONSE_KEYWORD}

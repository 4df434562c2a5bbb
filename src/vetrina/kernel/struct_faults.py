"""Finds everything that is wrong in plain values (of a TOML file, say) that are to become a struct.

msgspec itself stops at the first fault; who writes a file by hand wants them all at once, each with what is allowed.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

import msgspec
from msgspec import inspect

Path = tuple[str | int, ...]  # keys and places in lists, from the outside


_SCALARS: dict[type[inspect.Type], tuple[str, tuple[type, ...]]] = {
    inspect.StrType: ("a text in quotes", (str,)),
    inspect.BoolType: ("true or false", (bool,)),
    inspect.IntType: ("a whole number", (int,)),
    inspect.FloatType: ("a number", (int, float)),
}


class Fault(NamedTuple):
    """What is wrong at one place. missing: the key that a table lacks, empty where a value is wrong."""

    path: Path
    message: str
    missing: str = ""


def find_struct_faults(values: object, struct: type[msgspec.Struct]) -> list[Fault]:
    """Return what keeps values from becoming a struct, in the order in which it stands there."""
    return list(_check_value(values, _describe_struct(struct), ()))


@cache
def _describe_struct(struct: type[msgspec.Struct]) -> inspect.Type:
    # Compiling the annotations takes longer than all that is done with them.
    return inspect.type_info(struct)


def omit_faulty_values(values: dict[str, Any], faults: Iterable[Fault]) -> dict[str, Any]:
    """Return values without those that are faulty; a missing key has its own name as its value.

    A list goes as a whole where one of its entries is faulty.
    """
    out = copy.deepcopy(values)
    for fault in faults:
        parents: list[Any] = [out]
        for key in fault.path:
            at = parents[-1]
            parents.append(at.get(key) if isinstance(at, dict) else None)
        if fault.missing and isinstance(parents[-1], dict):
            parents[-1][fault.missing] = fault.missing
            continue
        for parent, key in reversed(list(zip(parents, fault.path, strict=False))):
            if isinstance(parent, dict):
                parent.pop(key, None)
                break
    return out


def suggest_name(given: object, known: Iterable[str]) -> str:
    """Return the end of a message about an unknown name: the nearest known one, and all of them."""
    from difflib import get_close_matches  # needed only where something is wrong

    names = list(known)
    near = get_close_matches(str(given), names, n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return f"{hint}known: {', '.join(names)}" if names else f"{hint}there are none"


def _check_value(value: object, wanted: inspect.Type, path: Path) -> Iterator[Fault]:
    if isinstance(wanted, inspect.StructType):
        yield from _check_table(value, wanted, path)
    elif isinstance(wanted, inspect.DictType):
        if isinstance(value, dict):
            for name, one in value.items():
                yield from _check_value(one, wanted.value_type, (*path, name))
        else:
            yield Fault(path, f"must be a table, not {_describe(value)}")
    elif isinstance(wanted, (inspect.VarTupleType, inspect.ListType)):
        if isinstance(value, list):
            for place, one in enumerate(value):
                yield from _check_value(one, wanted.item_type, (*path, place))
        else:
            yield Fault(path, f"must be a list in brackets, not {_describe(value)}")
    elif isinstance(wanted, inspect.LiteralType):
        if value not in wanted.values:
            yield Fault(path, f"{value!r} is not allowed; {suggest_name(value, map(str, wanted.values))}")
    elif isinstance(wanted, inspect.UnionType):
        yield from _check_union(value, wanted, path)
    else:
        yield from _check_scalar(value, wanted, path)


def _check_union(value: object, wanted: inspect.UnionType, path: Path) -> Iterator[Fault]:
    """Yield what keeps a value from being of one of several types: that of the nearest, or all that it may be."""
    for one in wanted.types:
        if _is_near(value, one):
            yield from _check_value(value, one, path)
            return
    scalars = [_SCALARS[type(one)] for one in wanted.types if type(one) in _SCALARS]
    if any(isinstance(value, types) and (bool in types or not isinstance(value, bool)) for _, types in scalars):
        return  # a bound may be below 0
    names = [name for name, _ in scalars] or ["a list in brackets", "a table"]
    yield Fault(path, f"must be {' or '.join(names)}, not {_describe(value)}")


def _is_near(value: object, wanted: inspect.Type) -> bool:
    if isinstance(value, dict):
        return isinstance(wanted, (inspect.DictType, inspect.StructType))
    return isinstance(value, list) and isinstance(wanted, (inspect.VarTupleType, inspect.ListType))


def _check_table(value: object, wanted: inspect.StructType, path: Path) -> Iterator[Fault]:
    if not isinstance(value, dict):
        yield Fault(path, f"must be a table, not {_describe(value)}")
        return
    members = {member.name: member for member in wanted.fields}
    for name, one in value.items():
        if name in members:
            yield from _check_value(one, members[name].type, (*path, name))
        else:
            yield Fault((*path, name), f"there is no such key; {suggest_name(name, members)}")
    for name, member in members.items():
        if member.required and name not in value:
            yield Fault(path, f"the key {name!r} is missing", name)


def _check_scalar(value: object, wanted: inspect.Type, path: Path) -> Iterator[Fault]:
    if type(wanted) not in _SCALARS:
        return
    name, types = _SCALARS[type(wanted)]
    # True is an int to Python, and no number to people.
    if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
        yield Fault(path, f"must be {name}, not {_describe(value)}")
    elif isinstance(value, (int, float)) and not isinstance(value, bool) and value < 0:
        yield Fault(path, f"must be 0 or more, not {value}")


def _describe(value: Any) -> str:
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "a list"
    return str(value).lower() if isinstance(value, bool) else repr(value)

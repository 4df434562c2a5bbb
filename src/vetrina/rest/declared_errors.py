"""Which errors a function may raise, found in its code and in that of everything it calls by name.

The OpenAPI document needs the codes raised below a handler, and a second list of them would be forgotten. Calls
through a parameter (`work.part(…)`) are not followed. Errors that are caught on the way count too: the list may be too
long, but misses nothing that a name leads to.
"""

from __future__ import annotations

import dis
import functools
import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any, Final

from vetrina.kernel.errors import ApiError
from vetrina.rest.route import Route

_PACKAGE_PREFIX: Final = "vetrina."


def _list_opcodes(*names: str) -> list[int]:
    return [dis.opmap[name] for name in names if name in dis.opmap]


_INSTRUCTION_BYTES: Final = 2
_MEMBER_OPCODES: Final = frozenset(_list_opcodes("LOAD_ATTR", "LOAD_METHOD"))
_LOCAL_OPCODES: Final = frozenset(_list_opcodes("LOAD_FAST", "LOAD_FAST_CHECK"))
_NAME_OPCODES: Final = {
    **dict.fromkeys(_list_opcodes("LOAD_GLOBAL", "LOAD_NAME"), "global"),
    **dict.fromkeys(_list_opcodes("LOAD_DEREF"), "enclosed"),
}
_VARIABLE_OPCODES: Final = frozenset({*_LOCAL_OPCODES, *_list_opcodes("LOAD_DEREF")})
# Instructions that name something, with the flags that stand below the number of the name.
_NAMING_OPCODES: Final = {
    **dict.fromkeys(_list_opcodes("LOAD_NAME", "LOAD_METHOD"), 0),
    **dict.fromkeys(_list_opcodes("LOAD_GLOBAL"), 1),
    **dict.fromkeys(_list_opcodes("LOAD_ATTR"), int(sys.version_info >= (3, 12))),
}
_IGNORED_OPCODES: Final = frozenset(_list_opcodes("CACHE", "PRECALL", "EXTENDED_ARG"))
_MISSING: Final = object()

# The ids of its code (equal code of two modules may name different things), of the instance or class that it belongs
# to, and of its closure.
_FunctionKey = tuple[int, int, tuple[int, ...]]


class _ScannedFunction:
    """One of our functions: the errors that it names, and by each thing that it may call, the functions that this runs.

    held: the function and the instance or class that it belongs to. errors: None until it is scanned.
    """

    __slots__ = ("called", "errors", "held")

    def __init__(self, held: tuple[FunctionType, Any]) -> None:
        self.held = held
        self.errors: list[type[ApiError]] | None = None
        self.called: list[list[_ScannedFunction]] = []


class ScannedFunctions:
    """Functions that were scanned before: routes of a site run mostly the same ones.

    It keeps alive what it has seen, so it lasts as long as one document is built.
    """

    def __init__(self) -> None:
        self._found: dict[_FunctionKey, _ScannedFunction] = {}

    def list_run(self, thing: Any, owner: Any) -> list[_ScannedFunction]:
        """Return our own functions that a callable runs."""
        out: list[_ScannedFunction] = []
        for function, of in _iterate_functions(thing, owner):
            # A method may mean something else for each instance it belongs to.
            key = (id(function.__code__), id(of), tuple(map(id, function.__closure__ or ())))
            found = self._found.get(key)
            if found is None:
                found = self._found[key] = _ScannedFunction((function, of))
            out.append(found)
        return out

    def scan(self, one: _ScannedFunction) -> list[type[ApiError]]:
        """Return the errors that a function names, and find what it calls."""
        errors, called = _scan_function(*one.held)
        one.errors = errors
        one.called = [run for thing, of in called if (run := self.list_run(thing, of))]
        return errors


def list_declared_errors(
    *functions: Callable[..., Any] | None, scanned: ScannedFunctions | None = None
) -> tuple[type[ApiError], ...]:
    """Return the errors that functions may raise, in the order in which they are found.

    scanned: functions that need not be scanned again, to which it adds.
    """
    scanned = scanned or ScannedFunctions()
    found: dict[type[ApiError], None] = {}
    seen: set[_ScannedFunction] = set()
    waiting = [scanned.list_run(one, None) for one in functions if one is not None]
    while waiting:
        for one in waiting.pop():
            if one not in seen:
                seen.add(one)
                errors = scanned.scan(one) if one.errors is None else one.errors
                if errors:
                    found.update(dict.fromkeys(errors))
                waiting += one.called
    return tuple(found)


def _iterate_functions(thing: Any, owner: Any) -> Iterator[tuple[FunctionType, Any]]:
    """Yield our own functions that a callable runs, each with the instance or class that it belongs to."""
    if isinstance(thing, functools.partial):
        yield from _iterate_functions(thing.func, owner)
        for one in (*thing.args, *thing.keywords.values()):
            if callable(one):
                yield from _iterate_functions(one, None)
    elif isinstance(thing, MethodType):
        yield from _iterate_functions(thing.__func__, thing.__self__)
    elif isinstance(thing, (staticmethod, classmethod)):
        yield from _iterate_functions(thing.__func__, owner)
    elif isinstance(thing, FunctionType):
        inside = inspect.unwrap(thing)
        for one in dict.fromkeys((thing, inside)):
            if isinstance(one, FunctionType) and (one.__module__ or "").startswith(_PACKAGE_PREFIX):
                yield one, owner
    elif isinstance(thing, type) and (thing.__module__ or "").startswith(_PACKAGE_PREFIX):
        for name in ("__init__", "__post_init__"):
            made = inspect.getattr_static(thing, name, None)
            if isinstance(made, FunctionType):
                yield from _iterate_functions(made, thing)


def _scan_function(function: FunctionType, owner: Any) -> tuple[list[type[ApiError]], list[tuple[Any, Any]]]:
    """Return the errors that a function names, and what else it names that could be called."""
    enclosed = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    first = function.__code__.co_varnames[0] if function.__code__.co_argcount else ""
    errors: list[type[ApiError]] = []
    called: list[tuple[Any, Any]] = []
    for kind, name, members in _list_name_chains(function.__code__):
        if kind == "global":
            at = function.__globals__.get(name, _MISSING)
        elif kind == "enclosed" and name in enclosed:
            at = _find_cell_content(enclosed[name])
        else:
            # The first argument of a method, which is a closure variable where an inner function uses it.
            kind, at = "first", owner if owner is not None and name == first else _MISSING
        holder = None
        for count, member in enumerate(("", *members)):
            if count:
                holder, at = at, _find_member(at, member)
            if at is _MISSING:
                break
            if isinstance(at, type) and issubclass(at, ApiError):
                if "code" in vars(at) and at is not ApiError:
                    errors.append(at)
            elif count or kind != "first":
                called += [(one, None if isinstance(holder, ModuleType) else holder) for one in _iterate_callables(at)]
    return errors, called


@functools.cache
def _list_name_chains(code: CodeType) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """Return the globals, closure variables and first argument that code names, with the members taken of each."""
    out: dict[tuple[str, str, tuple[str, ...]], None] = {}
    kind, name, members = "", "", []
    first = code.co_varnames[0] if code.co_argcount else ""
    for operation, loaded in _iterate_loads(code):
        if operation in _MEMBER_OPCODES and kind:
            members.append(loaded)
            continue
        if kind:
            out[kind, name, tuple(members)] = None
        members, name = [], loaded
        kind = _NAME_OPCODES.get(operation, "first" if operation in _LOCAL_OPCODES and loaded == first else "")
    for one in code.co_consts:
        if isinstance(one, CodeType):
            # An inner function's first argument is its own.
            out.update(dict.fromkeys(chain for chain in _list_name_chains(one) if chain[0] != "first"))
    return tuple(out)


def _iterate_loads(code: CodeType) -> Iterator[tuple[int, str]]:
    """Yield the instructions of code, each with the name that it loads; empty for one that loads none.

    It reads the bytes itself: `dis` also finds lines and jumps, and takes twenty times as long.
    """
    content, names, variables = code.co_code, code.co_names, _list_variables(code)
    above = 0
    for at in range(0, len(content), _INSTRUCTION_BYTES):
        operation, argument = content[at], content[at + 1] | above
        above = argument << 8 if operation == dis.EXTENDED_ARG else 0
        if operation in _IGNORED_OPCODES:
            continue
        if operation in _NAMING_OPCODES:
            yield operation, names[argument >> _NAMING_OPCODES[operation]]
        elif operation in _VARIABLE_OPCODES:
            yield operation, variables[argument]
        else:
            yield operation, ""


def _list_variables(code: CodeType) -> tuple[str, ...]:
    """Return the names that the instructions on variables count: local ones, those of cells, those of the closure."""
    local = code.co_varnames
    return (*local, *(name for name in code.co_cellvars if name not in local), *code.co_freevars)


def _iterate_callables(thing: Any) -> Iterator[Any]:
    """Yield what could be called of a value: itself, or the items of a table of functions or of routes."""
    if callable(thing):
        yield thing
    elif isinstance(thing, Route):
        yield from (one for one in (thing.handler, thing.allow, thing.prepare) if one is not None)
    elif isinstance(thing, (tuple, list, Mapping)):
        for one in thing.values() if isinstance(thing, Mapping) else thing:
            yield from _iterate_callables(one)


def _find_cell_content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return _MISSING


def _find_member(of: Any, name: str) -> Any:
    """Return a member without running anything; _MISSING for one of a value that is not ours."""
    if isinstance(of, ModuleType):
        return vars(of).get(name, _MISSING) if of.__name__.startswith(_PACKAGE_PREFIX) else _MISSING
    kind = of if isinstance(of, type) else type(of)
    if not (kind.__module__ or "").startswith(_PACKAGE_PREFIX):
        return _MISSING
    found = inspect.getattr_static(of, name, _MISSING)
    return found.fget if isinstance(found, property) else found

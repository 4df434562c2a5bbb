"""Which errors a function may raise, found in its code and in that of everything it calls by name.

A document that names the codes of a route must know those that the domain raises below its handler; a second list of
them would be forgotten. What is called through a parameter (`work.part(…)`) is not followed. An error that is caught on
the way counts as well: the answer may be too long, it lacks nothing that a name leads to.
Not here: what becomes of the codes (rest/openapi_responses.py).
"""

from __future__ import annotations

import dis
import functools
import inspect
from collections.abc import Callable, Iterator, Mapping
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any, Final

from vetrina.kernel.errors import ApiError
from vetrina.rest.route import Route

__all__ = ["raised"]

_OURS: Final = "vetrina."
_MEMBER: Final = frozenset({"LOAD_ATTR", "LOAD_METHOD"})
_KINDS: Final = {"LOAD_GLOBAL": "global", "LOAD_NAME": "global", "LOAD_DEREF": "enclosed"}
_BETWEEN: Final = frozenset({"CACHE", "PRECALL", "EXTENDED_ARG"})
_NOTHING: Final = object()


def raised(*functions: Callable[..., Any] | None) -> tuple[type[ApiError], ...]:
    """Return the errors that functions may raise, in the order in which they are come upon."""
    found: dict[type[ApiError], None] = {}
    seen: set[Any] = set()
    waiting: list[tuple[Any, Any]] = [(one, None) for one in functions if one is not None]
    while waiting:
        thing, owner = waiting.pop()
        for one, of in _functions(thing, owner):
            # A method may mean something else to each instance that it belongs to.
            key = (one.__code__, id(of), tuple(map(id, one.__closure__ or ())))
            if key not in seen:
                seen.add(key)
                errors, called = _named(one, of)
                found.update(dict.fromkeys(errors))
                waiting += called
    return tuple(found)


def _functions(thing: Any, owner: Any) -> Iterator[tuple[FunctionType, Any]]:
    """Yield the functions of ours that a callable runs, each with the instance or class that it belongs to."""
    if isinstance(thing, functools.partial):
        yield from _functions(thing.func, owner)
        for one in (*thing.args, *thing.keywords.values()):
            if callable(one):
                yield from _functions(one, None)
    elif isinstance(thing, MethodType):
        yield from _functions(thing.__func__, thing.__self__)
    elif isinstance(thing, (staticmethod, classmethod)):
        yield from _functions(thing.__func__, owner)
    elif isinstance(thing, FunctionType):
        inside = inspect.unwrap(thing)
        for one in {thing, inside}:
            if isinstance(one, FunctionType) and (one.__module__ or "").startswith(_OURS):
                yield one, owner
    elif isinstance(thing, type) and (thing.__module__ or "").startswith(_OURS):
        for name in ("__init__", "__post_init__"):
            made = inspect.getattr_static(thing, name, None)
            if isinstance(made, FunctionType):
                yield from _functions(made, thing)


def _named(function: FunctionType, owner: Any) -> tuple[list[type[ApiError]], list[tuple[Any, Any]]]:
    """Return the errors that a function names, and what else it names that could be called."""
    enclosed = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    first = function.__code__.co_varnames[0] if function.__code__.co_argcount else ""
    errors: list[type[ApiError]] = []
    called: list[tuple[Any, Any]] = []
    for kind, name, members in _chains(function.__code__):
        if kind == "global":
            at = function.__globals__.get(name, _NOTHING)
        elif kind == "enclosed" and name in enclosed:
            at = _content(enclosed[name])
        else:
            # The first argument of a method, which is enclosed where a function inside it uses it.
            kind, at = "first", owner if owner is not None and name == first else _NOTHING
        holder = None
        for count, member in enumerate(("", *members)):
            if count:
                holder, at = at, _member(at, member)
            if at is _NOTHING:
                break
            if isinstance(at, type) and issubclass(at, ApiError):
                if "code" in vars(at) and at is not ApiError:
                    errors.append(at)
            elif count or kind != "first":
                called += [(one, None if isinstance(holder, ModuleType) else holder) for one in _callables(at)]
    return errors, called


@functools.cache
def _chains(code: CodeType) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """Return what a code names of its globals, its closure and its first argument, with the members asked of each."""
    out: dict[tuple[str, str, tuple[str, ...]], None] = {}
    kind, name, members = "", "", []
    first = code.co_varnames[0] if code.co_argcount else ""
    for step in dis.get_instructions(code):
        if step.opname in _MEMBER and kind:
            members.append(step.argval)
            continue
        if step.opname in _BETWEEN:
            continue
        if kind:
            out[kind, name, tuple(members)] = None
        members, name = [], step.argval
        kind = _KINDS.get(step.opname, "first" if step.opname.startswith("LOAD_FAST") and name == first else "")
    for one in code.co_consts:
        if isinstance(one, CodeType):
            # Of a function inside another, the first argument is its own.
            out.update(dict.fromkeys(chain for chain in _chains(one) if chain[0] != "first"))
    return tuple(out)


def _callables(thing: Any) -> Iterator[Any]:
    """Yield what could be called of a value: itself, or what a table of functions or of routes holds."""
    if callable(thing):
        yield thing
    elif isinstance(thing, Route):
        yield from (one for one in (thing.handler, thing.allow, thing.prepare) if one is not None)
    elif isinstance(thing, (tuple, list, Mapping)):
        for one in thing.values() if isinstance(thing, Mapping) else thing:
            yield from _callables(one)


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return _NOTHING


def _member(of: Any, name: str) -> Any:
    """Return a member without running anything; nothing for one of a value that is not ours."""
    if isinstance(of, ModuleType):
        return vars(of).get(name, _NOTHING) if of.__name__.startswith(_OURS) else _NOTHING
    kind = of if isinstance(of, type) else type(of)
    if not (kind.__module__ or "").startswith(_OURS):
        return _NOTHING
    found = inspect.getattr_static(of, name, _NOTHING)
    return found.fget if isinstance(found, property) else found

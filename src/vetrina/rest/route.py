"""What a route is: one frozen value with its path, methods, arguments, permission, handler and answer.

A path is written with holes: `/cms/v2/posts/{id}` (digits) or `/x/{name:\\w+}` (a pattern of its own). The index shows
the hole as a named group, as the interface writes it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from vetrina.kernel.errors import ApiError
from vetrina.rest.call import Answer, Call, Request, Result
from vetrina.rest.fields import Field
from vetrina.rest.validation import Arguments

__all__ = ["CHANGE", "READ", "REMOVE", "WRITE", "Route", "anyone", "pattern_of"]

READ = ("GET",)
WRITE = ("POST",)
CHANGE = ("POST", "PUT", "PATCH")
REMOVE = ("DELETE",)

_HOLE = re.compile(r"\{(\w+)(?::((?:[^{}]|\{[^{}]*\})+))?\}")
_DIGITS = r"[\d]+"


def anyone(call: Call) -> None:
    """Everybody."""


def pattern_of(path: str) -> str:
    """Return a path with holes as the index writes it."""
    return _HOLE.sub(lambda hole: f"(?P<{hole[1]}>{hole[2] or _DIGITS})", path)


@dataclass(frozen=True, eq=False)
class Route:
    """One endpoint.

    methods: the HTTP methods that it answers, in the order that the index shows.
    path: relative to the API root, with holes.
    handler: (call) -> Result; it runs inside the call's transaction.
    args: every argument that it reads, by name, in the order of the index.
    allow: (call) -> None; raises Refused or a 404 when this caller may not make this call.
    schema: gives the record schema that OPTIONS shows, None for none; the addresses of its links are paths of routes.
    shows: members of that record as its answers have them, where the schema, which is the interface's, says less of
      them or nothing. It stands in the OpenAPI document alone.
    batch: whether a batch may carry it; None leaves the flag out of the index.
    slow: whether it may wait for something outside; it then runs in a thread.
    decodes: (request) -> whether it may decode images, for which it may have to wait for memory; it then runs in a
      thread beside those of the slow ones. None: it never does.
    prepare: (call) -> a context that does slow work before the transaction is opened, so that no writer waits for it,
      or None where this call has none. It is asked in a read of its own, after the permission, and may not keep the
      call's work; what the context gives is `call.prepared`, and its end sees the error that undid the transaction.
    read: whether its transaction only reads; by default that of a GET.
    body_bytes: bytes that its body may have, None for the site's limit.
    files: whether it takes files: a multipart body's, or the body itself; they come as `request.files` and
      `request.upload`, large ones on disk.
    matched: by the name of a hole that has a pattern, one that matches the same as the one shown, where that one would
      take squared time on a hostile path.
    errors: the errors that it raises beside those that every route may raise.
    answers: what it answers: "one" record of its schema, "many" in a list, several "by name" in an object, or a value
      of its own. Empty: as its methods and arguments say. status: of that answer, 0 for the usual one.
    also: further statuses with which it gives that answer. kinds: media types of its answers beside JSON.
    takes: headers of its own that it reads; pages of other origins may send them.
    carries: names of the arguments whose members count as a request each, where the rate of requests is limited.
    says: what it does, in one sentence; empty: as the handler's docstring says it, or as follows from its shape
      (rest/summaries.py). Who may call it is said by the docstring of `allow`.
    form: (request, answer) -> None; puts the answer, a refusal too, into another form than JSON where one is asked for.
    """

    methods: tuple[str, ...]
    path: str
    handler: Callable[[Call], Result]
    args: Mapping[str, Field] = field(default_factory=dict)
    allow: Callable[[Call], None] = anyone
    schema: Callable[[], dict[str, Any]] | None = None
    batch: bool | None = None
    slow: bool = False
    decodes: Callable[[Request], bool] | None = None
    prepare: Callable[[Call], AbstractContextManager[Any] | None] | None = None
    read: bool | None = None
    body_bytes: int | None = None
    files: bool = False
    namespace: str = ""
    errors: tuple[type[ApiError], ...] = ()
    answers: Literal["", "one", "many", "by name"] | Field = ""
    status: int = 0
    also: tuple[int, ...] = ()
    kinds: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    carries: tuple[str, ...] = ()
    says: str = ""
    form: Callable[[Request, Answer], None] | None = None
    shows: Mapping[str, Field] = field(default_factory=dict)
    matched: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.read is None:
            object.__setattr__(self, "read", self.methods == READ)

    @cached_property
    def arguments(self) -> Arguments:
        """Return the compiled arguments; only then, for a site has more routes than most of its runs use."""
        return Arguments(self.args)

    def but(self, **changes: Any) -> Route:
        """Return this route with some of its words changed. Raises TypeError for a word that it does not have."""
        changed = copy(self)
        changed.__dict__.pop("arguments", None)
        if unknown := changes.keys() - changed.__dict__.keys():
            raise TypeError(f"a route has no {', '.join(sorted(unknown))}")
        changed.__dict__.update(changes)
        return changed

    @property
    def pattern(self) -> str:
        """Return the path as the index writes it."""
        return pattern_of(self.path)

    @property
    def waits(self) -> bool:
        """Say whether it may wait for something outside, before its transaction or in it."""
        return self.slow or self.prepare is not None

    @property
    def fixed(self) -> bool:
        """Say whether the path has no variable part."""
        return _HOLE.search(self.path) is None

    def segments(self) -> list[str]:
        """Return the path cut at its strokes; those inside a hole's pattern do not cut."""
        holes: list[str] = []

        def keep(hole: re.Match[str]) -> str:
            holes.append(f"(?P<{hole[1]}>{(hole[2] and self.matched.get(hole[1])) or hole[2] or _DIGITS})")
            return f"\0{len(holes) - 1}\0"

        plain = _HOLE.sub(keep, self.path)
        return [re.sub("\0(\\d+)\0", lambda mark: holes[int(mark[1])], part) for part in plain.strip("/").split("/")]

"""What a route is: one frozen value with its path, methods, arguments, permission, handler and response.

Paths have parameters: `/cms/v2/posts/{id}` (digits) or `/x/{name:\\w+}` (a pattern of its own). The index has them as
named groups, as the interface writes them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from vetrina.kernel.errors import ApiError
from vetrina.rest.call import Call, Request, Response, Result
from vetrina.rest.fields import Field
from vetrina.rest.validation import ArgumentParser

READ = ("GET",)
WRITE = ("POST",)
CHANGE = ("POST", "PUT", "PATCH")
REMOVE = ("DELETE",)

_PATH_PARAMETER = re.compile(r"\{(\w+)(?::((?:[^{}]|\{[^{}]*\})+))?\}")
_DIGIT_PATTERN = r"[\d]+"


def allow_anyone(call: Call[Any]) -> None:
    """Everybody."""


def build_pattern(path: str) -> str:
    """Return a path with its parameters as the index writes them."""
    return _PATH_PARAMETER.sub(lambda match: f"(?P<{match[1]}>{match[2] or _DIGIT_PATTERN})", path)


@dataclass(frozen=True, eq=False)
class Route:
    """One endpoint.

    methods: its HTTP methods, in the order of the index.
    path: relative to the API root, with path parameters.
    handler: (call) -> Result; it runs inside the call's transaction.
    args: every argument that it reads, by name, in the order of the index.
    allow: (call) -> None; raises PermissionDenied or a 404 when this caller may not make this call.
    schema: returns the record schema of OPTIONS, None for none; the URLs of its links are paths of routes.
    response_fields: members of that record as its responses have them, where the schema, which is the interface's,
    says less of them or nothing; for the OpenAPI document alone.
    written_context: the context of what a write answers, where its arguments do not choose it; empty where that varies.
    batch: whether a batch may include it; None leaves the flag out of the index.
    slow: whether it may wait for something outside or often computes for long; it then runs in a thread at once.
    decodes: (request) -> whether it may decode images, for which it may have to wait for memory; it then runs in a
    thread pool of its own. None: never.
    expect: (call) -> None; expects what the handler will read (`Transaction.expect`), called while the member of a
    batch before it runs.
    prepare: (call) -> a context that does slow work before the transaction is opened, so that no writer waits for it,
    or None where this call has none. It is called in a read of its own, after the permission, and may not keep the
    call's unit of work; the context's value is `call.prepared`, and its exit sees the error that rolled the
    transaction back.
    read: whether its transaction only reads; by default that of a GET.
    body_bytes: bytes that its body may have, None for the site's limit.
    files: whether it takes files: a multipart body's, or the body itself; they come as `request.files` and
    `request.upload`, large ones on disk.
    match_patterns: by the name of a path parameter, a pattern equivalent to the one in the index, where that one would
    take quadratic time on a hostile path.
    errors: the errors that it raises beside those that every route may raise.
    answers: what it returns: "one" record of its schema, "many" in a list, several "by name" in an object, or a field
    of its own. Empty: as its methods and arguments say. status: of that response, 0 for the usual one.
    other_statuses: further statuses of that response. kinds: media types of its responses beside JSON.
    request_headers: additional headers that it reads; pages of other origins may send them.
    batch_arguments: names of the arguments whose members count as a request each, for the rate limit.
    summary: what it does, in one sentence; empty: as the handler's docstring says it, or as follows from its shape
    (rest/summaries.py). Who may call it is in the docstring of `allow`.
    form: (request, response) -> None; puts the response, an error too, into another format than JSON where one is
    asked for.
    """

    methods: tuple[str, ...]
    path: str
    handler: Callable[[Call[Any]], Result]
    args: Mapping[str, Field] = field(default_factory=dict)
    allow: Callable[[Call[Any]], None] = allow_anyone
    schema: Callable[[], dict[str, Any]] | None = None
    batch: bool | None = None
    slow: bool = False
    decodes: Callable[[Request], bool] | None = None
    prepare: Callable[[Call[Any]], AbstractContextManager[Any] | None] | None = None
    expect: Callable[[Call[Any]], None] | None = None
    read: bool | None = None
    body_bytes: int | None = None
    files: bool = False
    namespace: str = ""
    errors: tuple[type[ApiError], ...] = ()
    answers: Literal["", "one", "many", "by name"] | Field = ""
    status: int = 0
    other_statuses: tuple[int, ...] = ()
    kinds: tuple[str, ...] = ()
    request_headers: tuple[str, ...] = ()
    batch_arguments: tuple[str, ...] = ()
    summary: str = ""
    form: Callable[[Request, Response], None] | None = None
    response_fields: Mapping[str, Field] = field(default_factory=dict)
    written_context: str = ""
    match_patterns: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.read is None:
            object.__setattr__(self, "read", self.methods == READ)

    @cached_property
    def arguments(self) -> ArgumentParser:
        """Return the compiled arguments; on demand, since a site has more routes than most of its processes use."""
        return ArgumentParser(self.args)

    def replace(self, **changes: Any) -> Route:
        """Return this route with some of its words changed. Raises TypeError for a word that it does not have."""
        changed = object.__new__(type(self))
        changed.__dict__.update(self.__dict__)
        changed.__dict__.pop("arguments", None)
        if unknown := changes.keys() - changed.__dict__.keys():
            raise TypeError(f"a route has no {', '.join(sorted(unknown))}")
        changed.__dict__.update(changes)
        return changed

    @property
    def pattern(self) -> str:
        """Return the path as the index writes it."""
        return build_pattern(self.path)

    @property
    def waits(self) -> bool:
        """Return whether it may wait for something outside, before its transaction or in it."""
        return self.slow or self.prepare is not None

    @property
    def fixed(self) -> bool:
        """Return whether the path has no parameters."""
        return _PATH_PARAMETER.search(self.path) is None

    def segments(self) -> list[str]:
        """Return the path split at its slashes, except those inside a parameter's pattern."""
        parameters: list[str] = []

        def keep(match: re.Match[str]) -> str:
            parameters.append(
                f"(?P<{match[1]}>{(match[2] and self.match_patterns.get(match[1])) or match[2] or _DIGIT_PATTERN})"
            )
            return f"\0{len(parameters) - 1}\0"

        plain = _PATH_PARAMETER.sub(keep, self.path)
        return [
            re.sub("\0(\\d+)\0", lambda mark: parameters[int(mark[1])], part) for part in plain.strip("/").split("/")
        ]

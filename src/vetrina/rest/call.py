"""A request on its way in, the call that a handler gets, and the result that it gives back."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vetrina.kernel.errors import ApiError
from vetrina.kernel.render_budget import Inline
from vetrina.rest.validation import Taken

if TYPE_CHECKING:
    from vetrina.rest.dispatcher import Dispatcher
    from vetrina.rest.route import Route

__all__ = ["TIME", "Answer", "Call", "Request", "Result", "Upload"]

TIME = "time"  # what an answer is made from that becomes another one without any change


@dataclass(slots=True)
class Upload:
    """A file that came with a request: its name as sent, the type that the sender claims, and where its bytes lie.

    path: of a file that is gone when the request was answered.
    """

    name: str
    claimed_type: str
    path: Path
    size: int


@dataclass(slots=True)
class Request:
    """What a client asked, read and decoded, before any route is known.

    path: relative to the API root, with a stroke in front.
    root: the API root as the client wrote it, without a stroke at the end; origin: scheme and host.
    query, form: decoded by the bracket rules; json: the members of a JSON body; items: those of one
    that is a list.
    headers: names in lower case.
    files: those of a multipart body, by field. upload: the body itself, for routes that take a file as it is.
    target: the path with the query as the client wrote them, which signatures are made over.
    inner: asked by another request (a batch, embedding). body_fault: why the body could not be decoded.
    signed: by what besides an account the request was signed, found at sign-in: `site` for the connector's service.
    inline: what it may take of the loop while it is answered there; None where it is answered in a thread.
    ahead: long work that was done before the transaction, by its keys; None where it may be done inside.
    key: name of the key that signed it in, found at sign-in; empty where the account itself did.
    parts: the fields of a multipart body in their order and as they were sent; None for the value of a file.
    unread: whether the body is still to come when the request is signed in. proof: what is to be asked of it then;
    raises ApiError. agrees: asks whether the body leads elsewhere than the path, whose holes it is given; set where a
    signature covers the path and not the body. Raises ApiError.
    located: the path and the method that a route was last looked for, and what was found (rest/dispatcher.py).
    steps: what a work of several transactions has done so far, for when the last of them is given up and run again.
    guesses: what it has guessed of secrets so far, kept by whoever counts them (access/sign_in/guess_limiter.py).
    """

    method: str
    path: str
    root: str = ""
    origin: str = ""
    language: str = ""
    query: dict[str, Any] = field(default_factory=dict)
    form: dict[str, Any] = field(default_factory=dict)
    json: dict[str, Any] = field(default_factory=dict)
    items: list[Any] = field(default_factory=list)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    files: dict[str, Upload] = field(default_factory=dict)
    upload: Upload | None = None
    remote: str = ""
    target: str = ""
    inner: bool = False
    body_fault: ApiError | None = None
    signed: str = ""
    parts: list[tuple[str, str | None]] = field(default_factory=list)
    unread: bool = False
    proof: Callable[[], None] | None = None
    agrees: Callable[[Mapping[str, str]], None] | None = None
    key: str = ""
    guesses: Any = None
    steps: Any = None
    inline: Inline | None = None
    ahead: dict[Hashable, Any] | None = None
    located: Any = None

    def raw(self, name: str) -> Any:
        """Return the undecoded value of a parameter that no route declares, such as `_fields`."""
        for source in (self.json, self.form, self.query):
            value = source.get(name)
            if value is not None:
                return value
        return None

    def cookie(self, name: str) -> str:
        """Return the value of a cookie, empty for none; of several with the name the first, which is the nearest."""
        for pair in self.headers.get("cookie", "").split(";"):
            key, _, value = pair.strip().partition("=")
            if key == name:
                return value
        return ""


@dataclass(slots=True)
class Result:
    """What a handler answers: a JSON value, a status and headers.

    rels: the links of an item; those of a list stand in its records.
    keeps_links: whether they are shown even when `_fields` does not name them.
    links: the answer's Link header entries, already in its syntax.
    bare: an answer whose body is not JSON: (content type, bytes).
    state: a word that changes with every save of what is shown; it leads the answer's entity tag.
    """

    body: Any
    status: int = 200
    headers: dict[str, Any] = field(default_factory=dict)
    rels: dict[str, Any] | None = None
    keeps_links: bool = False
    links: list[str] = field(default_factory=list)
    bare: tuple[str, bytes] | None = None
    state: str = ""


@dataclass(slots=True)
class Answer:
    """What the dispatcher gives to the edge: the result with the headers that every answer has.

    kinds: what a read was made from, None where nobody said; such an answer is not kept.
    """

    status: int
    body: Any
    headers: dict[str, Any]
    links: list[str]
    bare: tuple[str, bytes] | None = None
    failed: bool = False
    state: str = ""
    kinds: frozenset[str] | None = None


@dataclass(slots=True)
class Call:
    """One call of one route.

    work: the unit of work that the site opened for it: transaction, caller, language, clock (core/unit_of_work.py).
    raw: the merged raw values by name. args: the typed arguments. path_args: what the path's holes matched.
    ask: answers another request inside this one's transaction, as this caller (embedding, batches).
    kept: what the permission found and the handler need not look up again.
    prepared: what the route's slow work gave before the transaction.
    open: (read only) -> a unit of work of its own, for slow work that has several steps; None outside of it.
    """

    request: Request
    route: Route
    args: Taken
    raw: dict[str, Any]
    work: Any
    ask: Dispatcher
    kept: dict[Any, Any] = field(default_factory=dict)
    prepared: Any = None
    open: Callable[[bool], AbstractContextManager[Any]] | None = None

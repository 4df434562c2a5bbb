"""A request, the call that a handler gets, and the result that it returns.

Rules: docs/rules/requests.md, 6 (where an undeclared parameter is read from).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar

from vetrina.kernel.errors import ApiError
from vetrina.kernel.read_consistency import ReadConsistency
from vetrina.kernel.render_budget import InlineAllowance
from vetrina.rest.validation import ParsedArguments

if TYPE_CHECKING:
    from vetrina.rest.dispatcher import Dispatcher
    from vetrina.rest.route import Route


P = ParamSpec("P")
T = TypeVar("T")
W = TypeVar("W")  # what a call works in; this package does not know what that is
TIME_DEPENDENT = "time"  # what an answer is made from that becomes another one without any change
NEVER_STORED = "never stored"  # what an answer is made from that no cache may store
UNCACHED = frozenset({TIME_DEPENDENT, NEVER_STORED})


@dataclass(slots=True)
class UploadedFile:
    """A file that came with a request: its name as sent, the type that the client claims, and where its bytes are.

    path: of a file that is deleted when the request has been answered.
    """

    name: str
    path: Path
    size: int


@dataclass(slots=True)
class Request:
    """A client's request, read and decoded, before any route is known.

    path: relative to the API root, with a leading slash.
    root: the API root as the client wrote it, without a trailing slash; origin: scheme and host.
    query, form: decoded by the bracket rules; json: the members of a JSON body; items: those of a JSON list.
    headers: names in lower case.
    files: those of a multipart body, by field. upload: the body itself, for routes that take a file as it is.
    target: the path with the query as the client wrote them, which signatures cover.
    inner: made by another request (a batch, embedding). body_fault: why the body could not be decoded.
    signed: what signed the request other than an account, found at sign-in: `site` for the connector's service.
    inline: what it may take of the event loop while it runs there; None in a thread.
    precomputed: results of long work done before the transaction, by key; None where it may be done inside.
    key: name of the key that signed it in, found at sign-in; empty where the account itself did.
    parts: the fields of a multipart body in order, as they were sent; None for the value of a file.
    unread: whether the body is still to be read when the request is signed in. verify_body: checks the body once it is
    read; raises ApiError. check_body_path: checks that the body does not contradict the path, whose parameters it is
    given; set where a signature covers the path and not the body. Raises ApiError.
    route_match: the path and method last looked up, and the route found for them (rest/dispatcher.py).
    steps: what a request of several transactions has done so far, in case the last one fails and is run again.
    runs_again: whether a transaction of it is run again after a RetryableError.
    expect: expects what the request will read, while an earlier member of its batch is carried out; None where its
    route does not. is_expected: whether it was called.
    checked: its raw and its typed arguments, where `Dispatcher.check` has found them valid whatever is stored.
    takes_text: whether the answer may be JSON text already (rest/encoded_body.py).
    shares_turn: whether it takes part in a write transaction that is open in the event loop. is_known_in_turn: whether
    its caller was known from there; where nothing of that transaction is kept, the caller is to be signed in again.
    consistency: how it may read from replicas of the database; None where it reads from the primary.
    guesses: attempts at secrets so far, managed by access/sign_in/guess_limiter.py.
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
    files: dict[str, UploadedFile] = field(default_factory=dict)
    upload: UploadedFile | None = None
    remote: str = ""
    target: str = ""
    inner: bool = False
    body_fault: ApiError | None = None
    signed: str = ""
    parts: list[tuple[str, str | None]] = field(default_factory=list)
    unread: bool = False
    verify_body: Callable[[], None] | None = None
    check_body_path: Callable[[Mapping[str, str]], None] | None = None
    key: str = ""
    runs_again: bool = False
    expect: Callable[[], None] | None = None
    is_expected: bool = False
    guesses: Any = None
    steps: Any = None
    inline: InlineAllowance | None = None
    precomputed: dict[Hashable, Any] | None = None
    route_match: Any = None
    checked: tuple[dict[str, Any], ParsedArguments] | None = None
    takes_text: bool = False
    shares_turn: bool = False
    is_known_in_turn: bool = False
    consistency: ReadConsistency | None = None

    def raw(self, name: str) -> Any:
        """Return the raw value of a parameter that no route declares, such as `_fields`."""
        for source in (self.json, self.form, self.query):
            value = source.get(name)
            if value is not None:
                return value
        return None

    def cookie(self, name: str) -> str:
        """Return the value of a cookie, empty for none; the first of several, whose path is the nearest."""
        for pair in self.headers.get("cookie", "").split(";"):
            key, _, value = pair.strip().partition("=")
            if key == name:
                return value
        return ""


@dataclass(frozen=True, slots=True)
class EventPage:
    """What turns an answer into the beginning of a stream of events, which http/event_streams.py goes on with.

    name: of the events. member: of the body that has them. ids: the cursor of each. start: where the page begins; next:
    the cursor after it, with which the same request is asked again. cursor: the argument that takes it. more: whether
    there is more to read now.
    """

    name: str
    member: str
    ids: tuple[int, ...]
    start: int
    next: int
    more: bool
    cursor: str


@dataclass(slots=True)
class Result:
    """What a handler returns: a JSON value, a status and headers.

    rels: the links of an item; those of a list are in its records.
    keeps_links: whether links are included even when `_fields` does not name them.
    links: the response's Link header entries, already in its syntax.
    raw_content: a body that is not JSON: (content type, bytes).
    state: a word that changes with every save of the content; it leads the response's entity tag.
    events: what makes the answer the beginning of a stream; None for an answer that ends.
    download: name of the file that is sent in place of the body (http/downloads.py); empty for none.
    """

    body: Any
    status: int = 200
    headers: dict[str, Any] = field(default_factory=dict)
    rels: dict[str, Any] | None = None
    keeps_links: bool = False
    links: list[str] = field(default_factory=list)
    raw_content: tuple[str, bytes] | None = None
    state: str = ""
    events: EventPage | None = None
    download: str = ""


@dataclass(slots=True)
class Response:
    """What the dispatcher returns: the result with the headers that every response has.

    kinds: what a read was made from, None where unknown; such a response is not cached.
    sources: the same as precisely as it is known: kinds, and single things by kind and id (rest/cache_tags.py).
    """

    status: int
    body: Any
    headers: dict[str, Any]
    links: list[str]
    raw_content: tuple[str, bytes] | None = None
    failed: bool = False
    state: str = ""
    kinds: frozenset[str] | None = None
    sources: tuple[frozenset[str], frozenset[tuple[str, int]]] | None = None
    events: EventPage | None = None
    download: str = ""


@dataclass(slots=True)
class Call(Generic[W]):
    """One call of one route.

    work: the unit of work that the site opened for it: transaction, caller, language, clock (core/unit_of_work.py).
    raw: the merged raw values by name. args: the typed arguments. path_args: the values of path parameters.
    ask: the dispatcher, for requests inside this one's transaction, as this caller (embedding, batches).
    lookups: what the permission looked up and the handler need not look up again.
    prepared: the result of the route's slow work before the transaction.
    open: (read only) -> a unit of work of its own, for slow work with several steps; None outside of it.
    """

    request: Request
    route: Route
    args: ParsedArguments
    raw: dict[str, Any]
    work: W
    ask: Dispatcher
    lookups: dict[Any, Any] = field(default_factory=dict)
    prepared: Any = None
    open: Callable[[bool], AbstractContextManager[W]] | None = None


@contextmanager
def defer(function: Callable[P, T], *args: P.args, **words: P.kwargs) -> Iterator[T]:
    """Return a context that calls a function when it is entered, and yields its result: slow work of a `prepare`.

    The unit of work of the `prepare` is over by then: read from it what the function needs.
    """
    yield function(*args, **words)

"""One request from its path to its answer: route, arguments, permission, handler, shown members, `Allow`.

The edge, a batch, embedding, jobs and tests all come through here: `through` is the only place where a handler is run,
and it asks the route's permission first, with the very arguments that the handler gets. Not here: bytes and headers of
HTTP (edge/), routes that are made from others (rest/derived_routes.py).
The order of checks is the interface's: facts, "How a request is processed".
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Protocol
from urllib.parse import urlsplit

from vetrina.kernel.errors import ApiError, InvalidParam, NoRoute, TakesLong, WorkAhead, WriteNeeded
from vetrina.rest import query_strings
from vetrina.rest.batches import BatchNotAllowed
from vetrina.rest.call import TIME, Answer, Call, Request, Result
from vetrina.rest.coercion import array
from vetrina.rest.fields import Array, Asked, Integer, String
from vetrina.rest.index import Index
from vetrina.rest.list_limits import Bounds, any_too_long, bound_of, bounds_of, too_many
from vetrina.rest.route import Route
from vetrina.rest.route_table import Place, Table
from vetrina.rest.serializer import choice, chosen
from vetrina.rest.validation import Taken, merged
from vetrina.settings import Limits

__all__ = ["Dispatcher", "Work"]

_NOTHING: AbstractContextManager[Any] = nullcontext()
_SHARED = {"_fields": bound_of(Array()), "_embed": bound_of(Array())}  # lists that every route reads
_BODY = "body"  # how a body is named that is a list
_MOST_AHEAD = 32  # works that a request may do before its transaction; a batch has one for each member


class Work(Protocol):
    """What the dispatcher needs of a unit of work (core/unit_of_work.py is one)."""

    user: Any
    kinds: set[str]

    def part(self, request: Request) -> AbstractContextManager[Work]:
        """Open a part that can be undone by itself, for a request inside this one."""

    def language_for(self, code: str) -> None:
        """Choose the language that `mlang_language` names."""


Open = Callable[[Request, Any, bool], AbstractContextManager[Work]]


class Dispatcher:
    """Runs requests against a table of routes.

    open_work: (request, caller, read only) -> a context manager that commits on return and rolls back on an error.
    settled: calls what it is given, again where the store gave its transaction up. limits: how long lists may be.
    """

    def __init__(
        self, table: Table, index: Index, open_work: Open, settled: Callable[[Callable[[], Answer]], Answer],
        limits: Limits,
    ) -> None:  # fmt: skip
        self.table, self.index, self._open, self._settled = table, index, open_work, settled
        self._reading, self._writing = bounds_of(limits)

    def locate(self, request: Request) -> tuple[Place, dict[str, str], Route]:
        """Return the place, the holes and the route of a request. Raises NoRoute, BatchNotAllowed."""
        method = "GET" if request.method == "HEAD" else request.method
        asked = request.path, method
        # The edge asks before the request is answered.
        found = request.located[1] if request.located is not None and request.located[0] == asked else None
        if found is None and method:
            found = self.table.find(*asked)
            request.located = asked, found
        if found is None:
            raise NoRoute(method=request.method or "(no method)", path=request.path)
        route = found[0].by_method[method]
        if request.inner and route.carries:
            # A batch of batches would be as long as one likes, and is counted as one request.
            raise BatchNotAllowed(path=request.path)
        return *found, route

    def takes(self, path: str) -> tuple[str, ...]:
        """Return the headers of their own that the routes of a path read."""
        found = self.table.find(path)
        return tuple(dict.fromkeys(name for route in found[0].routes for name in route.takes)) if found else ()

    def check(self, request: Request, work: Work) -> None:
        """Raise what a request inside another would be refused with before any right is asked."""
        _, holes, route = self.locate(request)
        if request.body_fault is not None:
            raise request.body_fault
        bounds = self._bounds(route)
        _refuse_long(request, bounds)
        raw = merged((holes, request.query, request.form, request.json))
        route.arguments.take(raw, asked=Asked(work.user, raw, lambda read: work.part(request)), bounds=bounds)

    # -- the one door

    def permit(self, route: Route, call: Call) -> None:
        """Ask whether a caller may make a call of a route. Raises what its permission raises."""
        route.allow(call)

    def through(self, route: Route, call: Call) -> Result:
        """Run a route for a call, of its own or of a route that is made from it, after asking its permission."""
        route.allow(call)
        return route.handler(call)

    def ready(self, call: Call) -> AbstractContextManager[Any] | None:
        """Return the slow work of a call that its caller may make; None where its route has none."""
        if call.route.prepare is None:
            return None
        call.route.allow(call)
        return call.route.prepare(call)

    # -- requests

    def member(self, method: str, path: str, request: Request, raw: dict[str, Any], work: Work) -> Call:
        """Return the call of a batch's member: the lone request's route, with those arguments that are good.

        path: of the route, with its holes.
        """
        route = self.table.place(path).by_method[method]
        values = {
            name: _text_of(value) if isinstance(route.args.get(name), String) else value for name, value in raw.items()
        }
        taken = route.arguments.take(values, checked=False, bounds=self._bounds(route))
        if code := taken.get("mlang_language"):
            work.language_for(code)
        return Call(request, route, taken, raw, work, self)

    def answer_member(self, call: Call) -> Any:
        """Return the body that a batch's member is answered. Raises ApiError where the lone request is refused."""
        return self._finish(call, self.through(call.route, call)).body

    def answer(self, request: Request, caller: Any) -> Answer:
        """Answer a request of its own, in a transaction of its own."""

        def once() -> Answer:
            try:
                return self._answer(request, caller, lambda read: self._open(request, caller, read))
            except WriteNeeded:
                return self._answer(request, caller, lambda read: self._open(request, caller, False))

        request.ahead = {}
        for _ in range(_MOST_AHEAD):
            try:
                return self._settled(once)
            except WorkAhead as ahead:
                request.ahead[ahead.key] = ahead.make()
        request.ahead = None
        return self._settled(once)

    def answer_within(self, request: Request, work: Work) -> Answer:
        """Answer a request inside the transaction and with the caller of another."""
        return self._answer(request, work.user, lambda read: work.part(request))

    def _answer(
        self, request: Request, caller: Any, open_work: Callable[[bool], AbstractContextManager[Work]]
    ) -> Answer:
        if request.method == "OPTIONS":
            return self._options(request, open_work)
        try:
            place, holes, route = self.locate(request)
        except (NoRoute, BatchNotAllowed) as error:
            return _refusal(error)
        raw: dict[str, Any] = {}
        bounds = self._bounds(route)
        try:
            if (broken := request.body_fault) is not None:
                raise broken
            _refuse_long(request, bounds)
            if request.agrees is not None:
                request.agrees(holes)
            raw = merged((holes, request.query, request.form, request.json))
            taken = route.arguments.take(raw, asked=Asked(caller, raw, open_work), bounds=bounds)
            slow = self._ready(request, route, taken, raw, open_work) if route.prepare else None
            with slow or _NOTHING as prepared, open_work(bool(route.read)) as work:
                if code := taken.get("mlang_language"):
                    work.language_for(code)
                call = Call(request, route, taken, raw, work, self, prepared=prepared)
                answer = self._finish(call, self.through(route, call))
                answer.kinds = None if TIME in work.kinds else frozenset(work.kinds) or None
                allowed = self._allowed(place, call, known=route if route.read else None)
        except ApiError as error:
            answer = _refusal(error)
            with open_work(True) as work:
                call = Call(request, route, _tolerant(route, raw or dict(holes), bounds), raw, work, self)
                allowed = self._allowed(place, call, known=None)
        if allowed:
            answer.headers.setdefault("Allow", ", ".join(allowed))
        if route.form is not None:
            route.form(request, answer)
        return answer

    def _bounds(self, route: Route) -> Bounds:
        return self._reading if route.read else self._writing

    def _ready(
        self, request: Request, route: Route, taken: Taken, raw: dict[str, Any],
        open_work: Callable[[bool], AbstractContextManager[Work]],
    ) -> AbstractContextManager[Any] | None:  # fmt: skip
        """Return the slow work of a call, asked for in a read of its own. Raises TakesLong in the loop."""
        with open_work(True) as work:
            if code := taken.get("mlang_language"):
                work.language_for(code)
            slow = self.ready(Call(request, route, taken, raw, work, self, open=open_work))
        if slow is not None and request.inline is not None:
            raise TakesLong
        return slow

    def _allowed(self, place: Place, call: Call, known: Route | None) -> list[str]:
        """Return the methods of the place that this caller may use with this request."""
        methods: list[str] = []
        for route in place.routes:
            if route is not known:
                taken = Taken({**route.arguments.defaults, **call.args}, call.args.given)
                other = Call(call.request, route, taken, call.raw, call.work, self, call.kept)
                try:
                    route.allow(other)
                except ApiError:
                    continue
            methods += [method for method in route.methods if method not in methods]
        return methods

    def _options(self, request: Request, open_work: Callable[[bool], AbstractContextManager[Work]]) -> Answer:
        found = self.table.find(request.path)
        if found is None:
            return Answer(200, [], {}, [])
        place, holes = found
        raw = merged((holes, request.query))
        with open_work(True) as work:
            first = place.routes[0]
            call = Call(request, first, _tolerant(first, raw, self._reading), raw, work, self)
            allowed = self._allowed(place, call, known=None)
        body = self.index.described(place, request.root, with_schema=True)
        wanted = choice(request.raw("_fields"))
        headers = {"Allow": ", ".join(allowed)} if allowed else {}
        return Answer(200, chosen(body, wanted.tree) if wanted else body, headers, [])

    def _finish(self, call: Call, result: Result) -> Answer:
        """Choose fields, add the links of an item, embed what is asked for."""
        request, body = call.request, result.body
        wanted = choice(request.raw("_fields"))
        if result.bare is None:
            if wanted is not None:
                body = chosen(body, wanted.tree)
            if result.rels and (wanted is None or result.keeps_links or wanted.names_links()):
                body = {**body, "_links": result.rels}
            if "_embed" in request.query and not request.inner:
                body = self._embedded(call, body)
        return Answer(result.status, body, result.headers, result.links, result.bare, state=result.state)

    # -- embedding

    def _embedded(self, call: Call, body: Any) -> Any:
        asked = call.request.query["_embed"]
        names = None if asked in ("", "1", "true", True, 1, "0", 0) else {str(name) for name in array(asked) or ()}
        seen: dict[str, Any] = {}
        records = body if isinstance(body, list) else [body]
        for record in records:
            if isinstance(record, dict) and isinstance(record.get("_links"), dict):
                embedded = self._embed_one(call, record["_links"], names, seen)
                if embedded:
                    record["_embedded"] = embedded
        return body

    def _embed_one(
        self, call: Call, links: dict[str, Any], names: set[str] | None, seen: dict[str, Any]
    ) -> dict[str, list[Any]]:
        out: dict[str, list[Any]] = {}
        for rel, entries in links.items():
            if names is not None and rel not in names:
                continue
            # What stands there came from outside where a record shows the links of another program.
            if not isinstance(entries, list) or not any(entry.get("embeddable") for entry in entries):
                continue
            out[rel] = []
            for entry in entries:
                if not entry.get("embeddable"):
                    out[rel].append([])
                    continue
                href = entry["href"]
                if href not in seen:
                    seen[href] = self._fetched(call, href)
                out[rel].append(seen[href])
        return {rel: found for rel, found in out.items() if any(found)}

    def _fetched(self, call: Call, href: str) -> Any:
        """Return the answer to a link of this site, in context embed; nothing where no route answers it."""
        request = call.request
        parts = urlsplit(href.removeprefix(request.root))
        found = self.table.find(parts.path, "GET")
        if not href.startswith(request.root) or found is None:
            return []
        query = {"context": "embed", **_largest_page(found[0].by_method["GET"]), **query_strings.parse(parts.query)}
        inner = Request(
            "GET", parts.path, request.root, request.origin, call.work.language, query=query, inner=True
        )  # fmt: skip
        return self.answer_within(inner, call.work).body


def _largest_page(route: Route) -> dict[str, Any]:
    """Return the argument that asks a list for its largest page: what is embedded has no second one."""
    page = route.args.get("per_page")
    return {"per_page": page.maximum} if isinstance(page, Integer) and page.maximum is not None else {}


def _text_of(value: Any) -> Any:
    """Return a number as its text: members of a batch have no schema."""
    return str(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else value


def _tolerant(route: Route, raw: dict[str, Any], bounds: Bounds) -> Taken:
    """Return those arguments that are good, for the question who may do what."""
    return Taken(route.arguments.take(raw, checked=False, bounds=bounds), frozenset())


def _refuse_long(request: Request, bounds: Bounds) -> None:
    """Refuse what no argument is declared for and is a list all the same, where it is too long. Raises InvalidParam."""
    if not (request.query or request.json or request.form or request.items):
        return
    for name, bound in _SHARED.items():
        value = request.raw(name)
        if value is not None and bound is not None and (found := bound(value, name, bounds)) is not None:
            raise InvalidParam({name: found})
    # What the members of an object hold is counted with the arguments; here, how many it has.
    if max(len(request.json), len(request.items)) > bounds.data:
        raise InvalidParam({_BODY: too_many(_BODY, bounds.data)})
    if request.items and (found := any_too_long(request.items, _BODY, bounds)) is not None:
        raise InvalidParam({_BODY: found})


def _refusal(error: ApiError) -> Answer:
    return Answer(error.answer_status, error.body(), dict(error.headers), [], failed=True)

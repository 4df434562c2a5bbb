"""One request from its path to its answer: route, arguments, permission, handler, shown members, `Allow`.

The edge, a batch, embedding, jobs and tests all come through here. Not here: bytes and headers of HTTP (edge/).
The order of checks is the interface's: facts, "How a request is processed".
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Protocol
from urllib.parse import urlsplit

from vetrina.kernel.errors import ApiError, NoRoute, WriteNeeded

from . import query as query_text
from .call import TIME, Answer, Call, Request, Result
from .coerce import array
from .fields import Asked
from .index import Index
from .present import choice, chosen
from .route import Route
from .table import Place, Table
from .validate import Taken, merged

__all__ = ["Dispatcher", "Work"]

_NOTHING: AbstractContextManager[Any] = nullcontext()
_DEEPEST = 8  # requests inside requests; a batch of embeddings needs two


class Work(Protocol):
    """What the dispatcher needs of a unit of work (domain/work.py is one)."""

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
    settled: calls what it is given, again where the store gave its transaction up.
    """

    def __init__(
        self, table: Table, index: Index, open_work: Open, settled: Callable[[Callable[[], Answer]], Answer]
    ) -> None:
        self.table, self.index, self._open, self._settled = table, index, open_work, settled

    def locate(self, request: Request) -> tuple[Place, dict[str, str], Route]:
        """Return the place, the holes and the route of a request. Raises NoRoute."""
        method = "GET" if request.method == "HEAD" else request.method
        found = self.table.find(request.path, method) if method else None
        if found is None:
            raise NoRoute(method=request.method or "(no method)", path=request.path)
        return *found, found[0].by_method[method]

    def takes(self, path: str) -> tuple[str, ...]:
        """Return the headers of their own that the routes of a path read."""
        found = self.table.find(path)
        return tuple(dict.fromkeys(name for route in found[0].routes for name in route.takes)) if found else ()

    def check(self, request: Request, work: Work) -> None:
        """Raise what a request inside another would be refused with before any right is asked."""
        _, holes, route = self.locate(request)
        if request.body_fault is not None:
            raise request.body_fault
        raw = merged((holes, request.query, request.form, request.json))
        route.arguments.take(raw, asked=Asked(work.user, raw, lambda read: work.part(request)))

    def answer(self, request: Request, caller: Any) -> Answer:
        """Answer a request of its own, in a transaction of its own."""

        def once() -> Answer:
            try:
                return self._answer(request, caller, lambda read: self._open(request, caller, read))
            except WriteNeeded:
                return self._answer(request, caller, lambda read: self._open(request, caller, False))

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
        except NoRoute as error:
            return _refusal(error)
        raw: dict[str, Any] = {}
        try:
            if (broken := request.body_fault) is not None:
                raise broken
            raw = merged((holes, request.query, request.form, request.json))
            taken = route.arguments.take(raw, asked=Asked(caller, raw, open_work))
            slow = self._prepare(request, route, taken, raw, open_work) if route.prepare else _NOTHING
            with slow as prepared, open_work(bool(route.read)) as work:
                if code := taken.get("mlang_language"):
                    work.language_for(code)
                call = Call(request, route, taken, raw, work, self, prepared=prepared)
                route.allow(call)
                result = route.handler(call)
                answer = self._finish(call, result)
                answer.kinds = None if TIME in work.kinds else frozenset(work.kinds) or None
                allowed = self._allowed(place, call, known=route if route.read else None)
        except ApiError as error:
            answer = _refusal(error)
            with open_work(True) as work:
                call = Call(request, route, _tolerant(route, raw or dict(holes)), raw, work, self)
                allowed = self._allowed(place, call, known=None)
        if allowed:
            answer.headers.setdefault("Allow", ", ".join(allowed))
        if route.form is not None:
            route.form(request, answer)
        return answer

    def _prepare(
        self, request: Request, route: Route, taken: Taken, raw: dict[str, Any],
        open_work: Callable[[bool], AbstractContextManager[Work]],
    ) -> AbstractContextManager[Any]:  # fmt: skip
        """Return the slow work of a call that its caller may make."""
        assert route.prepare is not None
        with open_work(True) as work:
            if code := taken.get("mlang_language"):
                work.language_for(code)
            call = Call(request, route, taken, raw, work, self, open=open_work)
            route.allow(call)
            return route.prepare(call)

    def _allowed(self, place: Place, call: Call, known: Route | None) -> list[str]:
        """Return the methods of the place that this caller may use with this request."""
        methods: list[str] = []
        for route in place.routes:
            if route is not known:
                values = route.arguments.take({}, checked=False)
                values.update(call.args)
                other = Call(call.request, route, Taken(values, call.args.given), call.raw, call.work, self, call.kept)
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
            call = Call(request, first, _tolerant(first, raw), raw, work, self)
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
        if not href.startswith(request.root) or self.table.find(parts.path, "GET") is None:
            return []
        inner = Request(
            "GET", parts.path, request.root, request.origin, call.work.language,
            query={"context": "embed", **query_text.parse(parts.query)}, inner=True,
        )  # fmt: skip
        return self.answer_within(inner, call.work).body


def _tolerant(route: Route, raw: dict[str, Any]) -> Taken:
    """Return those arguments that are good, for the question who may do what."""
    return Taken(route.arguments.take(raw, checked=False), frozenset())


def _refusal(error: ApiError) -> Answer:
    return Answer(error.answer_status, error.body(), dict(error.headers), [], failed=True)

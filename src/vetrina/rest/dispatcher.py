"""One request from its path to its response: route, arguments, permission, handler, chosen members, `Allow`.

The HTTP server, batches, embedding, jobs and tests all come through here: `run_route` is the only place where a
handler runs, and it checks the route's permission first, with the same arguments that the handler gets. The order of
checks is the interface's: docs/rules/requests.md, 2 and 4; docs/rules/errors.md, 6; docs/rules/rights.md, 5. What
OPTIONS answers: docs/rules/root_index.md, 5.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any, Protocol

from vetrina.kernel.errors import (
    ApiError,
    InlineBudgetExceeded,
    InvalidParam,
    NoRoute,
    PrecomputationNeeded,
    SecretInUrl,
    WriteNeeded,
)
from vetrina.kernel.read_consistency import PrimaryNeeded
from vetrina.rest.batch_envelopes import BatchNotAllowed
from vetrina.rest.cache_tags import name_sources
from vetrina.rest.call import NEVER_STORED, Call, Request, Response, Result
from vetrina.rest.embedding import embed_records
from vetrina.rest.encoded_body import EncodedBody
from vetrina.rest.error_statuses import build_error_response
from vetrina.rest.field_selection import parse_field_selection, select_fields
from vetrina.rest.fields import Array, String, ValidationContext
from vetrina.rest.list_limits import (
    ListLimits,
    build_limit_check,
    build_list_limits,
    build_too_many_fault,
    find_oversized_list,
)
from vetrina.rest.route import Route
from vetrina.rest.route_descriptions import RouteIndex
from vetrina.rest.route_table import Endpoint, RouteTable
from vetrina.rest.validation import ParsedArguments, merge_sources
from vetrina.settings import SiteLimits

_NO_SLOW_WORK: AbstractContextManager[Any] = nullcontext()
_SHARED_LIST_CHECKS = {
    "_fields": build_limit_check(Array()),
    "_embed": build_limit_check(Array()),
}  # lists that every route reads
_BODY_PARAMETER = "body"  # the name of a body that is a list
_MAX_PRECOMPUTED = 32  # results that a request may precompute before its transaction; a batch has one for each member


class RequestUnitOfWork(Protocol):
    """What the dispatcher needs of a unit of work (core/unit_of_work.py is one)."""

    user: Any
    kinds: set[str]
    items: set[tuple[str, int]]

    @property
    def writes(self) -> bool:
        """Return whether its transaction may write."""

    def part(self, request: Request) -> AbstractContextManager[RequestUnitOfWork]:
        """Open a savepoint that can be rolled back by itself, for a request inside this one."""

    def language_for(self, code: str) -> None:
        """Choose the language that `mlang_language` names."""


def _require_no_scope(route: Route, call: Call[Any]) -> None:
    """Leave callers all that they may do."""


RequestTransaction = Callable[[Request, Any, bool], AbstractContextManager[RequestUnitOfWork]]


class Dispatcher:
    """Runs requests against a table of routes.

    open_work: (request, caller, read only) -> a context manager that commits on return and rolls back on an error.
    with_retries: calls a function, again where the database aborted its transaction. limits: how long lists may be.
    require_scope: checks, before the permission of a route, what the caller's credentials are limited to.
    """

    def __init__(
        self,
        table: RouteTable,
        index: RouteIndex,
        open_work: RequestTransaction,
        with_retries: Callable[[Callable[[], Response]], Response],
        limits: SiteLimits,
        require_scope: Callable[[Route, Call[Any]], None] = _require_no_scope,
    ) -> None:
        self.table, self.index, self._open, self._with_retries = table, index, open_work, with_retries
        self._read_limits, self._write_limits = build_list_limits(limits)
        self._require_scope = require_scope

    def locate(self, request: Request) -> tuple[Endpoint, dict[str, str], Route]:
        """Return the endpoint, the path parameters and the route of a request. Raises NoRoute, BatchNotAllowed."""
        method = "GET" if request.method == "HEAD" else request.method
        target = request.path, method
        # The HTTP server looks the route up before the request is answered.
        found = request.route_match[1] if request.route_match is not None and request.route_match[0] == target else None
        if found is None and method:
            found = self.table.find(*target)
            request.route_match = target, found
        if found is None:
            raise NoRoute(method=request.method or "(no method)", path=request.path)
        route = found[0].by_method[method]
        if request.inner and route.batch_arguments:
            # A batch of batches could be of any length, and would count as one request.
            raise BatchNotAllowed(path=request.path)
        return *found, route

    def list_request_headers(self, path: str) -> tuple[str, ...]:
        """Return the additional headers that the routes of a path read."""
        found = self.table.find(path)
        return (
            tuple(dict.fromkeys(name for route in found[0].routes for name in route.request_headers)) if found else ()
        )

    def check(self, request: Request, work: RequestUnitOfWork) -> None:
        """Raise the error that an inner request would be refused with before any permission is checked."""
        _, path_args, route = self.locate(request)
        if request.body_fault is not None:
            raise request.body_fault
        bounds = self._get_list_limits(route)
        _check_list_lengths(request, bounds)
        _refuse_secrets_in_url(request, route.arguments.secrets)
        raw = merge_sources((path_args, request.query, request.form, request.json))
        validation = ValidationContext(work.user, raw, lambda read: work.part(request))
        taken = route.arguments.parse(raw, validation=validation, bounds=bounds)
        if not validation.has_queried:
            request.checked = raw, taken
        if route.expect is not None:
            request.expect = partial(route.expect, Call(request, route, taken, raw, work, self))

    # -- the only way to a handler

    def check_permission(self, route: Route, call: Call[Any]) -> None:
        """Check whether the caller may make a call of a route. Raises what its permission raises."""
        self._require_scope(route, call)
        route.allow(call)

    def run_route(self, route: Route, call: Call[Any]) -> Result:
        """Run a route, or one it is derived from, for a call, after checking its permission."""
        self.check_permission(route, call)
        return route.handler(call)

    def prepare_call(self, call: Call[Any]) -> AbstractContextManager[Any] | None:
        """Return the slow work of a call that its caller may make; None where its route has none."""
        if call.route.prepare is None:
            return None
        self.check_permission(call.route, call)
        return call.route.prepare(call)

    # -- requests

    def build_member_call(
        self, method: str, path: str, request: Request, raw: dict[str, Any], work: RequestUnitOfWork
    ) -> Call[Any]:
        """Return the call for a batch's member: by the route for a single request, with the valid arguments.

        path: of the route, with its path parameters.
        """
        route = self.table.get_endpoint(path).by_method[method]
        values = {
            name: _format_number(value) if isinstance(route.args.get(name), String) else value
            for name, value in raw.items()
        }
        validation = ValidationContext(work.user, values, lambda read: work.part(request))
        bounds = self._get_list_limits(route)
        taken = route.arguments.parse(values, checked=False, validation=validation, bounds=bounds)
        if code := taken.get("mlang_language"):
            work.language_for(code)
        return Call(request, route, taken, raw, work, self)

    def answer_member(self, call: Call[Any]) -> Any:
        """Return the response body of a batch's member. Raises ApiError where a single request would be refused."""
        return self._finish(call, self.run_route(call.route, call)).body

    def answer(self, request: Request, caller: Any) -> Response:
        """Answer a request in a transaction of its own."""

        def once() -> Response:
            try:
                return self._answer(request, caller, lambda read: self._open(request, caller, read))
            except PrimaryNeeded:
                return self._answer(request, caller, lambda read: self._open(request, caller, read))
            except WriteNeeded:
                return self._answer(request, caller, lambda read: self._open(request, caller, False))

        request.runs_again, request.precomputed = True, {}
        for _ in range(_MAX_PRECOMPUTED):
            try:
                return self._with_retries(once)
            except PrecomputationNeeded as ahead:
                request.precomputed[ahead.key] = ahead.make()
        request.precomputed = None
        return self._with_retries(once)

    def answer_within(self, request: Request, work: RequestUnitOfWork) -> Response:
        """Answer a request inside the transaction and with the caller of another.

        Raises WriteNeeded for a route that writes in a transaction that only reads.
        """

        def open_part(read: bool) -> AbstractContextManager[RequestUnitOfWork]:
            if not read and not work.writes:
                raise WriteNeeded
            return work.part(request)

        return self._answer(request, work.user, open_part)

    def _answer(
        self, request: Request, caller: Any, open_work: Callable[[bool], AbstractContextManager[RequestUnitOfWork]]
    ) -> Response:
        if request.method == "OPTIONS":
            return self._answer_options(request, open_work)
        try:
            endpoint, path_args, route = self.locate(request)
        except (NoRoute, BatchNotAllowed) as error:
            return build_error_response(error)
        raw: dict[str, Any] = {}
        bounds = self._get_list_limits(route)
        try:
            if (broken := request.body_fault) is not None:
                raise broken
            if request.checked is not None:
                raw, taken = request.checked
            else:
                _check_list_lengths(request, bounds)
                _refuse_secrets_in_url(request, route.arguments.secrets)
                if request.check_body_path is not None:
                    request.check_body_path(path_args)
                raw = merge_sources((path_args, request.query, request.form, request.json))
                taken = route.arguments.parse(raw, validation=ValidationContext(caller, raw, open_work), bounds=bounds)
            slow = self._prepare_slow_work(request, route, taken, raw, open_work) if route.prepare else None
            with slow or _NO_SLOW_WORK as prepared, open_work(bool(route.read)) as work:
                if code := taken.get("mlang_language"):
                    work.language_for(code)
                call = Call(request, route, taken, raw, work, self, prepared=prepared)
                answer = self._finish(call, self.run_route(route, call))
                if not request.inner:
                    name_sources(answer, work.kinds, work.items)
                if NEVER_STORED in work.kinds and not caller:
                    # Answers to accounts are never stored anyway.
                    answer.headers.setdefault("Cache-Control", "no-store")
                allowed = self._list_allowed_methods(endpoint, call, known=route if route.read else None)
        except ApiError as error:
            answer = build_error_response(error)
            with open_work(True) as work:
                call = Call(
                    request, route, _parse_valid_arguments(route, raw or dict(path_args), bounds), raw, work, self
                )
                allowed = self._list_allowed_methods(endpoint, call, known=None)
        if allowed:
            answer.headers.setdefault("Allow", ", ".join(allowed))
        if route.form is not None:
            route.form(request, answer)
        return answer

    def _get_list_limits(self, route: Route) -> ListLimits:
        return self._read_limits if route.read else self._write_limits

    def _prepare_slow_work(
        self, request: Request, route: Route, taken: ParsedArguments, raw: dict[str, Any],
        open_work: Callable[[bool], AbstractContextManager[RequestUnitOfWork]],
    ) -> AbstractContextManager[Any] | None:  # fmt: skip
        """Return the slow work of a call, read in a transaction of its own. Raises InlineBudgetExceeded in the loop."""
        with open_work(True) as work:
            if code := taken.get("mlang_language"):
                work.language_for(code)
            slow = self.prepare_call(Call(request, route, taken, raw, work, self, open=open_work))
        if slow is not None and request.inline is not None:
            raise InlineBudgetExceeded
        return slow

    def _list_allowed_methods(self, endpoint: Endpoint, call: Call[Any], known: Route | None) -> list[str]:
        """Return the methods of the endpoint that this caller may use with this request."""
        methods: list[str] = []
        for route in endpoint.routes:
            if route is not known:
                taken = ParsedArguments({**route.arguments.defaults, **call.args}, call.args.given_names)
                other = Call(call.request, route, taken, call.raw, call.work, self, call.lookups)
                try:
                    self.check_permission(route, other)
                except ApiError:
                    continue
            methods += [method for method in route.methods if method not in methods]
        return methods

    def _answer_options(
        self, request: Request, open_work: Callable[[bool], AbstractContextManager[RequestUnitOfWork]]
    ) -> Response:
        found = self.table.find(request.path)
        if found is None:
            return Response(200, [], {}, [])
        endpoint, path_args = found
        raw = merge_sources((path_args, request.query))
        with open_work(True) as work:
            first = endpoint.routes[0]
            call = Call(request, first, _parse_valid_arguments(first, raw, self._read_limits), raw, work, self)
            allowed = self._list_allowed_methods(endpoint, call, known=None)
        body = self.index.describe_endpoint(endpoint, request.root, with_schema=True)
        wanted = parse_field_selection(request.raw("_fields"))
        headers = {"Allow": ", ".join(allowed)} if allowed else {}
        return Response(200, select_fields(body, wanted.tree) if wanted else body, headers, [])

    def _finish(self, call: Call[Any], result: Result) -> Response:
        """Select fields, add the links of an item, embed records that are asked for."""
        request, body = call.request, result.body
        wanted = parse_field_selection(request.raw("_fields"))
        if result.raw_content is None and not isinstance(body, EncodedBody):
            if wanted is not None:
                body = select_fields(body, wanted.tree)
            if result.rels and (wanted is None or result.keeps_links or wanted.has_links()):
                body = {**body, "_links": result.rels}
            if "_embed" in request.query and not request.inner:
                body = embed_records(call, body)
        return Response(
            result.status, body, result.headers, result.links, result.raw_content, state=result.state,
            events=result.events, download=result.download,
        )  # fmt: skip


def _format_number(value: Any) -> Any:
    """Return a number as text: members of a batch have no schema."""
    return str(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else value


def _parse_valid_arguments(route: Route, raw: dict[str, Any], bounds: ListLimits) -> ParsedArguments:
    """Return the valid arguments, to determine who may do what."""
    return ParsedArguments(route.arguments.parse(raw, checked=False, bounds=bounds), frozenset())


def _refuse_secrets_in_url(request: Request, secrets: tuple[str, ...]) -> None:
    """Refuse secrets in the address. Raises SecretInUrl."""
    for name in secrets:
        if name in request.query:
            raise SecretInUrl(name=name)


def _check_list_lengths(request: Request, bounds: ListLimits) -> None:
    """Refuse lists without a declared argument that are too long. Raises InvalidParam."""
    if not (request.query or request.json or request.form or request.items):
        return
    for name, bound in _SHARED_LIST_CHECKS.items():
        value = request.raw(name)
        if value is not None and bound is not None and (found := bound(value, name, bounds)) is not None:
            raise InvalidParam({name: found})
    # Members of an object are counted with the arguments; here only how many it has.
    if max(len(request.json), len(request.items)) > bounds.data:
        raise InvalidParam({_BODY_PARAMETER: build_too_many_fault(_BODY_PARAMETER, bounds.data)})
    if request.items and (found := find_oversized_list(request.items, _BODY_PARAMETER, bounds)) is not None:
        raise InvalidParam({_BODY_PARAMETER: found})

"""Batch requests: several creates, updates and deletes of one collection in one call.

Each member runs as a separate request to the route of the same table, permission check included, in a savepoint that is
rolled back when the member fails. Members are parsed leniently: a value that its field does not accept counts as not
sent. Rules: docs/rules/shop_requests.md, 7.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure
from vetrina.rest.batch_envelopes import BatchBudget, BatchTooLarge
from vetrina.rest.call import Request, Result
from vetrina.rest.coercion import coerce_integer
from vetrina.rest.error_statuses import serialize_error
from vetrina.rest.fields import Array, Field, Integer, Object, Untyped
from vetrina.rest.response_fields import FAILURE, Either, Free, RecordOf
from vetrina.rest.route import CHANGE, Route
from vetrina.shop.permissions import require_batch_permission

MAX_BATCH_MEMBERS: Final = 100  # members of all three lists together
_REFUSED_MEMBER: Final = Object(
    "A member that was refused, beside what it was called by.",
    properties={"id": Free("Number of the record, as it was sent.", of=()), "error": FAILURE},
)
_BATCH_METHODS: Final = {"create": "POST", "update": "PUT", "delete": "DELETE"}


class TooManyBatchMembers(ApiError):
    failure, code = Failure.TOO_LARGE, "shop_rest_request_entity_too_large"
    message = "A batch may have {most} members at most; this one has {count}. Send it in parts."


class BatchMemberUnreadable(ApiError):
    """A batch member is not an object."""

    code = "rest_invalid_param"
    message = "A member of a batch is an object with the members of the record."


_BatchMembers = dict[str, list[tuple[Any, dict[str, Any] | None]]]  # verb → id to report, raw values


def build_batch_route(
    path: str,
    *,
    create: Route | None = None,
    update: Route | None = None,
    delete: Route | None = None,
    allow: Callable[[Call], None] = require_batch_permission,
) -> Route:
    """Return the batch route of a collection.

    path: with its `/batch`; it has the path parameters of the members' routes other than `id`. create, update, delete:
    the single routes where they exist: of the collection, and of `/{id}` beneath it. The route that runs is the one in
    the route table, so a version or a mirror runs its own. allow: who may send a batch at all.
    """
    routes = {
        verb: route for verb, route in (("create", create), ("update", update), ("delete", delete)) if route is not None
    }
    first = next(iter(routes.values()))
    holes = {name: field for name, field in first.args.items() if "{" + name in path}
    helps = {
        "create": "Records to make.",
        "update": "Records to change; each names its `id`.",
        "delete": "Numbers of records to remove for good.",
    }
    args: dict[str, Field] = {
        **holes,
        **{verb: Array(helps[verb], items=Untyped(), lenient=True, null="keep") for verb in routes},
    }

    def handler(call: Call) -> Result:
        """Create, change and remove several records in one call, a hundred at most; each member has its own result."""
        budget = BatchBudget(call)
        body = {
            verb: [
                answered
                for at, (id, raw) in enumerate(listed)
                if (answered := _run_member(call, verb, id, raw, at, budget)) is not None
            ]
            for verb, listed in _parse_members(call, routes).items()
        }
        return Result(body)

    slow = any(route.waits for route in routes.values())
    decoding = tuple(route.decodes for route in routes.values() if route.decodes is not None)

    def prepare(call: Call) -> AbstractContextManager[Any]:
        return _prepare_members(call, routes)

    return Route(
        CHANGE, path, handler, args, allow, prepare=prepare if slow else None, slow=slow,
        decodes=(lambda request: any(one(request) for one in decoding)) if decoding else None,
        errors=(TooManyBatchMembers, BatchTooLarge),
        # Of the lists that were sent, each has one of its own.
        answers=Object(
            properties={
                verb: Array(items=_build_member_field(route), optional=True) for verb, route in routes.items()
            }
        ),
        batch_arguments=tuple(routes),
    )  # fmt: skip


def _build_member_field(route: Route) -> Field:
    """Return the field of a member's result: that of the single request, or the error beside the member's id."""
    return (
        _REFUSED_MEMBER
        if route.schema is None
        else Either("", (RecordOf(record=route.schema, response_fields=route.response_fields), _REFUSED_MEMBER))
    )


def _parse_members(call: Call, routes: dict[str, Route]) -> _BatchMembers:
    """Return the members of each list; a value that is not a list counts as not sent. Raises TooManyBatchMembers."""
    outer = {name: value for name, value in call.args.items() if name not in _BATCH_METHODS and value is not None}
    members: _BatchMembers = {}
    for verb in routes:
        listed = call.args.get(verb)
        if not isinstance(listed, list):
            continue
        if verb == "delete":
            ids = [number for item in listed if not isinstance(item, dict) and (number := coerce_integer(item))]
            members[verb] = [(id, {**outer, "id": id, "force": True}) for id in ids]
        else:
            members[verb] = [
                (item.get("id", 0) if verb == "update" else 0, {"id": 0, **outer, **item})
                if isinstance(item, dict)
                else (0, None)
                for item in listed
            ]
    count = sum(map(len, members.values()))
    if count > MAX_BATCH_MEMBERS:
        raise TooManyBatchMembers(most=MAX_BATCH_MEMBERS, count=count)
    return members


def _build_member_call(call: Call, verb: str, raw: dict[str, Any], work: UnitOfWork) -> Call:
    """Return the call of a member: to the collection of this batch, or to one record in it."""
    collection = call.route.path.removesuffix("/batch")
    path = collection if verb == "create" else f"{collection}/{{id}}"
    inner = call.ask.build_member_call(
        _BATCH_METHODS[verb], path, _build_member_request(call, _BATCH_METHODS[verb], raw), raw, work
    )
    if isinstance(inner.route.args.get("id"), Integer):
        inner.args.setdefault("id", 0)
    return inner


def _build_member_request(call: Call, method: str, raw: dict[str, Any]) -> Request:
    outer = call.request
    return Request(
        method, outer.path, outer.root, outer.origin, call.work.language,
        json=raw, headers=outer.headers, remote=outer.remote, inner=True,
    )  # fmt: skip


def _run_member(call: Call, verb: str, id: Any, raw: dict[str, Any] | None, at: int, budget: BatchBudget) -> Any:
    """Run a member and return its response body, or its error beside its id."""
    try:
        budget.require()
        if raw is None:
            raise BatchMemberUnreadable
        with call.work.part(_build_member_request(call, _BATCH_METHODS[verb], raw)) as work:
            inner = _build_member_call(call, verb, raw, work)
            with _enter_prepared_member(call.prepared, verb, at) as inner.prepared:
                body = call.ask.answer_member(inner)
            budget.spend(body)
            return body
    except ApiError as error:
        return {"id": id, "error": serialize_error(error)}


_PreparedMembers = dict[tuple[str, int], "tuple[Any, ExitStack] | ApiError"]


@contextmanager
def _prepare_members(call: Call, routes: dict[str, Route]) -> Iterator[_PreparedMembers]:
    """Do the slow work of every member; an error is stored for that member's own result."""
    out: _PreparedMembers = {}
    with ExitStack() as stack:
        for verb, listed in _parse_members(call, routes).items():
            for at, (_, raw) in enumerate(listed):
                if raw is None:
                    continue
                own = stack.enter_context(ExitStack())
                try:
                    with call.work.use_language(call.work.language):
                        inner = _build_member_call(call, verb, raw, call.work)
                        inner.open = call.open
                        slow = call.ask.prepare_call(inner)
                        if slow is not None:
                            out[verb, at] = (own.enter_context(slow), own)
                except ApiError as error:
                    out[verb, at] = error
        yield out


@contextmanager
def _enter_prepared_member(prepared: _PreparedMembers | None, verb: str, at: int) -> Iterator[Any]:
    """Yield what was prepared for a member; an error of the member unwinds it as in a single request."""
    outcome = prepared.get((verb, at)) if prepared else None
    if outcome is None:
        yield None
        return
    if isinstance(outcome, ApiError):
        raise outcome
    value, stack = outcome
    with ExitStack() as undoing:
        undoing.push(lambda kind, error, trace: stack.__exit__(kind, error, trace) if kind else False)
        yield value

"""Several writes of one kind in one call: create, update, delete.

Each member is the lone request to the route of the same table, permission and all, in a part of the transaction that
its failure undoes by itself. Members are taken leniently: a value that its field does not know counts as not sent.
Rules: facts, "Batch".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Any, Final

from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import ApiError
from vetrina.rest.batches import BatchTooLarge, Room
from vetrina.rest.call import Call, Request, Result
from vetrina.rest.coercion import integer
from vetrina.rest.fields import Array, Field, Integer, Object, Untyped
from vetrina.rest.response_fields import FAILURE, Either, Free, RecordOf
from vetrina.rest.route import CHANGE, Route
from vetrina.shop.permissions import batching

__all__ = ["MOST", "MemberUnreadable", "TooManyMembers", "batch_route"]

MOST: Final = 100  # members of all three lists together
_REFUSED: Final = Object(
    "A member that was refused, beside what it was called by.",
    properties={"id": Free("Number of the record, as it was sent.", of=()), "error": FAILURE},
)
_METHODS: Final = {"create": "POST", "update": "PUT", "delete": "DELETE"}


class TooManyMembers(ApiError):
    status, code = 413, "shop_rest_request_entity_too_large"
    message = "A batch may have {most} members at most; this one has {count}. Send it in parts."


class MemberUnreadable(ApiError):
    """A member of a batch is no object."""

    code = "rest_invalid_param"
    message = "A member of a batch is an object with the members of the record."


_Members = dict[str, list[tuple[Any, dict[str, Any] | None]]]  # verb → number to be named, raw values


def batch_route(
    path: str,
    *,
    create: Route | None = None,
    update: Route | None = None,
    delete: Route | None = None,
    allow: Callable[[Call], None] = batching,
) -> Route:
    """Return the batch route of a collection.

    path: with its `/batch`; holes of the members' routes other than `id` stand in it too.
    create, update, delete: the routes of the lone requests, where there are such: to the collection and to `/{id}` in
    it. What runs is what the table has there, a version's or a mirror's own. allow: who may send a batch at all.
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
        """Create, change and remove several in one call, a hundred at most; each member is answered by itself."""
        room = Room(call)
        body = {
            verb: [
                answered
                for at, (id, raw) in enumerate(listed)
                if (answered := _answered(call, verb, id, raw, at, room)) is not None
            ]
            for verb, listed in _members(call, routes).items()
        }
        return Result(body)

    slow = any(route.waits for route in routes.values())
    decoding = tuple(route.decodes for route in routes.values() if route.decodes is not None)

    def prepare(call: Call) -> AbstractContextManager[Any]:
        return _prepared(call, routes)

    return Route(
        CHANGE, path, handler, args, allow, prepare=prepare if slow else None, slow=slow,
        decodes=(lambda request: any(one(request) for one in decoding)) if decoding else None,
        errors=(TooManyMembers, BatchTooLarge),
        answers=Object(properties={verb: Array(items=_member(route)) for verb, route in routes.items()}),
        carries=tuple(routes),
    )  # fmt: skip


def _member(route: Route) -> Field:
    """Return what a member is answered: what the lone request is, or its refusal beside its number."""
    return (
        _REFUSED if route.schema is None else Either("", (RecordOf(record=route.schema, shows=route.shows), _REFUSED))
    )


def _members(call: Call, routes: dict[str, Route]) -> _Members:
    """Return what the lists hold; one that is no list counts as not sent. Raises TooManyMembers."""
    outer = {name: value for name, value in call.args.items() if name not in _METHODS and value is not None}
    found: _Members = {}
    for verb in routes:
        listed = call.args.get(verb)
        if not isinstance(listed, list):
            continue
        if verb == "delete":
            ids = [number for item in listed if not isinstance(item, dict) and (number := integer(item))]
            found[verb] = [(id, {**outer, "id": id, "force": True}) for id in ids]
        else:
            found[verb] = [
                (item.get("id", 0) if verb == "update" else 0, {"id": 0, **outer, **item})
                if isinstance(item, dict)
                else (0, None)
                for item in listed
            ]
    count = sum(map(len, found.values()))
    if count > MOST:
        raise TooManyMembers(most=MOST, count=count)
    return found


def _call_of(call: Call, verb: str, raw: dict[str, Any], work: Work) -> Call:
    """Return the call that a member is: to the collection whose batch this is, or to one thing in it."""
    collection = call.route.path.removesuffix("/batch")
    path = collection if verb == "create" else f"{collection}/{{id}}"
    inner = call.ask.member(_METHODS[verb], path, _request(call, _METHODS[verb], raw), raw, work)
    if isinstance(inner.route.args.get("id"), Integer):
        inner.args.setdefault("id", 0)
    return inner


def _request(call: Call, method: str, raw: dict[str, Any]) -> Request:
    outer = call.request
    return Request(
        method, outer.path, outer.root, outer.origin, call.work.language,
        json=raw, headers=outer.headers, remote=outer.remote, inner=True,
    )  # fmt: skip


def _answered(call: Call, verb: str, id: Any, raw: dict[str, Any] | None, at: int, room: Room) -> Any:
    """Return a member's answer, or its error beside its number."""
    try:
        room.require()
        if raw is None:
            raise MemberUnreadable
        with call.work.part(_request(call, _METHODS[verb], raw)) as work:
            inner = _call_of(call, verb, raw, work)
            with _undone(call.prepared, verb, at) as inner.prepared:
                body = call.ask.answer_member(inner)
            room.take(body)
            return body
    except ApiError as error:
        return {"id": id, "error": error.body()}


_Prepared = dict[tuple[str, int], "tuple[Any, ExitStack] | ApiError"]


@contextmanager
def _prepared(call: Call, routes: dict[str, Route]) -> Iterator[_Prepared]:
    """Do the slow work of every member; a refusal of one is kept for its own answer."""
    out: _Prepared = {}
    with ExitStack() as stack:
        for verb, listed in _members(call, routes).items():
            for at, (_, raw) in enumerate(listed):
                if raw is None:
                    continue
                own = stack.enter_context(ExitStack())
                try:
                    with call.work.speaking(call.work.language):
                        inner = _call_of(call, verb, raw, call.work)
                        inner.open = call.open
                        slow = call.ask.ready(inner)
                        if slow is not None:
                            out[verb, at] = (own.enter_context(slow), own)
                except ApiError as error:
                    out[verb, at] = error
        yield out


@contextmanager
def _undone(prepared: _Prepared | None, verb: str, at: int) -> Iterator[Any]:
    """Give what was prepared for a member; its own error ends it as that of a lone request would."""
    found = prepared.get((verb, at)) if prepared else None
    if found is None:
        yield None
        return
    if isinstance(found, ApiError):
        raise found
    value, own = found
    with ExitStack() as undoing:
        undoing.push(lambda kind, error, trace: own.__exit__(kind, error, trace) if kind else False)
        yield value

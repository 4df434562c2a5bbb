"""Several writes of one kind in one call: create, update, delete.

Each member goes through the handler of the lone request, in a part of the transaction that its failure undoes by
itself. Only the batch's own right is asked, and members are taken leniently: a value that its field does not know
counts as not sent. Rules: facts, "Batch".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Any, Final

from vetrina.declare.call import Call, Request, Result
from vetrina.declare.coerce import integer
from vetrina.declare.fields import Array, Field, Integer, Object, String, Untyped
from vetrina.declare.route import CHANGE, Route
from vetrina.declare.shown import FAILURE, Either, Free, RecordOf
from vetrina.declare.validate import Taken
from vetrina.domain.work import Work
from vetrina.kernel.errors import ApiError

from .access import batching

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
    create, update, delete: the routes of the lone requests, where there are such. allow: the permission of all.
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
        members = _members(call, routes)
        count = sum(map(len, members.values()))
        if count > MOST:
            raise TooManyMembers(most=MOST, count=count)
        body = {
            verb: [
                answered
                for at, (id, raw) in enumerate(listed)
                if (answered := _answered(call, routes[verb], verb, id, raw, at)) is not None
            ]
            for verb, listed in members.items()
        }
        return Result(body)

    slow = any(route.prepare or route.slow for route in routes.values())

    def prepare(call: Call) -> AbstractContextManager[Any]:
        return _prepared(call, routes)

    return Route(
        CHANGE, path, handler, args, allow, prepare=prepare if slow else None, slow=slow, errors=(TooManyMembers,),
        answers=Object(properties={verb: Array(items=_member(route)) for verb, route in routes.items()}),
        carries=tuple(routes),
    )  # fmt: skip


def _member(route: Route) -> Field:
    """Return what a member is answered: what the lone request is, or its refusal beside its number."""
    return (
        _REFUSED if route.schema is None else Either("", (RecordOf(record=route.schema, shows=route.shows), _REFUSED))
    )


def _members(call: Call, routes: dict[str, Route]) -> _Members:
    """Return what the lists hold; one that is no list counts as not sent."""
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
    return found


def _call_of(call: Call, route: Route, verb: str, raw: dict[str, Any], work: Work) -> Call:
    request = _request(call, verb, raw)
    return Call(request, route, _taken(route, raw), raw, work, call.ask)


def _request(call: Call, verb: str, raw: dict[str, Any]) -> Request:
    outer = call.request
    return Request(
        _METHODS[verb], outer.path, outer.root, outer.origin, call.work.language,
        json=raw, headers=outer.headers, remote=outer.remote, inner=True,
    )  # fmt: skip


def _answered(
    call: Call, route: Route, verb: str, id: Any, raw: dict[str, Any] | None, at: int
) -> dict[str, Any] | None:
    """Return a member's answer, or its error beside its number."""
    try:
        if raw is None:
            raise MemberUnreadable
        with call.work.part(_request(call, verb, raw)) as work:
            inner = _call_of(call, route, verb, raw, work)
            with _undone(call.prepared, verb, at) as inner.prepared:
                result = route.handler(inner)
            body: dict[str, Any] = {**result.body, "_links": result.rels} if result.rels else result.body
            return body
    except ApiError as error:
        return {"id": id, "error": error.body()}


def _taken(route: Route, raw: dict[str, Any]) -> Taken:
    """Return those arguments that are good; a number stands for its text, as members have no schema."""
    told = {
        name: f"{value}"
        if isinstance(value, (int, float)) and not isinstance(value, bool) and isinstance(route.args.get(name), String)
        else value
        for name, value in raw.items()
    }
    taken = route.arguments.take(told, checked=False)
    if isinstance(route.args.get("id"), Integer):
        taken.setdefault("id", 0)
    return taken


_Prepared = dict[tuple[str, int], "tuple[Any, ExitStack] | ApiError"]


@contextmanager
def _prepared(call: Call, routes: dict[str, Route]) -> Iterator[_Prepared]:
    """Do the slow work of every member; a refusal of one is kept for its own answer."""
    out: _Prepared = {}
    with ExitStack() as stack:
        for verb, listed in _members(call, routes).items():
            prepare = routes[verb].prepare
            for at, (_, raw) in enumerate(listed[:MOST]):
                if prepare is None or raw is None:
                    continue
                own = stack.enter_context(ExitStack())
                try:
                    value = own.enter_context(prepare(_call_of(call, routes[verb], verb, raw, call.work)))
                    out[verb, at] = (value, own)
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

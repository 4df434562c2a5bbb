"""A collection of records and its routes: list, create, read, update, delete and batch, declared as one value.

A `Resource` says what its records look like, who may do what, and which functions do it. What all collections have in
common follows from that: paths, `context`, `_fields`, links, headers, statuses, the refusal of a trash that does not
exist, the batch route. Rules: docs/rules/lists.md, 2, 3 and 4; docs/rules/global_parameters.md, 1 and 2;
docs/rules/kinds.md, 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from operator import attrgetter
from typing import Any, Generic, Literal, TypeVar

from vetrina.kernel.errors import ApiError, Failure
from vetrina.rest.call import Call, Result
from vetrina.rest.common_arguments import build_context_argument, build_force_argument
from vetrina.rest.field_selection import FieldSelection, parse_field_selection
from vetrina.rest.fields import Field
from vetrina.rest.paging import build_page_headers
from vetrina.rest.preconditions import WriteGuard
from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route, allow_anyone
from vetrina.rest.serializer import Serializer, build_link

T = TypeVar("T")  # a record
F = TypeVar("F", bound=Callable[..., Any])

Links = dict[str, list[dict[str, Any]]]
BatchRouteBuilder = Callable[..., Route]  # (path, create, update, delete: the routes that there are)


class TrashUnsupported(ApiError):
    """A record that can only be deleted for good is to be moved to the trash."""

    failure, code = Failure.NOT_IMPLEMENTED, "rest_trash_not_supported"
    message = "There is no trash for this; send `force` as true to delete it for good."


def build_write_arguments(
    fields: Mapping[str, Field], *, required: Sequence[str] = (), **changes: Any
) -> dict[str, Field]:
    """Return the arguments of a write: the members of a record that can be written.

    required: those that must be sent. changes: words that every argument has instead of its member's.
    """
    writable = {name: member for name, member in fields.items() if not member.readonly}
    return {
        name: member.replace(context=(), **{**changes, **({"required": True} if name in required else {})})
        for name, member in writable.items()
    }


@dataclass(frozen=True)
class ListPage(Generic[T]):
    """Records of one page. total: of the whole list; None for a list without pages, which does not report it.

    number, size: of the page, where `page` and `per_page` do not say it; size None: a list that has one page.
    view: what the serializer's getters need, where the list has loaded it already.
    """

    items: Sequence[T]
    total: int | None = None
    number: int = 0
    size: int | None = 0
    view: Any = None


@dataclass(frozen=True)
class Operation(Generic[F]):
    """One thing that can be done with a resource.

    run: does it; its arguments are in `Resource`. permission: who may (`allow` in rest/route.py). args: its arguments
    beside those that the resource gives. errors: those that every route of its kind does not have.
    find: (call) -> the record, where that of the resource does not do. summary: what it does, where that does not
    follow from its shape. adapt: returns the route with further words of `Route`.
    """

    run: F
    permission: Callable[[Call[Any]], None] = allow_anyone
    args: Mapping[str, Field] = field(default_factory=dict)
    errors: tuple[type[ApiError], ...] = ()
    find: Callable[[Call[Any]], Any] | None = None
    summary: str = ""
    adapt: Callable[[Route], Route] | None = None


def build_no_links(call: Call[Any], item: Any) -> Links:
    """Return the links of a record that has none."""
    return {}


def _get_work(call: Call[Any], items: Sequence[Any]) -> Any:
    return call.work


@dataclass(frozen=True, kw_only=True)
class Resource(Generic[T]):
    """A collection, and the routes of the operations that it has.

    title, schema_links: of the schema. path: of the collection; above: its path parameters, with their fields.
    item: the path of a record beneath it; key: the path parameters of a record, those above included.
    identify: (record) -> the last part of its path.
    find: (call) -> the record to update or delete; raises an error where there is none. None where nothing does that.
    list: (call) -> ListPage, or the result that has it. create: (call) -> the new record, or a result that says why
    there is none.
    read: (call) -> the record that the path names, or a finished result.
    update: (call, record) -> the changed record. delete: (call, record) -> the record that stays, moved to the trash;
    None where it is gone.
    load_view: (call, records) -> what the serializer's getters need besides the records; by default the unit of work.
    finish: (call, records, bodies) -> None; adds to the bodies what depends on all of them.
    finish_result: (call, record, view, result) -> None; adds to the result that has one record what only it has.
    build_links: (call, record) -> links, where the usual ones do not do; methods: those that the usual ones name.
    build_view_links: the same from the view of the records: (view, record) -> links.
    build_state: (record) -> the word that leads the entity tag of its responses (`Result.state`).
    guard: of the records that two people may change at a time; the others take every write.
    build_item_url: (call, record) -> its address, where that does not follow from the path of the call.
    context, force: the arguments of that name; context None: records are not read with one; force None: what is
    deleted is always gone for good.
    written_context: of the response to a write, where the call has no `context`.
    keeps_links: whether items have links even where `_fields` does not name them, created_keeps_links: whether a new
    one has, lists_links: those in lists.
    by_name: whether a list is an object that has each record by the last part of its path; it has no pages.
    trash_unsupported: raised where a record that has no trash is to be deleted without `force`; before_finding:
    whether that is asked before the record is looked for.
    deleted: what answers a deletion for good: the "record" as it was, or an object with it as "previous", where
    `_fields` chooses among the members of the record before it is put there.
    response_fields, batch: as of a route (rest/route.py): members that responses have beside the schema's, and whether
    a batch of several routes may include its routes. build_batch_route: builds the batch route of the collection.
    """

    title: str
    path: str
    serializer: Serializer
    key: Mapping[str, Field] = field(default_factory=dict)
    find: Callable[[Call[Any]], T] | None = None
    above: Mapping[str, Field] = field(default_factory=dict)
    item: str = "{id}"
    identify: Callable[[T], object] = attrgetter("id")
    list: Operation[Callable[[Call[Any]], ListPage[T] | Result]] | None = None
    create: Operation[Callable[[Call[Any]], T | Result]] | None = None
    read: Operation[Callable[[Call[Any]], T | Result]] | None = None
    update: Operation[Callable[[Call[Any], T], T]] | None = None
    delete: Operation[Callable[[Call[Any], T], T | None]] | None = None
    load_view: Callable[[Call[Any], Sequence[T]], Any] = _get_work
    finish: Callable[[Call[Any], Sequence[T], Sequence[dict[str, Any]]], None] | None = None
    finish_result: Callable[[Call[Any], T, Any, Result], None] | None = None
    build_links: Callable[[Call[Any], T], Links] | None = None
    build_view_links: Callable[[Any, T], Links] | None = None
    build_item_url: Callable[[Call[Any], T], str] | None = None
    build_state: Callable[[T], str] | None = None
    guard: WriteGuard[T] | None = None
    methods: Sequence[str] = (*READ, *CHANGE, *REMOVE)
    context: Field | None = field(default_factory=build_context_argument)
    force: Field | None = field(default_factory=build_force_argument)
    written_context: str = "edit"
    keeps_links: bool = False
    created_keeps_links: bool = True
    lists_links: bool = False
    by_name: bool = False
    trash_unsupported: type[ApiError] | None = None
    before_finding: bool = False
    deleted: Literal["record", "previous"] = "record"
    schema_links: Sequence[dict[str, Any]] = ()
    response_fields: Mapping[str, Field] = field(default_factory=dict)
    batch: bool | None = None
    build_batch_route: BatchRouteBuilder | None = None

    def build_routes(self) -> tuple[Route, ...]:
        """Return the routes of the operations that the resource has, in the order of the index."""
        routes = self.build_routes_by_operation()
        writes = {name: routes[name] for name in ("create", "update", "delete") if name in routes}
        if self.build_batch_route is not None and writes:
            routes["batch"] = self.build_batch_route(f"{self.path}/batch", **writes)
        return tuple(routes.values())

    def build_routes_by_operation(self) -> dict[str, Route]:
        """Return the route of each operation that the resource has, by name."""
        item, routes = f"{self.path}/{self.item}", {}
        if (list := self.list) is not None:
            route = self._build_route(READ, self.path, list, self.above, partial(_list_items, self, list.run))
            routes["list"] = route.replace(answers="by name" if self.by_name else "many")
        if (create := self.create) is not None:
            routes["create"] = self._build_route(
                WRITE, self.path, create, self.above, partial(_create_item, self, create.run)
            )
        if (read := self.read) is not None:
            args = self.key if self.context is None else {**self.key, "context": self.context}
            routes["read"] = self._build_route(READ, item, read, args, partial(_read_item, self, read.run))
        if (update := self.update) is not None:
            run = partial(_update_item, self, update.run, self._get_find(update))
            routes["update"] = self._build_route(CHANGE, item, update, self.key, run)
        if (delete := self.delete) is not None:
            run = partial(_delete_item, self, delete.run, self._get_find(delete))
            force = {} if self.force is None else {"force": self.force}
            route = self._build_route(REMOVE, item, delete, {**self.key, **force}, run)
            refused = () if self.trash_unsupported is None else (self.trash_unsupported,)
            routes["delete"] = route.replace(errors=(*route.errors, *refused))
        return routes

    def build_schema(self) -> dict[str, Any]:
        """Return the schema of a record, as OPTIONS has it."""
        return self.serializer.schema(self.title, [*self.schema_links])

    def serialize(self, call: Call[Any], items: Sequence[T], context: str) -> Sequence[dict[str, Any]]:
        """Return the members of records that `_fields` asks for, without links."""
        wanted = parse_field_selection(call.request.raw("_fields"))
        return self._serialize(call, items, self.load_view(call, items), context, wanted)

    def _serialize(
        self, call: Call[Any], items: Sequence[T], view: Any, context: str, wanted: FieldSelection | None
    ) -> Sequence[dict[str, Any]]:
        serialize = self.serializer.serialize
        bodies = [serialize(one, view, context, wanted) for one in items]
        if self.finish is not None:
            self.finish(call, items, bodies)
        return bodies

    def build_result(self, call: Call[Any], item: T, *, status: int = 200, context: str = "") -> Result:
        """Return the result that has one record. context: decides which members, where the argument does not."""
        view, wanted = self.load_view(call, (item,)), parse_field_selection(call.request.raw("_fields"))
        context = context or call.args.get("context") or self.written_context
        body = self._serialize(call, (item,), view, context, wanted)[0]
        result = Result(body, status, rels=self._build_links(call, item, view), keeps_links=self.keeps_links)
        result.state = self._compute_state(call, item, view)
        if self.finish_result is not None:
            self.finish_result(call, item, view, result)
        return result

    def _compute_state(self, call: Call[Any], item: T, view: Any) -> str:
        """Return the word that leads the record's entity tags, empty for a record that has none."""
        if self.guard is not None:
            return self.guard.compute_state(item, view) if self.guard.is_shown(call) else ""
        return "" if self.build_state is None else self.build_state(item)

    def build_list_result(self, call: Call[Any], page: ListPage[T]) -> Result:
        """Return the result that has a page of records."""
        items, view = page.items, self.load_view(call, page.items) if page.view is None else page.view
        # In an object by name, `_fields` begins with the names of records, which the dispatcher selects.
        wanted = None if self.by_name else parse_field_selection(call.request.raw("_fields"))
        bodies = self._serialize(call, items, view, call.args.get("context") or "view", wanted)
        if self.lists_links or wanted is None or wanted.has_links():
            for one, body in zip(items, bodies, strict=True):
                if rels := self._build_links(call, one, view):
                    body["_links"] = rels
        if self.by_name:
            return Result({str(self.identify(one)): body for one, body in zip(items, bodies, strict=True)})
        if page.total is None:
            return Result(bodies)
        size = call.args.get("per_page") if page.size == 0 else page.size
        number = page.number or call.args.get("page") or 1
        headers, links = build_page_headers(call, page.total, size, number)
        return Result(bodies, headers=headers, links=links)

    def _build_links(self, call: Call[Any], item: T, view: Any) -> Links:
        if self.build_view_links is not None:
            links = self.build_view_links(view, item)
        else:
            links = self.build_usual_links(call, item) if self.build_links is None else self.build_links(call, item)
        if self.guard is not None and self.guard.is_linked(call):
            links["self"][0]["targetHints"]["etag"] = [f'"{self.guard.compute_state(item, view)}"']
        return links

    def build_usual_links(self, call: Call[Any], item: T) -> Links:
        """Return the links that a record has unless `build_links` says otherwise."""
        return {
            "self": [{"href": self.build_url(call, item), "targetHints": {"allow": [*self.methods]}}],
            "collection": [build_link(self.build_collection_url(call))],
        }

    def build_collection_url(self, call: Call[Any]) -> str:
        """Return the address of the collection that a call is about."""
        path = self.path
        for name in self.above:
            path = path.replace(f"{{{name}}}", str(call.args.get(name)))
        url: str = call.work.api(path)
        return url

    def build_url(self, call: Call[Any], item: T) -> str:
        """Return the address of a record."""
        if self.build_item_url is not None:
            return self.build_item_url(call, item)
        return f"{self.build_collection_url(call)}/{self.identify(item)}"

    def _get_find(self, operation: Operation[Any]) -> Callable[[Call[Any]], T]:
        find = operation.find or self.find
        assert find is not None
        return find if self.guard is None else partial(self._find_guarded, find, self.guard)

    def _find_guarded(self, find: Callable[[Call[Any]], T], guard: WriteGuard[T], call: Call[Any]) -> T:
        """Return the record of a write. Raises PreconditionFailed when a condition of the request does not hold."""
        found = find(call)
        guard.check(call, found, lambda: self.load_view(call, (found,)))
        return found

    def _build_route(
        self,
        methods: tuple[str, ...],
        path: str,
        operation: Operation[Any],
        args: Mapping[str, Field],
        handler: Callable[[Call[Any]], Result],
    ) -> Route:
        route = Route(
            methods, path, handler, {**args, **operation.args}, operation.permission, self.build_schema,
            errors=operation.errors, summary=operation.summary, response_fields=self.response_fields, batch=self.batch,
            written_context="" if methods == READ else self.written_context,
        )  # fmt: skip
        return route if operation.adapt is None else operation.adapt(route)


# -- handlers: what they run is bound to them, where the errors below a route are looked for (rest/declared_errors.py)


def _list_items(of: Resource[T], run: Callable[[Call[Any]], ListPage[T] | Result], call: Call[Any]) -> Result:
    page = run(call)
    return page if isinstance(page, Result) else of.build_list_result(call, page)


def _create_item(of: Resource[T], run: Callable[[Call[Any]], T | Result], call: Call[Any]) -> Result:
    new = run(call)
    if isinstance(new, Result):
        return new
    call.work.send_writes()
    result = of.build_result(call, new, status=201)
    result.keeps_links = of.keeps_links and of.created_keeps_links
    result.headers["Location"] = of.build_url(call, new)
    return result


def _read_item(of: Resource[T], run: Callable[[Call[Any]], T | Result], call: Call[Any]) -> Result:
    found = run(call)
    return found if isinstance(found, Result) else of.build_result(call, found)


def _update_item(
    of: Resource[T], run: Callable[[Call[Any], T], T], find: Callable[[Call[Any]], T], call: Call[Any]
) -> Result:
    new = run(call, find(call))
    call.work.send_writes()
    return of.build_result(call, new)


def _delete_item(
    of: Resource[T], run: Callable[[Call[Any], T], T | None], find: Callable[[Call[Any]], T], call: Call[Any]
) -> Result:
    forced = bool(call.args.get("force"))
    refusal = None if forced else of.trash_unsupported
    if refusal is not None and of.before_finding:
        raise refusal
    old = find(call)
    if refusal is not None:
        raise refusal
    if of.deleted == "record":
        result = of.build_result(call, old)
        kept = run(call, old)
        return result if kept is None else of.build_result(call, kept)
    if not forced and of.force is not None:
        kept = run(call, old)
        assert kept is not None, "what is not deleted for good is in the trash"
        return of.build_result(call, kept)
    context = call.args.get("context") or of.written_context
    previous = of.serialize(call, (old,), context)[0]
    run(call, old)
    return Result({"deleted": True, "previous": previous})

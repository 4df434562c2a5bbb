"""Posts, pages and every other type of record: one set of routes a type, derived from what the type supports.

Not here: arguments and schema (content/records/schema.py), how a record is shown (content/records/views.py), its
history (content/revisions/rules.py). Rules: interface.md, "Content routes"; facts of the interface, 1 to 10.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from vetrina.access.roles.capabilities import (
    may_create,
    may_delete,
    may_edit,
    may_edit_others,
    may_edit_type,
    may_publish,
)
from vetrina.content.records import (
    listing as record_listing,
)
from vetrina.content.records import (
    passwords as record_passwords,
)
from vetrina.content.records import (
    rules as records,
)
from vetrina.content.records import schema as record_schema
from vetrina.content.records import (
    visibility,
)
from vetrina.content.records.model import Record
from vetrina.content.records.precondition_arguments import check as check_preconditions
from vetrina.content.records.precondition_arguments import state
from vetrina.content.records.query import RecordQuery
from vetrina.content.records.query_arguments import query_of
from vetrina.content.records.views import View, links, record_shape, view_of
from vetrina.content.revisions import routes as revision_routes
from vetrina.content.terms import store as term_store
from vetrina.content.translations.language_schema import without_languages
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel.errors import ApiError, Refused
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import Integer
from vetrina.rest.paging import page_headers
from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import Shape, choice

__all__ = ["RecordRoutes", "routes"]


class Forbidden(Refused):
    code = "rest_forbidden"
    message = "You may not read this record."


class ForbiddenContext(Refused):
    code = "rest_forbidden_context"
    message = "You may not edit records of this type, so the context edit is not for you."


class CannotCreate(Refused):
    code = "rest_cannot_create"
    message = "You may not create records of this type."


class CannotEdit(Refused):
    code = "rest_cannot_edit"
    message = "You may not change this record."


class CannotEditOthers(Refused):
    code = "rest_cannot_edit_others"
    message = "You may not name another user as the author."


class CannotSticky(Refused):
    code = "rest_cannot_assign_sticky"
    message = "You may not make records sticky."


class CannotAssignTerm(Refused):
    code = "rest_cannot_assign_term"
    message = "You may not assign these terms."


class CannotDelete(Refused):
    code = "rest_cannot_delete"
    message = "You may not remove this record."


class WrongPassword(Refused):
    code = "rest_post_incorrect_password"
    message = "The password is wrong."

    def __init__(self) -> None:
        super().__init__(True)


class RecordExists(ApiError):
    code = "rest_post_exists"
    message = "A new record cannot have an id; leave it out, or send the request to the record's own address."


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of every content type of a site."""
    types = [type for type in frame.types.values() if type.room == "records"]
    return tuple(route for type in types for route in RecordRoutes(frame, type).all())


class RecordRoutes:
    """The routes of one type."""

    def __init__(self, frame: Frame, type: ContentType) -> None:
        self.frame, self.type = frame, type
        self.shape = self.shaped()

    def all(self) -> tuple[Route, ...]:
        """Return the routes in the order of the index."""
        frame, type, batch = self.frame, self.type, self.type.batch
        item = f"{type.path}/{{id}}"
        writes = record_schema.write_arguments(type, self.shape.fields)
        update = {"id": record_schema.item_arguments(type)["id"], **writes}
        return (
            Route(
                READ,
                type.path,
                self.listed,
                record_schema.list_arguments(frame, type),
                self.may_list,
                self.schema,
                batch,
            ),
            Route(WRITE, type.path, self.created, writes, self.may_create, self.schema, batch),
            Route(
                READ,
                item,
                self.read,
                record_schema.item_arguments(type),
                self.may_read,
                self.schema,
                batch,
            ),
            Route(CHANGE, item, self.changed, update, self.may_change, self.schema, batch),
            Route(REMOVE, item, self.removed, record_schema.delete_arguments(), self.may_remove, self.schema, batch),
            *revision_routes.routes(frame, type, without_languages(writes), self),
        )

    def shaped(self) -> Shape:
        """Return how its records are shown."""
        return record_shape(self.frame, self.type)

    def schema(self) -> dict[str, Any]:
        """Return the schema of a record, with the actions that clients may look for."""
        type, string = self.type, {"type": "string"}
        targets: dict[str, dict[str, Any]] = {"unfiltered-html": {"content": {"raw": string}}}
        if type.address != "attached":
            publish = {"status": {"type": "string", "enum": ["publish", "future"]}}
            targets = {"publish": publish, **targets}
        if type.has("sticky"):
            targets["sticky"] = {"sticky": {"type": "boolean"}}
        if type.has("author"):
            targets["assign-author"] = {"author": {"type": "integer"}}
        for taxonomy in self.frame.taxonomies_of(type):
            numbers = {taxonomy.base: {"type": "array", "items": {"type": "integer"}}}
            targets |= {f"assign-{taxonomy.base}": numbers, f"create-{taxonomy.base}": numbers}
        return self.shape.schema(
            type.name,
            [
                {
                    "rel": f"https://api.cms.example/action-{action}",
                    "title": f"The caller may {action.replace('-', ' ')} here.",
                    "href": f"{type.path}/{{id}}",
                    "targetSchema": {"type": "object", "properties": properties},
                }
                for action, properties in targets.items()
            ],
        )

    # -- what a room with more to show does otherwise

    def view_of(self, work: Work, rows: Sequence[Record], context: str) -> View:
        """Return what showing some records needs to know beside them."""
        return view_of(work, self.type, rows, context)

    def links_of(self, view: View, record: Record) -> dict[str, Any]:
        """Return the `_links` of a record."""
        return links(view, record)

    def query_of(self, call: Call) -> RecordQuery:
        """Return the query that the arguments of a list say."""
        return query_of(call, self.type)

    # -- what may be done

    def record_of(self, call: Call) -> Record:
        """Return the record that a call addresses. Raises RecordUnknown."""
        kept: Record | None = call.kept.get(self)
        if kept is None:
            number = call.args.get("id", 0)
            kept = records.existing(call.work, self.type, number if isinstance(number, int) else 0)
            call.kept[self] = kept
        return kept

    def may_list(self, call: Call) -> None:
        """Everybody, what is public; the editing view is for those who write such records."""
        user = call.work.user
        if call.args.get("context") == "edit" and not may_edit_type(user, self.type):
            raise ForbiddenContext(bool(user))

    def may_read(self, call: Call) -> None:
        """Everybody, what is public; other records and the editing view are for those who may see or change it."""
        record, user, kind = self.record_of(call), call.work.user, self.type
        if call.args.get("context") == "edit" and not may_edit(user, kind, record):
            raise ForbiddenContext(bool(user))
        password = call.request.query.get("password")
        if password and not (isinstance(password, str) and record_passwords.opens(call.work, record, password)):
            raise WrongPassword
        if not visibility.readable(call.work, kind, record):
            raise Forbidden(bool(user))

    def may_create(self, call: Call) -> None:
        """Those who write such records; publishing, and writing for another author, need rights of their own."""
        user, kind = call.work.user, self.type
        if call.raw.get("id"):
            raise RecordExists
        self._may_write(call, first=lambda: None)
        if not may_create(user, kind):
            raise CannotCreate(bool(user))
        self._may_assign(call)

    def may_change(self, call: Call) -> None:
        """Those who may change this record; publishing, and naming another author, need rights of their own."""
        record, user = self.record_of(call), call.work.user
        if not may_edit(user, self.type, record):
            raise CannotEdit(bool(user))
        self._may_write(call, first=lambda: None)
        self._may_assign(call)

    def may_remove(self, call: Call) -> None:
        """Those who may remove this record."""
        record, user = self.record_of(call), call.work.user
        if not may_delete(user, self.type, record):
            raise CannotDelete(bool(user))

    def _may_write(self, call: Call, first: Any) -> None:
        user, kind = call.work.user, self.type
        others = may_edit_others(user, kind)
        author = call.args.get("author")
        if self.type.has("author") and author and author != user.id and not others:
            raise CannotEditOthers(bool(user))
        sticky = self.type.has("sticky") and call.args.get("sticky")
        if sticky and not others and not may_publish(user, kind):
            raise CannotSticky(bool(user))

    def _may_assign(self, call: Call) -> None:
        work: Work = call.work
        for taxonomy in self.frame.taxonomies_of(self.type):
            asked = call.args.get(taxonomy.base)
            if not isinstance(asked, list) or work.user.can(taxonomy.assign):
                continue
            if any(isinstance(number, int) and term_store.by_id(work.tx, number) for number in asked):
                raise CannotAssignTerm(bool(work.user))

    # -- what is done

    def listed(self, call: Call) -> Result:
        work: Work = call.work
        context = call.args["context"]
        query = self.query_of(call)
        rows, total = record_listing.listed_page(work, query)
        view = self._view(call, rows)
        if context == "edit":
            rows = [row for row in rows if may_edit(work.user, self.type, row)]
        else:
            rows = [row for row in rows if visibility.readable(work, self.type, row, view.parents)]
        wanted = choice(call.request.raw("_fields"))
        with_links = wanted is None or wanted.names_links()
        body = []
        for row in rows:
            members = self.shape.members(row, view, context, wanted)
            if with_links:
                members["_links"] = self.links_of(view, row)
            body.append(members)
        headers, pages = page_headers(call, total, query.per_page, query.page)
        return Result(body, headers=headers, links=pages)

    def read(self, call: Call) -> Result:
        record = self.record_of(call)
        view = self._view(call, [record])
        result = self.shown(call, record, view)
        if self.type.public:
            result.links.append(f'<{view.link(record)}>; rel="alternate"; type=text/html')
        return result

    def _view(self, call: Call, rows: Sequence[Record]) -> View:
        """Return the view of what a reading call shows, with the password and the length that came with it."""
        view = self.view_of(call.work, rows, call.args["context"])
        password = call.raw.get("password")
        if isinstance(password, str) and password and (hidden := [row for row in rows if view.hidden(row)]):
            # A wrong one is as none, in a list and in a body of JSON.
            view.opened = record_passwords.opened_by(call.work, hidden, password)
        words = call.args.get("excerpt_length", call.raw.get("excerpt_length"))
        view.excerpt_words = None if words is None else Integer().clean(words)
        return view

    def created(self, call: Call) -> Result:
        record = records.create(call.work, self.type, self.given(call))
        result = self.shown(call, record)
        result.status = 201
        result.headers["Location"] = call.work.api(f"{self.type.path}/{record.id}")
        return result

    def changed(self, call: Call) -> Result:
        record = self.record_of(call)
        check_preconditions(call, record)
        record = records.change(call.work, self.type, record, self.given(call))
        call.kept[self] = record
        return self.shown(call, record)

    def removed(self, call: Call) -> Result:
        record = self.record_of(call)
        check_preconditions(call, record)
        if call.args["force"]:
            previous = self.shown(call, record).body
            records.remove(call.work, self.type, record)
            call.kept.pop(self)
            return Result({"deleted": True, "previous": previous})
        record = records.trash(call.work, self.type, record)
        call.kept[self] = record
        return self.shown(call, record)

    def given(self, call: Call) -> dict[str, Any]:
        """Return the members that the client wrote."""
        return {name: call.args[name] for name in call.args.given if name not in ("id", "mlang_language")}

    def shown(self, call: Call, record: Record, view: View | None = None) -> Result:
        """Return the answer about one record, in context edit where no view says otherwise."""
        view = view or self.view_of(call.work, [record], "edit")
        wanted = choice(call.request.raw("_fields"))
        body = self.shape.members(record, view, view.context, wanted)
        return Result(body, rels=self.links_of(view, record), state=state(record))

"""Routes of posts, pages and every other type of record: one set per type, derived from what the type supports.

Not here: arguments and schema (content/records/schema.py), the response (content/records/views.py), revisions
(content/revisions/rules.py), who may call them (content/records/permissions.py). Rules: docs/rules/records.md, 1 and 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from vetrina.access.roles.capabilities import (
    may_edit_record,
)
from vetrina.access.sign_in.guess_limiter import TooManyGuesses
from vetrina.content.previews import routes as preview_routes, token_permissions as preview_permissions
from vetrina.content.previews.addresses import PARAMETER
from vetrina.content.previews.model import InvalidPreviewToken, PreviewExpired
from vetrina.content.records import (
    deletion,
    list_arguments,
    listing as record_listing,
    passwords as record_passwords,
    rules as records,
    schema as record_schema,
    visibility,
)
from vetrina.content.records.fragment_responses import RecordFragments
from vetrina.content.records.list_arguments import build_record_query
from vetrina.content.records.model import Record
from vetrina.content.records.permissions import RecordPermissions
from vetrina.content.records.precondition_arguments import build_state_tag, check_preconditions
from vetrina.content.records.query import RecordQuery
from vetrina.content.records.views import RecordView, build_record_links, build_record_serializer, build_record_view
from vetrina.content.revisions import routes as revision_routes
from vetrina.content.translations.language_schema import remove_language_arguments
from vetrina.content.types.model import ContentType
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.rest.call import Result
from vetrina.rest.fields import EDIT, Integer
from vetrina.rest.resource import Links, ListPage, Operation, Resource
from vetrina.rest.route import Route
from vetrina.rest.serializer import Serializer


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of every content type of a site."""
    types = [type for type in site.types.values() if type.room == "records"]
    return tuple(route for type in types for route in RecordRoutes(site, type).build_routes())


class RecordRoutes(RecordPermissions):
    """The routes of one type."""

    def __init__(self, site: SiteContext, type: ContentType) -> None:
        self.site, self.type = site, type
        self.serializer = self.build_serializer()
        self.writes = record_schema.build_write_arguments(site, type, self.serializer.fields)
        self.fragments = RecordFragments(type, self.serializer, self.load_view, self.build_links)
        self.resource = self.build_resource()

    def build_routes(self) -> tuple[Route, ...]:
        """Return the routes in the order of the index."""
        writes = {name: one for name, one in remove_language_arguments(self.writes).items() if name != "seo"}
        links = preview_routes.build_routes(self.type, self.require_update_permission, self.get_record)
        return (
            *self.resource.build_routes(),
            *revision_routes.build_routes(self.site, self.type, writes, self),
            *(links if preview_permissions.has_previews(self.type) else ()),
        )

    def build_resource(self) -> Resource[Record]:
        """Return the records as a resource."""
        site, type = self.site, self.type
        item = record_schema.build_item_arguments(type)
        id, context = item.pop("id"), item.pop("context")
        previewed = preview_permissions.has_previews(type)
        reading = (TooManyGuesses, *((InvalidPreviewToken, PreviewExpired) if previewed else ()))
        return Resource(
            title=type.name,
            path=type.path,
            key={"id": id},
            context=context,
            serializer=self.serializer,
            schema_links=self._build_schema_links(),
            load_view=self.load_view,
            finish=self._add_preview,
            finish_result=self._finish_result,
            find=self.find_to_change,
            deleted="previous",
            build_view_links=self.build_links,
            response_fields={
                **self.serializer.build_response_fields(),
                **({PARAMETER: preview_permissions.PREVIEW_FIELD} if previewed else {}),
            },
            batch=type.batch,
            list=Operation(
                self.list_records, self.require_list_permission, list_arguments.build_list_arguments(site, type)
            ),
            create=Operation(
                self.create_record,
                self.require_create_permission,
                self.writes,
                adapt=lambda route: replace(route, expect=self.expect_creation),
            ),
            read=Operation(self.read_record, self.require_read_permission, item, reading),
            update=Operation(self.update_record, self.require_update_permission, self.writes),
            delete=Operation(self.delete_record, self.require_delete_permission),
        )

    def build_serializer(self) -> Serializer:
        """Return the serializer of the records."""
        return build_record_serializer(self.site, self.type)

    def _build_schema_links(self) -> list[dict[str, Any]]:
        """Return the links of the schema: the actions that clients may look for."""
        type, string = self.type, {"type": "string"}
        targets: dict[str, dict[str, Any]] = {"unfiltered-html": {"content": {"raw": string}}}
        if type.address != "attached":
            publish = {"status": {"type": "string", "enum": ["publish", "future"]}}
            targets = {"publish": publish, **targets}
        if type.has("sticky"):
            targets["sticky"] = {"sticky": {"type": "boolean"}}
        if type.has("author"):
            targets["assign-author"] = {"author": {"type": "integer"}}
        for taxonomy in self.site.taxonomies_of(type):
            numbers = {taxonomy.base: {"type": "array", "items": {"type": "integer"}}}
            targets |= {f"assign-{taxonomy.base}": numbers, f"create-{taxonomy.base}": numbers}
        return [
            {
                "rel": f"https://api.cms.example/action-{action}",
                "title": f"The caller may {action.replace('-', ' ')} here.",
                "href": f"{type.path}/{{id}}",
                "targetSchema": {"type": "object", "properties": properties},
            }
            for action, properties in targets.items()
        ]

    # -- overridden by types with more to show

    def build_view(self, work: UnitOfWork, rows: Sequence[Record], context: str) -> RecordView:
        """Return what serializing some records needs besides them."""
        return build_record_view(work, self.type, rows, context)

    def build_links(self, view: RecordView, record: Record) -> Links:
        """Return the `_links` of a record."""
        return build_record_links(view, record)

    def build_query(self, call: Call) -> RecordQuery:
        """Return the query that the arguments of a list describe."""
        return build_record_query(call, self.type)

    # -- what the routes do

    def read_record(self, call: Call) -> Record | Result:
        """Return the record that a call addresses, in the state that a preview link shows."""
        preview = preview_permissions.find_opened_preview(call)
        if preview is not None:
            return preview.record
        return self.fragments.read_record(call, self.get_record) or self.get_record(call)

    def list_records(self, call: Call) -> ListPage[Record] | Result:
        """Return a page of records that the caller may see, or edit in the editing view."""
        if (kept := self.fragments.list_records(call, self.build_query)) is not None:
            return kept
        work, query = call.work, self.build_query(call)
        rows, total = record_listing.list_records(work, query)
        view = self.load_view(call, rows)
        if view.context == EDIT:
            rows = [row for row in rows if may_edit_record(work.user, self.type, row)]
        else:
            rows = [row for row in rows if visibility.may_view_record(work, self.type, row, view.parents)]
        return ListPage(rows, total, query.page, query.per_page, view)

    def load_view(self, call: Call, rows: Sequence[Record]) -> RecordView:
        """Return what serializing the records of a response needs besides them."""
        context = call.args.get("context")
        if context is None:
            return self.build_view(call.work, rows, EDIT)
        # The password and the length of excerpts count in reads alone, which have a context.
        view = self.build_view(call.work, rows, context)
        password = call.raw.get("password")
        if isinstance(password, str) and password and (hidden := [row for row in rows if view.is_hidden(row)]):
            # A wrong password counts as none, in a list and in a JSON body.
            view.opened = record_passwords.find_opened_records(call.work, hidden, password)
        words = call.args.get("excerpt_length", call.raw.get("excerpt_length"))
        view.excerpt_words = None if words is None else Integer().clean(words)
        if (preview := preview_permissions.find_opened_preview(call)) is not None:
            view.opened |= {preview.record.id}
        return view

    def _add_preview(self, call: Call, rows: Sequence[Record], bodies: Sequence[dict[str, Any]]) -> None:
        if (preview := preview_permissions.find_opened_preview(call)) is not None:
            bodies[0][PARAMETER] = preview_permissions.serialize_preview(preview)

    def _finish_result(self, call: Call, record: Record, view: RecordView, result: Result) -> None:
        result.state = build_state_tag(record)
        if self.type.public and "context" in call.args:
            result.links.append(f'<{view.get_link(record)}>; rel="alternate"; type=text/html')

    def find_to_change(self, call: Call) -> Record:
        """Return the record that a write addresses, in the state that it asks for."""
        record = self.get_record(call)
        check_preconditions(call, record)
        return record

    def create_record(self, call: Call) -> Record:
        """Create a record from what the client wrote."""
        members = self.extract_written_members(call)
        return records.create_record(call.work, self.type, members, is_expected=call.request.is_expected)

    def expect_creation(self, call: Call) -> None:
        """Expect what creating a record reads."""
        records.expect_creation_reads(call.work, self.type, self.extract_written_members(call))

    def update_record(self, call: Call, record: Record) -> Record:
        """Change a record as the client wrote, and keep its new state for the call."""
        record = records.update_record(call.work, self.type, record, self.extract_written_members(call))
        call.lookups[self] = record
        return record

    def delete_record(self, call: Call, record: Record) -> Record | None:
        """Delete a record for good, or move it to the trash and return it."""
        if call.args["force"]:
            deletion.delete_record(call.work, self.type, record)
            call.lookups.pop(self)
            return None
        call.lookups[self] = record = records.trash_record(call.work, self.type, record)
        return record

    def extract_written_members(self, call: Call) -> dict[str, Any]:
        """Return the members that the client wrote."""
        return {name: call.args[name] for name in call.args.given_names if name not in ("id", "mlang_language")}

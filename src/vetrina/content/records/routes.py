"""Routes of posts, pages and every other type of record: one set per type, derived from what the type supports.

Not here: arguments and schema (content/records/schema.py), the response (content/records/views.py), revisions
(content/revisions/rules.py). Rules: docs/rules/records.md, 1 and 2; docs/rules/requests.md, 2; docs/rules/rights.md, 3
and 5; docs/rules/statuses.md, 6, 7 and 9.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec

from vetrina.access.roles.capabilities import (
    may_assign_terms,
    may_create_record,
    may_delete_record,
    may_edit_others_records,
    may_edit_record,
    may_edit_records,
    may_publish_records,
)
from vetrina.access.sign_in.guess_limiter import TooManyGuesses
from vetrina.content.previews import permissions as preview_permissions, routes as preview_routes
from vetrina.content.previews.addresses import PARAMETER
from vetrina.content.previews.model import InvalidPreviewToken, PreviewExpired
from vetrina.content.records import (
    languages as record_languages,
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
from vetrina.content.records.precondition_arguments import build_state_tag, check_preconditions
from vetrina.content.records.query import RecordQuery
from vetrina.content.records.views import RecordView, build_record_links, build_record_serializer, build_record_view
from vetrina.content.revisions import routes as revision_routes
from vetrina.content.terms import store as term_store
from vetrina.content.translations import record_translations
from vetrina.content.translations.language_schema import remove_language_arguments
from vetrina.content.types.model import ContentType
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.kernel.errors import ApiError, PermissionDenied
from vetrina.rest.call import Result
from vetrina.rest.fields import EDIT, Integer
from vetrina.rest.resource import Links, ListPage, Operation, Resource
from vetrina.rest.route import Route
from vetrina.rest.serializer import Serializer


class CannotReadRecord(PermissionDenied):
    code = "rest_forbidden"
    message = "You may not read this record."


class ForbiddenRecordContext(PermissionDenied):
    code = "rest_forbidden_context"
    message = "You may not edit records of this type, so the context edit is not for you."


class CannotCreateRecord(PermissionDenied):
    code = "rest_cannot_create"
    message = "You may not create records of this type."


class CannotEditRecord(PermissionDenied):
    code = "rest_cannot_edit"
    message = "You may not change this record."


class CannotAssignAuthor(PermissionDenied):
    code = "rest_cannot_edit_others"
    message = "You may not name another user as the author."


class CannotMakeSticky(PermissionDenied):
    code = "rest_cannot_assign_sticky"
    message = "You may not make records sticky."


class CannotAssignTerm(PermissionDenied):
    code = "rest_cannot_assign_term"
    message = "You may not assign these terms."


class CannotDeleteRecord(PermissionDenied):
    code = "rest_cannot_delete"
    message = "You may not remove this record."


class WrongRecordPassword(PermissionDenied):
    code = "rest_post_incorrect_password"
    message = "The password is wrong."

    def __init__(self) -> None:
        super().__init__(True)


class RecordExists(ApiError):
    code = "rest_post_exists"
    message = "A new record cannot have an id; leave it out, or send the request to the record's own address."


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of every content type of a site."""
    types = [type for type in site.types.values() if type.room == "records"]
    return tuple(route for type in types for route in RecordRoutes(site, type).build_routes())


class RecordRoutes:
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

    # -- permissions

    def get_record(self, call: Call) -> Record:
        """Return the record that a call addresses. Raises RecordNotFound."""
        kept: Record | None = call.lookups.get(self)
        if kept is None:
            number = call.args.get("id", 0)
            kept = records.get_record(call.work, self.type, number if isinstance(number, int) else 0)
            call.lookups[self] = kept
        return kept

    def _expect_record(self, call: Call) -> None:
        """Expect what reading a record takes, if it is in the caller's language and the first of its translations."""
        id, work = call.args.get("id", 0), call.work
        if isinstance(id, int) and id > 0:
            if self.type.taxonomies:
                term_store.expect_terms_by_record(work.tx, [id])
            record_translations.expect_light_groups(work, [id], work.language)

    def require_list_permission(self, call: Call) -> None:
        """Everybody for public records; the editing view is for those who write such records."""
        user = call.work.user
        if call.args.get("context") == "edit" and not may_edit_records(user, self.type):
            raise ForbiddenRecordContext(bool(user))

    def require_read_permission(self, call: Call) -> None:
        """Everybody for public records; other records and the editing view are for those who may see or change them.

        A preview link shows its record to whoever has it.
        """
        if self.fragments.find_kept(call, self._expect_record) is not None:
            return  # everybody may read it
        record, user, kind = self.get_record(call), call.work.user, self.type
        if call.args.get("context") == "edit" and not may_edit_record(user, kind, record):
            raise ForbiddenRecordContext(bool(user))
        password = call.request.query.get("password")
        if password and not (
            isinstance(password, str) and record_passwords.is_record_password(call.work, record, password)
        ):
            raise WrongRecordPassword
        preview_permissions.find_preview(call, kind, record)
        if not visibility.may_view_record(call.work, kind, record):
            raise CannotReadRecord(bool(user))

    def require_create_permission(self, call: Call) -> None:
        """Those who write such records; publishing, and writing for another author, need rights of their own."""
        user, kind = call.work.user, self.type
        if call.raw.get("id"):
            raise RecordExists
        # Only roles that are limited to languages ask for it.
        language = record_languages.find_new_record_language(call.work, kind, call.args) if user.grants else ""
        self._require_member_permissions(call, language)
        if not may_create_record(user, kind, language):
            raise CannotCreateRecord(bool(user))
        self._require_term_permissions(call, language)

    def require_update_permission(self, call: Call) -> None:
        """Those who may change this record; publishing, and naming another author, need rights of their own."""
        record, user = call.lookups.get(self.fragments) or self.get_record(call), call.work.user
        if not may_edit_record(user, self.type, record):
            raise CannotEditRecord(bool(user))
        language = call.args.get("lang") or record.language
        if language != record.language and not self._may_move(user, self.get_record(call), language):
            raise CannotEditRecord(bool(user))
        self._require_member_permissions(call, language)
        self._require_term_permissions(call, language)

    def require_delete_permission(self, call: Call) -> None:
        """Those who may remove this record."""
        record, user = call.lookups.get(self.fragments) or self.get_record(call), call.work.user
        if not may_delete_record(user, self.type, record):
            raise CannotDeleteRecord(bool(user))

    def _may_move(self, user: User, record: Record, language: str) -> bool:
        """Return whether the caller might have written a record in another language."""
        moved = msgspec.structs.replace(record, language=language)
        return may_create_record(user, self.type, language) and may_edit_record(user, self.type, moved)

    def _require_member_permissions(self, call: Call, language: str) -> None:
        user, kind = call.work.user, self.type
        others = may_edit_others_records(user, kind, language)
        author = call.args.get("author")
        if self.type.has("author") and author and author != user.id and not others:
            raise CannotAssignAuthor(bool(user))
        sticky = self.type.has("sticky") and call.args.get("sticky")
        if sticky and not others and not may_publish_records(user, kind, language):
            raise CannotMakeSticky(bool(user))

    def _require_term_permissions(self, call: Call, language: str) -> None:
        work = call.work
        for taxonomy in self.site.taxonomies_of(self.type):
            ids = call.args.get(taxonomy.base)
            if not isinstance(ids, list) or may_assign_terms(work.user, taxonomy, self.type.name, language):
                continue
            if any(isinstance(id, int) and term_store.find_term(work.tx, id) for id in ids):
                raise CannotAssignTerm(bool(work.user))

    # -- what the routes do

    def read_record(self, call: Call) -> Record | Result:
        """Return the record that a call addresses, in the state that a preview link shows."""
        preview = preview_permissions.find_opened_preview(call)
        if preview is not None:
            return preview.record
        return self.fragments.read_record(call, self.get_record) or self.get_record(call)

    def list_records(self, call: Call) -> ListPage[Record] | Result:
        """Return a page of records that the caller may see, or edit in the editing view."""
        work, query = call.work, self.build_query(call)
        if (kept := self.fragments.list_records(call, query)) is not None:
            return kept
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
        return records.create_record(call.work, self.type, self.extract_written_members(call))

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
            records.delete_record(call.work, self.type, record)
            call.lookups.pop(self)
            return None
        call.lookups[self] = record = records.trash_record(call.work, self.type, record)
        return record

    def extract_written_members(self, call: Call) -> dict[str, Any]:
        """Return the members that the client wrote."""
        return {name: call.args[name] for name in call.args.given_names if name not in ("id", "mlang_language")}

"""Routes of revisions and autosaves, for the types that have them.

Members: content/revisions/schema.py. Rules: docs/rules/revisions.md, 2 to 5, 9 and 10; docs/rules/kinds.md, 8.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from vetrina.access.roles.capabilities import may_delete_record, may_edit_record
from vetrina.content.records import permalinks, preview_keys, rules as records
from vetrina.content.records.model import Record
from vetrina.content.records.query_arguments import IncludeMissing, SearchTermMissing
from vetrina.content.records.views import RecordView
from vetrina.content.revisions import autosaves, rules as revisions
from vetrina.content.revisions.rules import Revision, RevisionQuery
from vetrina.content.revisions.schema import PREVIEW_LINK, build_revision_serializer
from vetrina.content.search import terms as search_terms
from vetrina.content.types.model import ContentType
from vetrina.core.call import Call
from vetrina.core.unit_of_work import SiteContext, UnitOfWork
from vetrina.kernel.errors import ApiError, Failure, PermissionDenied
from vetrina.rest.call import Result
from vetrina.rest.common_arguments import (
    build_context_argument,
    build_number_list,
    build_ordering_arguments,
    build_paging_arguments,
)
from vetrina.rest.fields import Boolean, Field, Integer
from vetrina.rest.paging import build_page_headers
from vetrina.rest.route import READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import parse_field_selection

if TYPE_CHECKING:
    from vetrina.content.records.routes import RecordRoutes

__all__ = [
    "AutosaveNotFound",
    "CannotDeleteRevision",
    "CannotReadRevisions",
    "InvalidRevisionParent",
    "RevisionNotFound",
    "RevisionParentMismatch",
    "RevisionTrashUnsupported",
    "build_revision_query",
    "build_routes",
]  # fmt: skip

_ORDERS = ("date", "id", "include", "relevance", "slug", "include_slugs", "title")


class CannotReadRevisions(PermissionDenied):
    code = "rest_cannot_read"
    message = "You may not read the revisions of this record."


class CannotDeleteRevision(PermissionDenied):
    code = "rest_cannot_delete"
    message = "You may not remove this revision."


class InvalidRevisionParent(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_post_invalid_parent"
    message = "There is no record with the number {id} that could have revisions."


class RevisionNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_post_invalid_id"
    message = "There is no revision with the number {id}."


class RevisionParentMismatch(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_revision_parent_id_mismatch"
    message = "The revision {id} belongs to another record than {parent}."


class AutosaveNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_post_no_autosave"
    message = "There is no autosave of the record {id}."


class RevisionTrashUnsupported(ApiError):
    failure, code = Failure.NOT_IMPLEMENTED, "rest_trash_not_supported"
    message = "Revisions have no trash; send force=true to remove one."


def build_routes(
    frame: SiteContext, type: ContentType, writes: dict[str, Field], owner: RecordRoutes
) -> tuple[Route, ...]:
    """Return the routes of a type's revisions and autosaves."""
    history = _RecordHistoryRoutes(frame, type, owner)
    out: list[Route] = []
    parent = Integer("Number of the record.", early=True, null="keep")
    id = Integer("Number of the revision.", early=True, null="keep")
    if type.has("revisions"):
        revision_list = {
            "parent": parent, "context": build_context_argument(), **build_paging_arguments(per_page=None),
            "exclude": build_number_list("None of these numbers."), "include": build_number_list("Only these numbers."),
            "offset": Integer("How many to leave out at the start.", null="keep"), **build_ordering_arguments(_ORDERS),
        }  # fmt: skip
        base = f"{type.path}/{{parent}}/revisions"
        force = Boolean("Must be true, because revisions have no trash.", default=False, early=True)
        out += [
            Route(
                READ,
                base,
                history.list_revisions,
                revision_list,
                history.require_read_permission,
                history.build_revision_schema,
            ),
            Route(
                READ,
                f"{base}/{{id}}",
                history.read_revision,
                {"parent": parent, "id": id, "context": build_context_argument()},
                history.require_item_permission,
                history.build_revision_schema,
            ),
            Route(
                REMOVE,
                f"{base}/{{id}}",
                history.delete_revision,
                {"parent": parent, "id": id, "force": force},
                history.require_delete_permission,
                history.build_revision_schema,
            ),
        ]
    if type.autosaves:
        base = f"{type.path}/{{id}}/autosaves"
        one = f"{type.path}/{{parent}}/autosaves/{{id}}"
        out += [
            Route(
                READ,
                base,
                history.list_autosaves,
                {"parent": parent, "context": build_context_argument()},
                history.require_autosaves_permission,
                history.build_autosave_schema,
                answers="many",
            ),
            Route(
                WRITE,
                base,
                history.create_autosave,
                {"parent": parent, **writes},
                history.require_autosave_permission,
                history.build_autosave_schema,
                status=200,
            ),
            Route(
                READ,
                one,
                history.read_autosave,
                {"parent": parent, "id": id, "context": build_context_argument()},
                history.require_read_permission,
                history.build_autosave_schema,
            ),
        ]
    return tuple(out)


class _RecordHistoryRoutes:
    """The routes of one type's revisions and autosaves."""

    def __init__(self, frame: SiteContext, type: ContentType, owner: RecordRoutes) -> None:
        self.frame, self.type, self.owner = frame, type, owner
        self.serializer = build_revision_serializer(frame, type)

    def build_autosave_schema(self) -> dict[str, Any]:
        return self.serializer.schema(f"{self.type.name}-revision")

    def build_revision_schema(self) -> dict[str, Any]:
        """Return the schema of a revision, which has no preview."""
        schema = self.build_autosave_schema()
        return {
            **schema,
            "properties": {name: one for name, one in schema["properties"].items() if name != PREVIEW_LINK},
        }

    # -- permissions

    def _get_parent(self, call: Call, number: Any) -> Record:
        try:
            return records.get_record(call.work, self.type, number if isinstance(number, int) else 0)
        except records.RecordNotFound:
            raise InvalidRevisionParent(id=number) from None

    def require_read_permission(self, call: Call) -> None:
        """Those who may change the record."""
        parent = self._get_parent(call, call.args.get("parent"))
        if not may_edit_record(call.work.user, self.type, parent):
            raise CannotReadRevisions(bool(call.work.user))
        call.lookups["parent"] = parent

    def require_item_permission(self, call: Call) -> None:
        """Those who may change the record."""
        self.require_read_permission(call)

    def require_autosaves_permission(self, call: Call) -> None:
        """Those who may change the record."""
        # The path of the collection calls the record `id`; the argument `parent` has no effect next to it.
        parent = self._get_parent(call, _parse_number(call.raw.get("id")))
        if not may_edit_record(call.work.user, self.type, parent):
            raise CannotReadRevisions(bool(call.work.user))
        call.lookups["parent"] = parent

    def require_autosave_permission(self, call: Call) -> None:
        """Those who may change the record."""
        call.args["id"] = _parse_number(call.raw.get("id"))
        self.owner.require_update_permission(call)

    def require_delete_permission(self, call: Call) -> None:
        """Those who may remove the record."""
        user = call.work.user
        parent = self._get_parent(call, call.args.get("parent"))
        if not may_delete_record(user, self.type, parent):
            raise CannotDeleteRevision(bool(user))
        self._get_revision(call, parent)
        if not call.args.get("force"):
            raise RevisionTrashUnsupported
        call.lookups["parent"] = parent

    def _get_revision(self, call: Call, parent: Record) -> Revision:
        number = call.args.get("id", 0)
        found = revisions.find_revision(call.work.tx, number)
        if found is None:
            raise RevisionNotFound(id=number)
        if found.parent != parent.id:
            raise RevisionParentMismatch(id=number, parent=parent.id)
        return found

    # -- handlers

    def list_revisions(self, call: Call) -> Result:
        query = build_revision_query(call)
        parent: Record = call.lookups["parent"]
        rows, total = revisions.list_revisions(call.work, parent.id, query)
        headers, pages = build_page_headers(call, total, query.per_page, query.page)
        return Result(
            [self._serialize_linked_revision(call, parent, row) for row in rows], headers=headers, links=pages
        )

    def read_revision(self, call: Call) -> Result:
        parent: Record = call.lookups["parent"]
        return self._build_revision_result(call, parent, self._get_revision(call, parent), call.args["context"])

    def delete_revision(self, call: Call) -> Result:
        parent: Record = call.lookups["parent"]
        old = self._get_revision(call, parent)
        previous = self._build_revision_result(call, parent, old, "edit").body
        revisions.delete_revision(call.work, parent, old)
        return Result({"deleted": True, "previous": previous})

    def list_autosaves(self, call: Call) -> Result:
        parent: Record = call.lookups["parent"]
        return Result(
            [
                self._serialize_linked_revision(call, parent, row)
                for row in autosaves.list_autosaves(call.work, parent.id)
            ]
        )

    def read_autosave(self, call: Call) -> Result:
        parent: Record = call.lookups["parent"]
        found = autosaves.find_newest_autosave(call.work, parent.id)
        if found is None:
            raise AutosaveNotFound(id=parent.id)
        return self._build_revision_result(call, parent, found, call.args["context"])

    def create_autosave(self, call: Call) -> Result:
        record = self.owner.get_record(call)
        given = {name: value for name, value in self.owner.extract_written_members(call).items() if name != "parent"}
        saved = autosaves.save_autosave(call.work, self.type, record, given)
        return self._build_revision_result(call, record, saved, "edit")

    def _serialize_linked_revision(self, call: Call, parent: Record, row: Revision) -> dict[str, Any]:
        members = self._serialize_revision(call, parent, row, call.args["context"])
        return {**members, "_links": self._build_links(call.work, parent.id)}

    def _build_revision_result(self, call: Call, parent: Record, row: Record | Revision, context: str) -> Result:
        members = self._serialize_revision(call, parent, row, context)
        # The draft itself, when it was saved, has its own parent.
        above = parent.id if isinstance(row, Revision) else row.parent
        rels = self._build_links(call.work, above) if above else None
        return Result(members, rels=rels, keeps_links=True)

    def _serialize_revision(self, call: Call, parent: Record, row: Record | Revision, context: str) -> dict[str, Any]:
        view = RecordView(call.work, self.type, context)
        view.links[parent.id] = ""
        wanted = parse_field_selection(call.request.raw("_fields"))
        members = self.serializer.serialize(row, view, context, wanted)
        if context == "edit" and "/autosaves" in call.route.path and (not wanted or PREVIEW_LINK in wanted.tree):
            members[PREVIEW_LINK] = _build_preview_url(call.work, self.type, parent, beside=isinstance(row, Revision))
        return members

    def _build_links(self, work: UnitOfWork, parent: int) -> dict[str, Any]:
        return {"parent": [{"href": f"{work.root}{self.type.path}/{parent}"}]}


def build_revision_query(call: Call) -> RevisionQuery:
    """Return the query that the arguments of a list describe. Raises SearchTermMissing and IncludeMissing."""
    args = call.args
    if args["orderby"] == "relevance" and not args.get("search"):
        raise SearchTermMissing
    if args["orderby"] == "include" and not args["include"]:
        raise IncludeMissing
    return RevisionQuery(
        page=args["page"], per_page=args.get("per_page"), offset=args.get("offset"),
        search=search_terms.parse_search(args.get("search") or ""),
        include=tuple(args["include"]), exclude=tuple(args["exclude"]),
        # Without given slugs, their order is oldest first.
        order="asc" if args["orderby"] == "include_slugs" else args["order"], orderby=args["orderby"],
    )  # fmt: skip


def _parse_number(value: Any) -> int:
    found = Integer().clean(value)
    return found if isinstance(found, int) else 0


def _build_preview_url(work: UnitOfWork, type: ContentType, parent: Record, beside: bool) -> str:
    """Return the preview URL of an autosave: that of the record, with a key if the autosave is not the draft itself."""
    if not type.public:
        return ""
    address = permalinks.build_permalink(work, type, parent)
    join = "&" if "?" in address else "?"
    if not beside:
        return f"{address}{join}preview=true"
    nonce = preview_keys.create_preview_key(work, parent.id)
    return f"{address}{join}preview_id={parent.id}&preview_nonce={nonce}&preview=true"

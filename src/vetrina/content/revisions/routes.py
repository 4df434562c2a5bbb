"""Routes of revisions and autosaves, for the types that have them.

Members: content/revisions/schema.py. Rules: docs/rules/revisions.md, 2 to 5 and 9.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Protocol

from vetrina.access.roles.capabilities import may_delete_record, may_edit_record
from vetrina.access.sign_in.guess_limiter import TooManyGuesses
from vetrina.content.previews import preview_keys, token_permissions as preview_permissions
from vetrina.content.previews.model import InvalidPreviewToken, Preview, PreviewExpired, PreviewHidden
from vetrina.content.records import permalinks, rules as records
from vetrina.content.records.list_arguments import IncludeMissing, SearchTermMissing
from vetrina.content.records.model import Record
from vetrina.content.records.views import RecordView
from vetrina.content.revisions import autosaves, rules as revisions
from vetrina.content.revisions.rules import Revision, RevisionQuery
from vetrina.content.revisions.schema import PREVIEW_LINK, build_revision_serializer
from vetrina.content.search import terms as search_terms
from vetrina.content.types.model import ContentType
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure, PermissionDenied
from vetrina.rest.call import Result
from vetrina.rest.common_arguments import (
    build_context_argument,
    build_number_list,
    build_ordering_arguments,
    build_paging_arguments,
)
from vetrina.rest.field_selection import parse_field_selection
from vetrina.rest.fields import EDIT, Boolean, Field, Integer
from vetrina.rest.resource import Links, ListPage, Operation, Resource, TrashUnsupported
from vetrina.rest.route import WRITE, Route

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


class AutosaveOwner(Protocol):
    """What the autosaves of records need to know of the records."""

    def require_update_permission(self, call: Call) -> None: ...
    def get_record(self, call: Call) -> Record: ...
    def extract_written_members(self, call: Call) -> dict[str, Any]: ...


def build_routes(
    site: SiteContext, type: ContentType, writes: dict[str, Field], owner: AutosaveOwner
) -> tuple[Route, ...]:
    """Return the routes of a type's revisions and autosaves."""
    history = _RecordHistory(site, type, owner)
    revisions_of_type = history.build_revision_resource().build_routes() if type.has("revisions") else ()
    return (*revisions_of_type, *(history.build_autosave_routes(writes) if type.autosaves else ()))


class _RecordHistory:
    """The revisions and autosaves of one type."""

    def __init__(self, site: SiteContext, type: ContentType, owner: AutosaveOwner) -> None:
        self.site, self.type, self.owner = site, type, owner
        self.key: dict[str, Field] = {
            "parent": Integer("Number of the record.", early=True, null="keep"),
            "id": Integer("Number of the revision.", early=True, null="keep"),
        }
        previewed = preview_permissions.has_previews(type)
        self.token = preview_permissions.build_token_argument() if previewed else {}
        self.token_errors = (TooManyGuesses, InvalidPreviewToken, PreviewExpired, PreviewHidden) if previewed else ()

    def build_revision_resource(self) -> Resource[Revision]:
        """Return the revisions as a resource."""
        revision_list = {
            "context": build_context_argument(), **build_paging_arguments(per_page=None),
            "exclude": build_number_list("None of these numbers."), "include": build_number_list("Only these numbers."),
            "offset": Integer("How many to leave out at the start.", null="keep"), **build_ordering_arguments(_ORDERS),
        }  # fmt: skip
        return Resource(
            title=f"{self.type.name}-revision",
            path=f"{self.type.path}/{{parent}}/revisions",
            above={"parent": self.key["parent"]},
            key=self.key,
            serializer=build_revision_serializer(self.site, self.type),
            load_view=self._load_view,
            find=self._get_revision,
            force=Boolean("Must be true, because revisions have no trash.", default=False, early=True),
            trash_unsupported=TrashUnsupported,
            deleted="previous",
            keeps_links=True,
            lists_links=True,
            build_links=self._build_links,
            list=Operation(
                self._list_revisions, self.require_read_permission, {**revision_list, **self.token}, self.token_errors
            ),
            read=Operation(self._get_revision, self.require_read_permission, self.token, self.token_errors),
            delete=Operation(self._delete_revision, self.require_delete_permission),
        )

    def build_autosave_routes(self, writes: dict[str, Field]) -> tuple[Route, ...]:
        """Return the routes of autosaves; the path of the collection calls the record `id`."""
        parent, path = {"parent": self.key["parent"]}, f"{self.type.path}/{{id}}/autosaves"
        autosaves_of_type: Resource[Record | Revision] = Resource(
            title=f"{self.type.name}-revision",
            path=f"{self.type.path}/{{parent}}/autosaves",
            above=parent,
            key=self.key,
            serializer=build_revision_serializer(self.site, self.type, previewed=True),
            load_view=self._load_view,
            finish=self._add_preview_urls,
            find=self._get_autosave,
            keeps_links=True,
            lists_links=True,
            build_links=self._build_links,
            list=Operation(
                self._list_autosaves,
                self.require_autosaves_permission,
                {"context": build_context_argument(), **self.token},
                self.token_errors,
            ),
            read=Operation(self._get_autosave, self.require_autosave_read_permission, self.token, self.token_errors),
        )
        routes = autosaves_of_type.build_routes_by_operation()
        return (
            routes["list"].replace(path=path),
            Route(
                WRITE, path, partial(self._create_autosave, autosaves_of_type), {**parent, **writes},
                self.require_autosave_permission, autosaves_of_type.build_schema, status=200,
            ),
            routes["read"],
        )  # fmt: skip

    # -- permissions

    def _get_parent(self, call: Call, number: Any) -> Record:
        try:
            return records.get_record(call.work, self.type, number if isinstance(number, int) else 0)
        except records.RecordNotFound:
            raise InvalidRevisionParent(id=number) from None

    def _find_preview(self, call: Call, number: Any) -> Preview | None:
        """Return what a token shows to a caller who may not change the record; None for one who may.

        Raises CannotReadRevisions.
        """
        parent = call.lookups["parent"] = self._get_parent(call, number)
        preview = preview_permissions.find_preview(call, self.type, parent)
        if may_edit_record(call.work.user, self.type, parent):
            return None
        if preview is None or call.args.get("context") == EDIT:
            raise CannotReadRevisions(bool(call.work.user))
        return preview

    def require_read_permission(self, call: Call) -> None:
        """Those who may change the record, and those with a preview link that shows its revisions."""
        if (preview := self._find_preview(call, call.args.get("parent"))) is not None:
            preview_permissions.require_shown_revision(preview, call.args.get("id"))

    def require_autosave_read_permission(self, call: Call) -> None:
        """Those who may change the record, and those with a preview link that shows its unsaved texts."""
        if (preview := self._find_preview(call, call.args.get("parent"))) is not None:
            preview_permissions.require_shown_autosaves(preview)

    def require_autosaves_permission(self, call: Call) -> None:
        """Those who may change the record, and those with a preview link that shows its unsaved texts."""
        # The path of the collection calls the record `id`; the argument `parent` has no effect next to it.
        if (preview := self._find_preview(call, _parse_number(call.raw.get("id")))) is not None:
            preview_permissions.require_shown_autosaves(preview)

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
        call.lookups["parent"] = parent
        self._get_revision(call)
        if not call.args.get("force"):
            raise TrashUnsupported

    # -- what the routes do

    def _get_revision(self, call: Call) -> Revision:
        number, parent = call.args.get("id", 0), call.lookups["parent"]
        found = revisions.find_revision(call.work.tx, number)
        if found is None:
            raise RevisionNotFound(id=number)
        if found.parent != parent.id:
            raise RevisionParentMismatch(id=number, parent=parent.id)
        return found

    def _list_revisions(self, call: Call) -> ListPage[Revision]:
        return ListPage(*revisions.list_revisions(call.work, call.lookups["parent"].id, build_revision_query(call)))

    def _delete_revision(self, call: Call, old: Revision) -> None:
        revisions.delete_revision(call.work, call.lookups["parent"], old)

    def _list_autosaves(self, call: Call) -> ListPage[Record | Revision]:
        return ListPage(autosaves.list_autosaves(call.work, call.lookups["parent"].id))

    def _get_autosave(self, call: Call) -> Revision:
        parent: Record = call.lookups["parent"]
        return autosaves.get_autosave(call.work, parent.id)

    def _create_autosave(self, of: Resource[Record | Revision], call: Call) -> Result:
        record = call.lookups["parent"] = self.owner.get_record(call)
        given = {name: value for name, value in self.owner.extract_written_members(call).items() if name != "parent"}
        return of.build_result(call, autosaves.save_autosave(call.work, self.type, record, given))

    def _load_view(self, call: Call, rows: Sequence[Record | Revision]) -> RecordView:
        return RecordView(call.work, self.type, call.args.get("context") or EDIT)

    def _add_preview_urls(
        self, call: Call, rows: Sequence[Record | Revision], bodies: Sequence[dict[str, Any]]
    ) -> None:
        wanted = parse_field_selection(call.request.raw("_fields"))
        if (call.args.get("context") or EDIT) == EDIT and (not wanted or PREVIEW_LINK in wanted.tree):
            for row, body in zip(rows, bodies, strict=True):
                body[PREVIEW_LINK] = _build_preview_url(
                    call.work, self.type, call.lookups["parent"], beside=isinstance(row, Revision)
                )

    def _build_links(self, call: Call, row: Record | Revision) -> Links:
        # The draft itself, when it was saved, has its own parent or none.
        return {"parent": [{"href": f"{call.work.root}{self.type.path}/{row.parent}"}]} if row.parent else {}


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

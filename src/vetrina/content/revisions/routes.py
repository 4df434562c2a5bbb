"""The history of records: revisions and autosaves, for the types that have them.

Rules: interface.md, "Content routes"; facts of the interface, "Revisions" and "Autosaves"; OVERRIDES 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from vetrina.access.roles.capabilities import may_delete, may_edit
from vetrina.content.blocks import dynamic_rendering
from vetrina.content.records import meta as record_meta
from vetrina.content.records import permalinks, preview_keys
from vetrina.content.records import rules as records
from vetrina.content.records.model import Record
from vetrina.content.records.query_arguments import IncludeMissing, NoSearchTerm
from vetrina.content.records.schema import record_fields
from vetrina.content.records.views import View
from vetrina.content.revisions import autosaves
from vetrina.content.revisions import rules as revisions
from vetrina.content.revisions.rules import Revision, RevisionQuery
from vetrina.content.search import terms as search_terms
from vetrina.content.text import rendering as text_rendering  # fmt: skip
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel.errors import ApiError, Refused
from vetrina.kernel.times import iso
from vetrina.media.images import srcset
from vetrina.rest.call import Call, Result
from vetrina.rest.common_arguments import context, numbers, ordering, paging
from vetrina.rest.fields import EDIT, EMBED, VIEW, Boolean, Field, Integer, Object, String
from vetrina.rest.paging import page_headers
from vetrina.rest.route import READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import Shape, choice

if TYPE_CHECKING:
    from vetrina.content.records.routes import RecordRoutes

__all__ = [
    "CannotDelete", "CannotRead", "InvalidParent", "NoAutosave", "NoTrash", "OtherParent", "RevisionUnknown",
    "query_of", "routes",
]  # fmt: skip

_ALL = (VIEW, EDIT, EMBED)
_SHOWN = (VIEW, EDIT)
_PREVIEW = "preview_link"  # of autosaves alone
_ORDERS = ("date", "id", "include", "relevance", "slug", "include_slugs", "title")


class CannotRead(Refused):
    code = "rest_cannot_read"
    message = "You may not read the revisions of this record."


class CannotDelete(Refused):
    code = "rest_cannot_delete"
    message = "You may not remove this revision."


class InvalidParent(ApiError):
    status, code = 404, "rest_post_invalid_parent"
    message = "There is no record with the number {id} that could have revisions."


class RevisionUnknown(ApiError):
    status, code = 404, "rest_post_invalid_id"
    message = "There is no revision with the number {id}."


class OtherParent(ApiError):
    status, code = 404, "rest_revision_parent_id_mismatch"
    message = "The revision {id} belongs to another record than {parent}."


class NoAutosave(ApiError):
    status, code = 404, "rest_post_no_autosave"
    message = "There is no autosave of the record {id}."


class NoTrash(ApiError):
    status, code = 501, "rest_trash_not_supported"
    message = "Revisions have no trash; send force=true to remove one."


def routes(frame: Frame, type: ContentType, writes: dict[str, Field], owner: RecordRoutes) -> tuple[Route, ...]:
    """Return the routes of a type's revisions and autosaves."""
    rooms = _History(frame, type, owner)
    out: list[Route] = []
    parent = Integer("Number of the record.", early=True, null="keep")
    id = Integer("Number of the revision.", early=True, null="keep")
    if type.has("revisions"):
        revision_list = {
            "parent": parent, "context": context(), **paging(per_page=None),
            "exclude": numbers("None of these numbers."), "include": numbers("Only these numbers."),
            "offset": Integer("How many to leave out at the start.", null="keep"), **ordering(_ORDERS),
        }  # fmt: skip
        base = f"{type.path}/{{parent}}/revisions"
        force = Boolean("Must be true, because revisions have no trash.", default=False, early=True)
        out += [
            Route(READ, base, rooms.listed, revision_list, rooms.may_read, rooms.kept_schema),
            Route(READ, f"{base}/{{id}}", rooms.read, {"parent": parent, "id": id, "context": context()},
                  rooms.may_read_one, rooms.kept_schema),
            Route(REMOVE, f"{base}/{{id}}", rooms.removed, {"parent": parent, "id": id, "force": force},
                  rooms.may_remove, rooms.kept_schema),
        ]  # fmt: skip
    if type.autosaves:
        base = f"{type.path}/{{id}}/autosaves"
        one = f"{type.path}/{{parent}}/autosaves/{{id}}"
        out += [
            Route(READ, base, rooms.autosaves_listed, {"parent": parent, "context": context()},
                  rooms.may_read_autosaves, rooms.schema, answers="many"),
            Route(WRITE, base, rooms.autosaved, {"parent": parent, **writes}, rooms.may_autosave, rooms.schema,
                  status=200),
            Route(READ, one, rooms.autosave_read, {"parent": parent, "id": id, "context": context()},
                  rooms.may_read, rooms.schema),
        ]  # fmt: skip
    return tuple(out)


class _History:
    """The routes of one type's history."""

    def __init__(self, frame: Frame, type: ContentType, owner: RecordRoutes) -> None:
        self.frame, self.type, self.owner = frame, type, owner
        self.shape = _shape(frame, type)

    def schema(self) -> dict[str, Any]:
        return self.shape.schema(f"{self.type.name}-revision")

    def kept_schema(self) -> dict[str, Any]:
        """Return the schema of what a save keeps, which has no preview."""
        schema = self.schema()
        return {**schema, "properties": {name: one for name, one in schema["properties"].items() if name != _PREVIEW}}

    # -- what may be done

    def _parent(self, call: Call, number: Any) -> Record:
        try:
            return records.existing(call.work, self.type, number if isinstance(number, int) else 0)
        except records.RecordUnknown:
            raise InvalidParent(id=number) from None

    def may_read(self, call: Call) -> None:
        """Those who may change the record."""
        parent = self._parent(call, call.args.get("parent"))
        if not may_edit(call.work.user, self.type, parent):
            raise CannotRead(bool(call.work.user))
        call.kept["parent"] = parent

    def may_read_one(self, call: Call) -> None:
        """Those who may change the record."""
        self.may_read(call)

    def may_read_autosaves(self, call: Call) -> None:
        """Those who may change the record."""
        # The path of the collection calls the record `id`; the argument `parent` says nothing beside it.
        parent = self._parent(call, _number(call.raw.get("id")))
        if not may_edit(call.work.user, self.type, parent):
            raise CannotRead(bool(call.work.user))
        call.kept["parent"] = parent

    def may_autosave(self, call: Call) -> None:
        """Those who may change the record."""
        call.args["id"] = _number(call.raw.get("id"))
        self.owner.may_change(call)

    def may_remove(self, call: Call) -> None:
        """Those who may remove the record."""
        user = call.work.user
        parent = self._parent(call, call.args.get("parent"))
        if not may_delete(user, self.type, parent):
            raise CannotDelete(bool(user))
        self._revision(call, parent)
        if not call.args.get("force"):
            raise NoTrash
        call.kept["parent"] = parent

    def _revision(self, call: Call, parent: Record) -> Revision:
        number = call.args.get("id", 0)
        found = revisions.by_id(call.work.tx, number)
        if found is None:
            raise RevisionUnknown(id=number)
        if found.parent != parent.id:
            raise OtherParent(id=number, parent=parent.id)
        return found

    # -- what is done

    def listed(self, call: Call) -> Result:
        query = query_of(call)
        parent: Record = call.kept["parent"]
        rows, total = revisions.listed_of(call.work, parent.id, query)
        headers, pages = page_headers(call, total, query.per_page, query.page)
        return Result([self._member(call, parent, row) for row in rows], headers=headers, links=pages)

    def read(self, call: Call) -> Result:
        parent: Record = call.kept["parent"]
        return self._shown(call, parent, self._revision(call, parent), call.args["context"])

    def removed(self, call: Call) -> Result:
        parent: Record = call.kept["parent"]
        old = self._revision(call, parent)
        previous = self._shown(call, parent, old, "edit").body
        revisions.remove(call.work, parent, old)
        return Result({"deleted": True, "previous": previous})

    def autosaves_listed(self, call: Call) -> Result:
        parent: Record = call.kept["parent"]
        return Result([self._member(call, parent, row) for row in autosaves.of_record(call.work, parent.id)])

    def autosave_read(self, call: Call) -> Result:
        parent: Record = call.kept["parent"]
        found = autosaves.newest(call.work, parent.id)
        if found is None:
            raise NoAutosave(id=parent.id)
        return self._shown(call, parent, found, call.args["context"])

    def autosaved(self, call: Call) -> Result:
        record = self.owner.record_of(call)
        given = {name: value for name, value in self.owner.given(call).items() if name != "parent"}
        saved = autosaves.save(call.work, self.type, record, given)
        return self._shown(call, record, saved, "edit")

    def _member(self, call: Call, parent: Record, row: Revision) -> dict[str, Any]:
        members = self._members(call, parent, row, call.args["context"])
        return {**members, "_links": self._links(call.work, parent.id)}

    def _shown(self, call: Call, parent: Record, row: Record | Revision, context: str) -> Result:
        members = self._members(call, parent, row, context)
        # A draft that was saved itself hangs on no other record than the one above it.
        above = parent.id if isinstance(row, Revision) else row.parent
        rels = self._links(call.work, above) if above else None
        return Result(members, rels=rels, keeps_links=True)

    def _members(self, call: Call, parent: Record, row: Record | Revision, context: str) -> dict[str, Any]:
        view = View(call.work, self.type, context)
        view.links[parent.id] = ""
        wanted = choice(call.request.raw("_fields"))
        members = self.shape.members(row, view, context, wanted)
        if context == "edit" and "/autosaves" in call.route.path and (not wanted or _PREVIEW in wanted.tree):
            members[_PREVIEW] = _preview(call.work, self.type, parent, beside=isinstance(row, Revision))
        return members

    def _links(self, work: Work, parent: int) -> dict[str, Any]:
        return {"parent": [{"href": f"{work.root}{self.type.path}/{parent}"}]}


def query_of(call: Call) -> RevisionQuery:
    """Return the query that the arguments of a list of revisions say. Raises NoSearchTerm and IncludeMissing."""
    args = call.args
    if args["orderby"] == "relevance" and not args.get("search"):
        raise NoSearchTerm
    if args["orderby"] == "include" and not args["include"]:
        raise IncludeMissing
    return RevisionQuery(
        page=args["page"], per_page=args.get("per_page"), offset=args.get("offset"),
        search=search_terms.parse(args.get("search") or ""),
        include=tuple(args["include"]), exclude=tuple(args["exclude"]),
        # Without slugs to follow, their order is the oldest first.
        order="asc" if args["orderby"] == "include_slugs" else args["order"], orderby=args["orderby"],
    )  # fmt: skip


def _number(value: Any) -> int:
    found = Integer().clean(value)
    return found if isinstance(found, int) else 0


def _preview(work: Work, type: ContentType, parent: Record, beside: bool) -> str:
    """Return the address that shows an autosave: the record's own, with a key where it is kept beside the record."""
    if not type.public:
        return ""
    address = permalinks.link(work, type, parent)
    join = "&" if "?" in address else "?"
    if not beside:
        return f"{address}{join}preview=true"
    nonce = preview_keys.nonce(work, parent.id)
    return f"{address}{join}preview_id={parent.id}&preview_nonce={nonce}&preview=true"


def _meta(r: Record | Revision, v: View) -> dict[str, Any]:
    out = record_meta.shown(v.type, r.meta)
    # A pattern's way of being followed belongs to the pattern, not to one of its states.
    return {**out, record_meta.SYNC_STATUS: None} if v.type.has("sync-status") else out


def _shape(frame: Frame, type: ContentType) -> Shape:
    """Return how a revision of a type is shown."""
    # Where the record itself shows no identifier, nothing says who may see that of its revisions.
    stored = (EDIT,) if type.room == "records" else _SHOWN
    fields: dict[str, Field] = {
        "author": Integer("Number of the user who saved it.", context=_ALL),
        "date": String("When it was saved, in the site's time zone.", format="date-time", nullable=True, context=_ALL),
        "date_gmt": String("When it was saved, in GMT.", format="date-time", nullable=True, context=_SHOWN),
        "guid": Object(
            "Globally unique identifier.",
            properties={
                "raw": String("The identifier as it is stored.", context=stored, readonly=True),
                "rendered": String("The identifier as it is shown.", context=_SHOWN, readonly=True),
            },
            context=_SHOWN, readonly=True,
        ),
        "id": Integer("Number of the revision.", context=_ALL),
        "modified": String("When it was last changed, in the site's time zone.", format="date-time", context=_SHOWN),
        "modified_gmt": String("When it was last changed, in GMT.", format="date-time", context=_SHOWN),
        "parent": Integer("Number of the record that it belongs to.", context=_ALL),
        "slug": String("Name of the revision.", context=_ALL),
    }  # fmt: skip
    of_record = record_fields(frame, type)
    # What an embedded record shows of its content, its history shows too: that of a navigation.
    content = _ALL if EMBED in type.raw_in else _SHOWN
    for name, shown in (("title", _ALL), ("content", content), ("excerpt", _ALL)):
        if name in of_record:
            texts: dict[str, Field] = {
                "raw": String("Value as it is stored.", context=(EDIT,) if name == "excerpt" else type.raw_in),
                "rendered": String("Value as it is shown, as HTML.", context=shown, readonly=True),
            }
            fields[name] = Object(of_record[name].help, properties=texts, context=shown)
    fields["meta"] = Object("Registered extra fields.", properties=record_meta.fields_of(type), context=_SHOWN)
    fields[_PREVIEW] = String("Address of a preview.", format="uri", context=(EDIT,), readonly=True)
    getters = {
        "author": lambda r, v: r.author,
        "date": lambda r, v: None if _undated(r) else iso(r.date),
        "date_gmt": lambda r, v: None if _undated(r) else iso(r.date_gmt),
        "guid": lambda r, v: {"rendered": r.guid, "raw": r.guid},
        "id": lambda r, v: r.id,
        "modified": lambda r, v: iso(r.modified),
        "modified_gmt": lambda r, v: iso(r.modified_gmt),
        "parent": lambda r, v: r.parent,
        "slug": lambda r, v: r.slug,
        "title": lambda r, v: {"raw": r.title, "rendered": text_rendering.title(r.title, v.work.budget)},
        "content": lambda r, v: {"raw": r.content, "rendered": _content(r, v)},
        "excerpt": lambda r, v: {"raw": r.excerpt, "rendered": _excerpt(r, v)},
        "meta": _meta,
    }
    return Shape(fields, getters, nested=False)


def _undated(r: Record | Revision) -> bool:
    """Say whether it is the draft itself, saved by its own author, for which no date was chosen yet."""
    return isinstance(r, Record) and r.floating


def _content(r: Any, view: Any) -> str:
    return srcset.shown(view.work, dynamic_rendering.rendered(view.work, r.content))


def _excerpt(r: Any, view: Any) -> str:
    """Return the written excerpt of a revision as markup; none is made of its content."""
    if not r.excerpt.strip():
        return ""
    work = view.work
    return text_rendering.excerpt(r.excerpt, "", smilies=bool(work.option("use_smilies")), budget=work.budget)

"""The history of templates and parts: revisions and autosaves of their records.

A revision is shown as its template is, under the template's id; its own number is its `wp_id`. A file of the theme has
no history. Rules: interface.md, "Templates and template parts"; facts, "Templates and template parts".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from vetrina.content.records.model import Record
from vetrina.content.revisions import autosaves
from vetrina.content.revisions import rules as revisions
from vetrina.content.revisions.routes import (
    CannotDelete,
    CannotRead,
    InvalidParent,
    NoAutosave,
    NoTrash,
    OtherParent,
    RevisionUnknown,
    query_of,
)
from vetrina.content.revisions.rules import Revision
from vetrina.content.types.model import ContentType
from vetrina.design.templates import rules as templates
from vetrina.design.templates.rules import Template, ThemeFile
from vetrina.design.templates.schema import ID, Shown, shape_of, view_of, write_arguments
from vetrina.rest.call import Call, Result
from vetrina.rest.common_arguments import context, force, numbers, ordering, paging
from vetrina.rest.fields import Field, Integer, String
from vetrina.rest.paging import page_headers
from vetrina.rest.route import READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import choice

if TYPE_CHECKING:
    from vetrina.design.templates.routes import TemplateRoutes

__all__ = ["routes"]

_ORDERS = ("date", "id", "include", "relevance", "slug", "include_slugs", "title")


def routes(type: ContentType, owner: TemplateRoutes) -> tuple[Route, ...]:
    """Return the routes of the history of templates, or of parts."""
    room = _History(type, owner)
    whole = String("Theme and slug of the template.", null="keep")
    id = Integer("Number of the revision.", null="keep")
    revision_list: dict[str, Field] = {
        "parent": whole, "context": context(), **paging(per_page=None),
        "exclude": numbers("None of these numbers."), "include": numbers("Only these numbers."),
        "offset": Integer("How many to leave out at the start.", null="keep"), **ordering(_ORDERS),
    }  # fmt: skip
    one = {"parent": whole, "id": id}
    kept = f"{type.path}/{{parent:{ID}}}/revisions"
    saved = f"{type.path}/{{id:{ID}}}/autosaves"
    saved_one = f"{type.path}/{{parent:{ID}}}/autosaves/{{id}}"
    writes = {"id": whole, **write_arguments(type, create=False)}
    return (
        Route(READ, kept, room.listed, revision_list, room.may_read, room.schema),
        Route(READ, f"{kept}/{{id}}", room.read, {**one, "context": context()}, room.may_read, room.schema),
        Route(REMOVE, f"{kept}/{{id}}", room.removed, {**one, "force": force()}, room.may_remove, room.schema),
        Route(READ, saved, room.autosaves_listed, {"id": whole, "context": context()}, room.may_read, room.schema,
              answers="many"),
        Route(WRITE, saved, room.autosaved, writes, owner.may_manage, room.schema, status=200),
        Route(READ, saved_one, room.autosave_read, {**one, "context": context()}, room.may_read, room.schema),
    )  # fmt: skip


class _History:
    """The history of templates, or of parts."""

    def __init__(self, type: ContentType, owner: TemplateRoutes) -> None:
        self.type, self.owner = type, owner
        self.shape = shape_of(type, revision=True)

    def schema(self) -> dict[str, Any]:
        return self.shape.schema(f"{self.type.name}-revision")

    # -- what may be done

    def _parent(self, call: Call) -> tuple[Template, Record]:
        """Return the template whose history is asked for, and its record. Raises InvalidParent and ThemeFile."""
        # In the path of all autosaves the template is called `id`; in that of one, `id` is the autosave's.
        id = call.args.get("parent", call.args.get("id"))
        found = templates.find(call.work, self.type, id) if isinstance(id, str) else None
        if found is None:
            raise InvalidParent(id=id)
        if found.stored is None:
            raise ThemeFile(id=found.id)
        return found, found.stored

    def may_read(self, call: Call) -> None:
        """Those who design the site (`edit_theme_options`)."""
        found, _ = self._parent(call)
        user = call.work.user
        if not user.can(self.type.caps["edit_posts"]):
            raise CannotRead(bool(user))
        call.kept["template"] = found

    def may_remove(self, call: Call) -> None:
        """Those who design the site (`edit_theme_options`)."""
        _, record = self._parent(call)
        user = call.work.user
        if not user.can(self.type.caps["delete_posts"]):
            raise CannotDelete(bool(user))
        self._revision(call, record)

    def _revision(self, call: Call, record: Record) -> Revision:
        number = call.args.get("id")
        found = revisions.by_id(call.work.tx, number) if isinstance(number, int) else None
        if found is None:
            raise RevisionUnknown(id=number)
        if found.parent != record.id:
            raise OtherParent(id=number, parent=record.id)
        return found

    # -- what is done

    def listed(self, call: Call) -> Result:
        found, record = self._parent(call)
        query = query_of(call)
        rows, total = revisions.listed_of(call.work, record.id, query)
        headers, pages = page_headers(call, total, query.per_page, query.page)
        return Result(self._members(call, found, rows), headers=headers, links=pages)

    def read(self, call: Call) -> Result:
        found, record = self._parent(call)
        return self._shown(call, found, self._revision(call, record), call.args["context"])

    def removed(self, call: Call) -> Result:
        found, record = self._parent(call)
        old = self._revision(call, record)
        if not call.args["force"]:
            raise NoTrash
        revisions.remove(call.work, record, old)
        return Result({"deleted": True, "previous": self._shown(call, found, old, "view").body})

    def autosaves_listed(self, call: Call) -> Result:
        found, record = self._parent(call)
        return Result(self._members(call, found, autosaves.of_record(call.work, record.id)))

    def autosave_read(self, call: Call) -> Result:
        found, record = self._parent(call)
        newest = autosaves.newest(call.work, record.id)
        if newest is None:
            raise NoAutosave(id=found.id)
        return self._shown(call, found, newest, call.args["context"])

    def autosaved(self, call: Call) -> Result:
        found, record = self._parent(call)
        given = self.owner.given(call)
        if "description" in given:
            given["excerpt"] = given.pop("description")
        saved = autosaves.save(call.work, self.type, record, given)
        return self._shown(call, found, saved, "edit")

    def _members(self, call: Call, found: Template, rows: Sequence[Revision]) -> list[dict[str, Any]]:
        shown = [Shown(found, row) for row in rows]
        view = view_of(call.work, self.type, call.args["context"], shown)
        wanted = choice(call.request.raw("_fields"))
        return [
            {**self.shape.members(one, view, view.context, wanted), "_links": self._links(call, found, row)}
            for one, row in zip(shown, rows, strict=True)
        ]

    def _shown(self, call: Call, found: Template, row: Revision | Record, context: str) -> Result:
        one = Shown(found, row if isinstance(row, Revision) else None)
        view = view_of(call.work, self.type, context, [one])
        members = self.shape.members(one, view, context, choice(call.request.raw("_fields")))
        return Result(members, rels=self._links(call, found, row), keeps_links=True)

    def _links(self, call: Call, found: Template, row: Revision | Record) -> dict[str, Any]:
        beside = "/autosaves" in call.route.path
        parent = f"{call.work.root}{self.type.path}/{found.id}"
        allow = ["GET"] if beside else ["GET", "DELETE"]
        own = {"href": f"{parent}/{'autosaves' if beside else 'revisions'}/{row.id}", "targetHints": {"allow": allow}}
        return {"self": [own], "parent": [{"href": parent}]}

"""The history of templates and parts: revisions and autosaves of their records.

A revision is serialized like its template, under the template's id; its own id is its `wp_id`. A theme file has no
history. Rules: docs/rules/templates.md, 6 and 7.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from vetrina.content.records.model import Record
from vetrina.content.revisions import autosaves, rules as revisions
from vetrina.content.revisions.routes import (
    AutosaveNotFound,
    CannotDeleteRevision,
    CannotReadRevisions,
    InvalidRevisionParent,
    RevisionNotFound,
    RevisionParentMismatch,
    build_revision_query,
)
from vetrina.content.revisions.rules import Revision
from vetrina.content.types.model import ContentType
from vetrina.core.call import Call
from vetrina.design.templates import rules as templates
from vetrina.design.templates.rules import BlockTemplate, TemplateIsThemeFile
from vetrina.design.templates.schema import (
    ID,
    TemplateState,
    build_template_serializer,
    build_template_view,
    build_write_arguments,
)
from vetrina.rest.call import Result
from vetrina.rest.common_arguments import (
    build_context_argument,
    build_force_argument,
    build_number_list,
    build_ordering_arguments,
    build_paging_arguments,
)
from vetrina.rest.fields import Field, Integer, String
from vetrina.rest.paging import build_page_headers
from vetrina.rest.resource import TrashUnsupported
from vetrina.rest.route import READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import parse_field_selection

if TYPE_CHECKING:
    from vetrina.design.templates.routes import TemplateRoutes

__all__ = ["build_routes"]

_ORDERS = ("date", "id", "include", "relevance", "slug", "include_slugs", "title")


def build_routes(type: ContentType, owner: TemplateRoutes) -> tuple[Route, ...]:
    """Return the routes of the history of templates, or of parts."""
    history = _TemplateHistoryRoutes(type, owner)
    whole = String("Theme and slug of the template.", null="keep")
    id = Integer("Number of the revision.", null="keep")
    revision_list: dict[str, Field] = {
        "parent": whole, "context": build_context_argument(), **build_paging_arguments(per_page=None),
        "exclude": build_number_list("None of these numbers."), "include": build_number_list("Only these numbers."),
        "offset": Integer("How many to leave out at the start.", null="keep"), **build_ordering_arguments(_ORDERS),
    }  # fmt: skip
    one = {"parent": whole, "id": id}
    revisions_path = f"{type.path}/{{parent:{ID}}}/revisions"
    saved = f"{type.path}/{{id:{ID}}}/autosaves"
    saved_one = f"{type.path}/{{parent:{ID}}}/autosaves/{{id}}"
    writes = {"id": whole, **build_write_arguments(type, create=False)}
    return (
        Route(
            READ,
            revisions_path,
            history.list_revisions,
            revision_list,
            history.require_read_permission,
            history.build_schema,
        ),
        Route(
            READ,
            f"{revisions_path}/{{id}}",
            history.read_revision,
            {**one, "context": build_context_argument()},
            history.require_read_permission,
            history.build_schema,
        ),
        Route(
            REMOVE,
            f"{revisions_path}/{{id}}",
            history.delete_revision,
            {**one, "force": build_force_argument()},
            history.require_delete_permission,
            history.build_schema,
        ),
        Route(
            READ,
            saved,
            history.list_autosaves,
            {"id": whole, "context": build_context_argument()},
            history.require_read_permission,
            history.build_schema,
            answers="many",
        ),
        Route(
            WRITE,
            saved,
            history.create_autosave,
            writes,
            owner.require_manage_permission,
            history.build_schema,
            status=200,
        ),
        Route(
            READ,
            saved_one,
            history.read_autosave,
            {**one, "context": build_context_argument()},
            history.require_read_permission,
            history.build_schema,
        ),
    )


class _TemplateHistoryRoutes:
    """The history of templates, or of parts."""

    def __init__(self, type: ContentType, owner: TemplateRoutes) -> None:
        self.type, self.owner = type, owner
        self.serializer = build_template_serializer(type, revision=True)

    def build_schema(self) -> dict[str, Any]:
        return self.serializer.schema(f"{self.type.name}-revision")

    # -- permissions

    def _get_parent(self, call: Call) -> tuple[BlockTemplate, Record]:
        """Return the template in the path, and its record. Raises InvalidRevisionParent and TemplateIsThemeFile."""
        # In the path of all autosaves the template's id is `id`; in that of one, `id` is the autosave's.
        id = call.args.get("parent", call.args.get("id"))
        found = templates.find_template(call.work, self.type, id) if isinstance(id, str) else None
        if found is None:
            raise InvalidRevisionParent(id=id)
        if found.stored is None:
            raise TemplateIsThemeFile(id=found.id)
        return found, found.stored

    def require_read_permission(self, call: Call) -> None:
        """Those who design the site (`edit_theme_options`)."""
        found, _ = self._get_parent(call)
        user = call.work.user
        if not user.can(self.type.caps["edit_posts"]):
            raise CannotReadRevisions(bool(user))
        call.lookups["template"] = found

    def require_delete_permission(self, call: Call) -> None:
        """Those who design the site (`edit_theme_options`)."""
        _, record = self._get_parent(call)
        user = call.work.user
        if not user.can(self.type.caps["delete_posts"]):
            raise CannotDeleteRevision(bool(user))
        self._get_revision(call, record)

    def _get_revision(self, call: Call, record: Record) -> Revision:
        number = call.args.get("id")
        found = revisions.find_revision(call.work.tx, number) if isinstance(number, int) else None
        if found is None:
            raise RevisionNotFound(id=number)
        if found.parent != record.id:
            raise RevisionParentMismatch(id=number, parent=record.id)
        return found

    # -- handlers

    def list_revisions(self, call: Call) -> Result:
        found, record = self._get_parent(call)
        query = build_revision_query(call)
        rows, total = revisions.list_revisions(call.work, record.id, query)
        headers, pages = build_page_headers(call, total, query.per_page, query.page)
        return Result(self._serialize_states(call, found, rows), headers=headers, links=pages)

    def read_revision(self, call: Call) -> Result:
        found, record = self._get_parent(call)
        return self._build_state_result(call, found, self._get_revision(call, record), call.args["context"])

    def delete_revision(self, call: Call) -> Result:
        found, record = self._get_parent(call)
        old = self._get_revision(call, record)
        if not call.args["force"]:
            raise TrashUnsupported
        revisions.delete_revision(call.work, record, old)
        return Result({"deleted": True, "previous": self._build_state_result(call, found, old, "view").body})

    def list_autosaves(self, call: Call) -> Result:
        found, record = self._get_parent(call)
        return Result(self._serialize_states(call, found, autosaves.list_autosaves(call.work, record.id)))

    def read_autosave(self, call: Call) -> Result:
        found, record = self._get_parent(call)
        newest = autosaves.find_newest_autosave(call.work, record.id)
        if newest is None:
            raise AutosaveNotFound(id=found.id)
        return self._build_state_result(call, found, newest, call.args["context"])

    def create_autosave(self, call: Call) -> Result:
        found, record = self._get_parent(call)
        given = self.owner.extract_written_members(call)
        if "description" in given:
            given["excerpt"] = given.pop("description")
        saved = autosaves.save_autosave(call.work, self.type, record, given)
        return self._build_state_result(call, found, saved, "edit")

    def _serialize_states(self, call: Call, template: BlockTemplate, rows: Sequence[Revision]) -> list[dict[str, Any]]:
        states = [TemplateState(template, row) for row in rows]
        view = build_template_view(call.work, self.type, call.args["context"], states)
        wanted = parse_field_selection(call.request.raw("_fields"))
        return [
            {
                **self.serializer.serialize(one, view, view.context, wanted),
                "_links": self._build_links(call, template, row),
            }
            for one, row in zip(states, rows, strict=True)
        ]

    def _build_state_result(self, call: Call, template: BlockTemplate, row: Revision | Record, context: str) -> Result:
        one = TemplateState(template, row if isinstance(row, Revision) else None)
        view = build_template_view(call.work, self.type, context, [one])
        members = self.serializer.serialize(one, view, context, parse_field_selection(call.request.raw("_fields")))
        return Result(members, rels=self._build_links(call, template, row), keeps_links=True)

    def _build_links(self, call: Call, template: BlockTemplate, row: Revision | Record) -> dict[str, Any]:
        beside = "/autosaves" in call.route.path
        parent = f"{call.work.root}{self.type.path}/{template.id}"
        allow = ["GET"] if beside else ["GET", "DELETE"]
        own = {"href": f"{parent}/{'autosaves' if beside else 'revisions'}/{row.id}", "targetHints": {"allow": allow}}
        return {"self": [own], "parent": [{"href": parent}]}

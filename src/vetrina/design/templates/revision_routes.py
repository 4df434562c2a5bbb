"""The history of templates and parts: revisions and autosaves of their records.

A revision is serialized like its template, under the template's id; its own id is its `wp_id`. A theme file has no
history. Rules: docs/rules/templates.md, 6 and 7.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetrina.content.records.model import Record
from vetrina.content.revisions import autosaves, rules as revisions
from vetrina.content.revisions.autosaves import AutosaveNotFound
from vetrina.content.revisions.routes import (
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
from vetrina.design.templates.rules import BlockTemplate, BlockTemplateNotFound, TemplateIsThemeFile
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
    build_number_list,
    build_ordering_arguments,
    build_paging_arguments,
)
from vetrina.rest.fields import EDIT, Integer, String
from vetrina.rest.resource import Links, ListPage, Operation, Resource, TrashUnsupported
from vetrina.rest.route import READ, WRITE, Route

if TYPE_CHECKING:
    from vetrina.design.templates.routes import TemplateRoutes


_ORDERS = ("date", "id", "include", "relevance", "slug", "include_slugs", "title")


def build_routes(type: ContentType, owner: TemplateRoutes) -> tuple[Route, ...]:
    """Return the routes of the history of templates, or of parts."""
    return _TemplateHistoryRoutes(type, owner).build_routes()


class _TemplateHistoryRoutes:
    """The history of templates, or of parts."""

    def __init__(self, type: ContentType, owner: TemplateRoutes) -> None:
        self.type, self.owner = type, owner
        parent = {"parent": String("Theme and slug of the template.", null="keep")}
        self.resource = Resource(
            title=f"{type.name}-revision",
            path=f"{type.path}/{{parent:{ID}}}/revisions",
            above=parent,
            key={**parent, "id": Integer("Number of the revision.", null="keep")},
            serializer=build_template_serializer(type, revision=True),
            load_view=lambda call, states: build_template_view(call.work, type, states),
            build_links=self._build_links,
            find=self._get_revision_of_template,
            trash_unsupported=TrashUnsupported,
            deleted="previous",
            written_context="view",
            keeps_links=True,
            lists_links=True,
            list=Operation(
                self._list_revisions,
                self.require_read_permission,
                {
                    "context": build_context_argument(), **build_paging_arguments(per_page=None),
                    "exclude": build_number_list("None of these numbers."),
                    "include": build_number_list("Only these numbers."),
                    "offset": Integer("How many to leave out at the start.", null="keep"),
                    **build_ordering_arguments(_ORDERS),
                },
            ),
            # Ids of templates have slashes: with a word in place of the number the path is that of a template.
            read=Operation(
                self._get_revision_of_template, self.require_read_permission, errors=(BlockTemplateNotFound,)
            ),
            delete=Operation(self._delete_revision, self.require_delete_permission, errors=(BlockTemplateNotFound,)),
        )  # fmt: skip

    def build_routes(self) -> tuple[Route, ...]:
        """Return the routes; the path of all autosaves is not that above one of them, so they are no resource."""
        type, resource = self.type, self.resource
        saved, saved_one = f"{type.path}/{{id:{ID}}}/autosaves", f"{type.path}/{{parent:{ID}}}/autosaves/{{id}}"
        id, context = {"id": resource.key["parent"]}, {"context": build_context_argument()}
        may_read, may_write = self.require_read_permission, self.owner.require_manage_permission
        writes = {**id, **build_write_arguments(type, create=False)}
        build_schema = resource.build_schema
        return (
            *resource.build_routes(),
            Route(READ, saved, self.list_autosaves, {**id, **context}, may_read, build_schema, answers="many"),
            Route(WRITE, saved, self.create_autosave, writes, may_write, build_schema, status=200),
            Route(READ, saved_one, self.read_autosave, {**resource.key, **context}, may_read, build_schema),
        )

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
        self._get_parent(call)
        user = call.work.user
        if not user.can(self.type.caps["edit_posts"]):
            raise CannotReadRevisions(bool(user))

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

    # -- what is done

    def _list_revisions(self, call: Call) -> ListPage[TemplateState]:
        found, record = self._get_parent(call)
        rows, total = revisions.list_revisions(call.work, record.id, build_revision_query(call))
        return ListPage([TemplateState(found, row) for row in rows], total)

    def _get_revision_of_template(self, call: Call) -> TemplateState:
        found, record = self._get_parent(call)
        return TemplateState(found, self._get_revision(call, record))

    def _delete_revision(self, call: Call, old: TemplateState) -> None:
        assert old.template.stored is not None
        assert old.revision is not None
        revisions.delete_revision(call.work, old.template.stored, old.revision)

    def list_autosaves(self, call: Call) -> Result:
        found, record = self._get_parent(call)
        rows = autosaves.list_autosaves(call.work, record.id)
        return self.resource.build_list_result(call, ListPage([TemplateState(found, row) for row in rows]))

    def read_autosave(self, call: Call) -> Result:
        found, record = self._get_parent(call)
        newest = autosaves.find_newest_autosave(call.work, record.id)
        if newest is None:
            raise AutosaveNotFound(id=found.id)
        return self.resource.build_result(call, TemplateState(found, newest))

    def create_autosave(self, call: Call) -> Result:
        found, record = self._get_parent(call)
        given = self.owner.extract_written_members(call)
        if "description" in given:
            given["excerpt"] = given.pop("description")
        saved = autosaves.save_autosave(call.work, self.type, record, given)
        state = TemplateState(found, saved if isinstance(saved, Revision) else None)
        return self.resource.build_result(call, state, context=EDIT)

    def _build_links(self, call: Call, state: TemplateState) -> Links:
        beside = "/autosaves" in call.route.path
        parent = f"{call.work.root}{self.type.path}/{state.template.id}"
        allow = ["GET"] if beside else ["GET", "DELETE"]
        href = f"{parent}/{'autosaves' if beside else 'revisions'}/{state.number}"
        return {"self": [{"href": href, "targetHints": {"allow": allow}}], "parent": [{"href": parent}]}

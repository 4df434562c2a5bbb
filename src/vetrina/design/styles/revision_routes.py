"""Revisions of global styles.

Rules: docs/rules/global_styles.md, 5.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.content.records.model import Record
from vetrina.content.revisions import rules as revisions
from vetrina.content.revisions.routes import (
    RevisionNotFound,
    RevisionParentMismatch,
)
from vetrina.content.revisions.rules import Revision, RevisionQuery
from vetrina.content.types.registry import GLOBAL_STYLES
from vetrina.core.call import Call
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.design.styles import permissions, rules as styles
from vetrina.design.styles.schema import ALL, PATH, SETTINGS_FIELD, SHOWN, STYLES_FIELD
from vetrina.kernel.times import format_iso
from vetrina.rest.common_arguments import build_context_argument, build_paging_arguments
from vetrina.rest.fields import Field, Integer, String
from vetrina.rest.resource import ListPage, Operation, Resource, build_no_links
from vetrina.rest.serializer import Serializer, read_attributes


def _list_revisions(call: Call) -> ListPage[Revision]:
    args, parent = call.args, call.lookups["parent"]
    query = RevisionQuery(page=args["page"], per_page=args.get("per_page"), offset=args.get("offset"))
    return ListPage(*revisions.list_revisions(call.work, parent.id, query))


def _get_revision(call: Call) -> Revision:
    parent: Record = call.lookups["parent"]
    number = call.args["id"]
    found = revisions.find_revision(call.work.tx, number)
    if found is None:
        raise RevisionNotFound(id=number)
    if found.parent != parent.id:
        raise RevisionParentMismatch(id=number, parent=parent.id)
    return found


def _build_revision_list_arguments() -> dict[str, Field]:
    offset = Integer("How many to leave out at the start.", null="keep")
    args = {"context": build_context_argument(), **build_paging_arguments(per_page=None), "offset": offset}
    del args["search"]
    return args


def _make_date_getter(of: str) -> Any:
    return lambda revision, work: format_iso(getattr(revision, of))


def _make_part_getter(at: int) -> Any:
    def getter(revision: Revision, work: UnitOfWork) -> dict[str, Any]:
        return styles.parse_styles(revision)[at]

    return getter


_REVISION_SERIALIZER = Serializer(
    {
        "settings": SETTINGS_FIELD,
        "styles": STYLES_FIELD,
        "author": Integer("Number of the user who saved it.", context=ALL),
        "date": String("When it was saved, in the site's time zone.", format="date-time", context=ALL),
        "date_gmt": String("When it was saved, in GMT.", format="date-time", context=SHOWN),
        "id": Integer("Number of the revision.", context=ALL),
        "modified": String("When it was last changed, in the site's time zone.", format="date-time", context=SHOWN),
        "modified_gmt": String("When it was last changed, in GMT.", format="date-time", context=SHOWN),
        "parent": Integer("Number of the styles that it belongs to.", context=ALL),
    },
    {
        "settings": _make_part_getter(0),
        "styles": _make_part_getter(1),
        **read_attributes("id", "author", "parent"),
        "date": _make_date_getter("date"),
        "date_gmt": _make_date_getter("date_gmt"),
        "modified": _make_date_getter("modified"),
        "modified_gmt": _make_date_getter("modified_gmt"),
    },
)


_PARENT: Final[dict[str, Field]] = {"parent": Integer("Number of the styles.", null="keep")}
STYLES_REVISIONS: Final = Resource(
    title=f"{GLOBAL_STYLES.name}-revision",
    path=f"{PATH}/{{parent}}/revisions",
    above=_PARENT,
    key={**_PARENT, "id": Integer("Number of the revision.", null="keep")},
    serializer=_REVISION_SERIALIZER,
    build_links=build_no_links,
    list=Operation(_list_revisions, permissions.require_history_permission, _build_revision_list_arguments()),
    read=Operation(_get_revision, permissions.require_history_permission),
)

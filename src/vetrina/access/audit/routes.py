"""Routes of the audit trail: list, one entry. Nothing writes, changes or deletes an entry over the interface.

Not here: its file (access/audit/file_routes.py). Rules: docs/rules/audit.md, 5.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.access.audit import listing, store
from vetrina.access.audit.listing import AuditQuery
from vetrina.access.audit.model import ACTIONS, SOURCES, AuditEntry
from vetrina.access.audit.permissions import CannotReadAuditTrail, require_audit_permission
from vetrina.access.audit.views import ENTRY_SERIALIZER
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel import times
from vetrina.kernel.errors import ApiError, Failure, Fault, InvalidParam
from vetrina.rest.common_arguments import build_number_list, build_ordering_arguments, build_paging_arguments
from vetrina.rest.fields import Array, Field, Integer, String
from vetrina.rest.paging import compute_page_offset
from vetrina.rest.resource import ListPage, Operation, Resource
from vetrina.rest.route import Route

PATH: Final = "/access/v1/audit-entries"
_GMT: Final = times.load_time_zone("UTC")
_MAX_NUMBER: Final = 2**63 - 1
_MAX_KINDS: Final = 50


class AuditEntryNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_audit_entry_invalid_id"
    message = "There is no entry {id} in the audit trail; old ones are deleted after `audit_days`."


def _declare_moment(help: str) -> String:
    return String(help, format="date-time", null="keep")


FILTERS: Final[dict[str, Field]] = {
    "search": String("Keep only what has this text in user name, address, item or title.", null="keep"),
    "account": build_number_list("Only what these accounts did; 0 for nobody."),
    "action": Array("Only these actions.", items=String(enum=ACTIONS), default=[], null="keep"),
    "kind": Array("Only what was done to these kinds.", items=String(), max_items=_MAX_KINDS, default=[], null="keep"),
    "source": Array("Only what came this way.", items=String(enum=SOURCES), default=[], null="keep"),
    "item": String("Only what was done to the item of this number or name.", null="keep"),
    "address": String("Only what came from this IP address.", null="keep"),
    "after": _declare_moment("Only what was done after this moment; in GMT without a zone."),
    "before": _declare_moment("Only what was done before this moment; in GMT without a zone."),
}
_ARGUMENTS: Final = {
    **{name: one for name, one in build_paging_arguments().items() if name != "search"},
    **build_ordering_arguments(listing.ORDERS, "date"),
    **FILTERS,
}


def build_audit_query(args: Any, **words: Any) -> AuditQuery:
    """Return the query of the filters. Raises InvalidParam for a moment out of the calendar."""
    return AuditQuery(
        account=tuple(args["account"]), action=tuple(args["action"]), kind=tuple(args["kind"]),
        source=tuple(args["source"]), item=args.get("item"), address=args.get("address"),
        after=_parse_moment(args, "after"), before=_parse_moment(args, "before"), search=args.get("search") or "",
        **words,
    )  # fmt: skip


def _parse_moment(args: Any, name: str) -> int | None:
    text = args.get(name)
    try:
        return _GMT.resolve_local(times.parse_date_time(text))[1] if text else None
    except times.DateTimeOutOfRange:
        fault = Fault("rest_invalid_date", f"{name} lies outside the years 1 to 9999.")
        raise InvalidParam({name: fault}) from None


def _list_entries(call: Call) -> ListPage[AuditEntry]:
    args = call.args
    call.work.forbid_storing()
    query = build_audit_query(
        args, orderby=args["orderby"], descending=args["order"] == "desc", limit=args["per_page"],
        offset=compute_page_offset(args),
    )  # fmt: skip
    return ListPage(*listing.list_entries(call.work, query))


def _get_entry(call: Call) -> AuditEntry:
    call.work.forbid_storing()
    id = call.args["id"]
    found = store.find_entry(call.work.tx, id) if id <= _MAX_NUMBER else None
    if found is None:
        raise AuditEntryNotFound(id=id)
    return found


ENTRIES: Final = Resource[AuditEntry](
    title="audit_entry",
    path=PATH,
    key={"id": Integer("Number of the entry.")},
    methods=("GET",),
    serializer=ENTRY_SERIALIZER,
    list=Operation(_list_entries, require_audit_permission, _ARGUMENTS, (CannotReadAuditTrail,)),
    read=Operation(_get_entry, require_audit_permission, errors=(CannotReadAuditTrail, AuditEntryNotFound)),
)


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of the audit trail."""
    return ENTRIES.build_routes()

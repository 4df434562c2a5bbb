"""Rebuilding the tables of reports, and reports as files.

Not here: how (analytics/facts/rebuilding.py, export.py). Rules: facts, "Export and rebuilding".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from vetrina.analytics.exports import rules as exports
from vetrina.analytics.facts import rebuilding
from vetrina.analytics.reports import (
    arguments as report_arguments,
)
from vetrina.analytics.reports import (
    customer_routes,
    stats_routes,
)
from vetrina.analytics.reports import (
    list_routes as report_list_routes,
)
from vetrina.analytics.reports import (
    order_routes as report_order_routes,
)
from vetrina.analytics.reports.arguments import PATH
from vetrina.core.unit_of_work import Frame
from vetrina.kernel import times
from vetrina.kernel.errors import ApiError, Refused
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import ABSENT, AnyOf, Boolean, Field, Integer, Object, String
from vetrina.rest.response_fields import LINKS, Nothing
from vetrina.rest.route import CHANGE, READ, WRITE, Route
from vetrina.rest.serializer import Shape
from vetrina.shop import permissions as shop_permissions
from vetrina.shop.rights import require

__all__ = ["routes"]

_IMPORT: Final = f"{PATH}/reports/import"
_COUNT: Final = Object(properties={"imported": Integer(), "total": Integer()})
_SAID: Final[Mapping[str, Field]] = {
    "status": String("`success`, or `error`.", readonly=True), "message": String("In words.", readonly=True),
}  # fmt: skip
_DONE: Final = Object(properties=_SAID)
_PROGRESS: Final = Object(properties={
    "customers": _COUNT, "orders": _COUNT,
    "imported_from": AnyOf("When the first of the orders was made, -1 for all of them.", (Integer(), String())),
    "is_importing": Boolean(),
})  # fmt: skip
_TOTALS: Final = Object(properties={"customers": Integer(), "orders": Integer()})
_BEGUN: Final = Object(properties={"message": String(), "export_id": String(), "_links": LINKS})
_FILE: Final = Object(properties={
    "percent_complete": Integer(), "download_url": String("Where the file is, once it is whole."), "_links": LINKS,
})  # fmt: skip
_MODE: Final = Object(properties={
    "mode": String("`immediate`: with every order."), "last_processed_date": Nothing(), "next_scheduled": Nothing(),
    "import_in_progress_or_due": Nothing(),
})  # fmt: skip


class CannotAccess(Refused):
    code = "shop_rest_cannot_access"
    message = "You may not see how reports are made; sign in as one who runs the shop."


class ImmediateMode(ApiError):
    code = "shop_rest_analytics_import_immediate_mode"
    message = "Reports are brought up to date with every order; there is nothing to trigger."


def _accessing(call: Call) -> None:
    """Those who run the shop (`manage_shop`)."""
    require(call.work.user, CannotAccess)


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of rebuilding and of files."""
    wide: dict[str, Field] = {
        "days": Integer("Only the orders of so many days.", minimum=0, null="keep"),
        "skip_existing": Boolean("Leave what is there as it is.", default=False, null="keep"),
    }
    type = {"type": String("Name of the report.", pattern="^[a-z]+$", null="keep")}
    asked: dict[str, Field] = {
        "report_args": Object("Parameters of the report.", null="keep"),
        "email": Boolean("Whether to send the link by mail.", null="keep"),
    }
    one = r"{type:[a-z]+}/export"
    id = {"export_id": String("Number of the export.", pattern="^[a-z0-9]+$", null="keep")}
    editing, viewing = shop_permissions.editing, shop_permissions.viewing
    return (
        Route(CHANGE, _IMPORT, _import, wide, editing, _done_schema, answers=_DONE),
        Route(CHANGE, f"{_IMPORT}/cancel", _cancel, {}, editing, _done_schema, answers=_DONE),
        Route(CHANGE, f"{_IMPORT}/delete", _delete, {}, editing, _done_schema, answers=_DONE),
        Route(READ, f"{_IMPORT}/status", _status, {}, editing, answers=_PROGRESS),
        Route(READ, f"{_IMPORT}/totals", _totals, wide, editing, answers=_TOTALS),
        Route(CHANGE, f"{PATH}/reports/{one}", _export, {**type, **asked}, viewing, errors=(exports.UnknownType,),
              answers=_BEGUN),
        Route(READ, f"{PATH}/reports/{one}/{{export_id:[a-z0-9]+}}/status", _export_status, {**type, **id}, viewing,
              errors=(exports.ExportUnknown,), answers=_FILE),
        Route(READ, f"{PATH}/imports/status", _mode, {}, _accessing, answers=_MODE),
        Route(WRITE, f"{PATH}/imports/trigger", _trigger, {}, _accessing, errors=(ImmediateMode,), answers=Nothing()),
    )  # fmt: skip


def _done_schema() -> dict[str, Any]:
    return Shape(_SAID, {}).schema("report_import")


def _days(call: Call) -> int | None:
    days = call.args.get("days")
    return None if days in (None, ABSENT) else int(days)


def _import(call: Call) -> Result:
    """Rebuild the reports from the orders, of some days or of all."""
    found = rebuilding.start(call.work, _days(call), bool(call.args.get("skip_existing")))
    if found is None:
        return Result({"status": "error", "message": "The reports are being rebuilt already; cancel that first."})
    return Result({"status": "success", "message": "The reports are being rebuilt from the orders."})


def _cancel(call: Call) -> Result:
    """Stop rebuilding the reports."""
    rebuilding.cancel(call.work)
    return Result({"status": "success", "message": "Nothing more is rebuilt."})


def _delete(call: Call) -> Result:
    """Empty the reports; they stay empty until they are rebuilt."""
    rebuilding.empty(call.work)
    return Result({"status": "success", "message": "The reports are empty until they are rebuilt."})


def _status(call: Call) -> Result:
    """Tell how far rebuilding the reports has come."""
    found = rebuilding.progress(call.work)
    if not found.known:
        return Result({"is_importing": False})
    since = -1 if found.since is None else times.iso(found.since).replace("T", " ")
    return Result(
        {
            "customers": {"imported": found.customers, "total": found.of_customers},
            "orders": {
                "imported": found.orders + found.refunds,
                "total": found.of_orders + found.of_refunds,
            },
            "imported_from": since, "is_importing": found.running,
        }
    )  # fmt: skip


def _totals(call: Call) -> Result:
    """Tell how many customers and orders a rebuilding would read."""
    people, found = rebuilding.totals(call.work, _days(call), bool(call.args.get("skip_existing")))
    return Result({"customers": people, "orders": found})


def _mode(call: Call) -> Result:
    """Tell that reports are written with the orders, and never lag behind."""
    none = dict.fromkeys(("last_processed_date", "next_scheduled", "import_in_progress_or_due"))
    return Result({"mode": "immediate", **none})


def _trigger(call: Call) -> Result:
    """Answer that there is nothing to trigger: reports are written with the orders."""
    raise ImmediateMode


# -- files

_FIELDS: Final[dict[str, Mapping[str, Field]]] = {
    **report_list_routes.ARGS,
    "orders": report_order_routes.ARGS,
    "customers": customer_routes.ARGS,
    "revenue": stats_routes.KINDS[0].args,
}


def _export(call: Call) -> Result:
    """Begin to write a report into a CSV file; a mail can tell when it is ready."""
    type = call.args["type"]
    given = call.args.get("report_args")
    taken = _taken(type, given if isinstance(given, dict) else {})
    made = exports.begin(call.work, type, taken, bool(call.args.get("email")))
    if made is None:
        return Result({"message": "There is nothing to export for these parameters."})
    status = call.work.api(f"{PATH}/reports/{type}/export/{made.number}/status")
    body = {"message": "The report is written to a file; its status says when it can be fetched."}
    return Result(
        {**body, "export_id": made.number, "_links": {"status": [{"href": status}]}}, keeps_links=True
    )  # fmt: skip


def _taken(type: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of a report, typed; what its list would refuse is left out."""
    fields = _FIELDS.get(type, {})
    out = {}
    for name, value in given.items():
        field = fields.get(name)
        if field is not None and field.fault(value, name) is None:
            out[name] = value if field.lenient or field.alone else field.clean(value)
    if type == "customers":
        return customer_routes.typed(out)
    return report_arguments.values(out, fields)


def _export_status(call: Call) -> Result:
    """Tell how far a CSV file has come, and its address once it is ready."""
    found = exports.existing(call.work, call.args["type"], call.args["export_id"])
    body: dict[str, Any] = {"percent_complete": found.percent}
    if found.percent == 100:
        body["download_url"] = exports.address(call.work, found)
    own = call.work.api(f"{PATH}/reports/{found.type}/export/{found.number}/status")
    return Result(body, rels={"self": [{"href": own, "targetHints": {"allow": ["GET"]}}]}, keeps_links=True)

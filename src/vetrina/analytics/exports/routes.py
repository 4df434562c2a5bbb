"""Routes that rebuild the report tables and export reports as files.

Not here: the work itself (analytics/facts/rebuilding.py, analytics/exports/rules.py). Rules:
docs/rules/analytics_exports.md, 1; docs/rules/analytics_arguments.md, 5.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from vetrina.analytics.exports import rules as exports
from vetrina.analytics.facts import rebuilding
from vetrina.analytics.reports import (
    arguments as report_arguments,
    customer_routes,
    list_routes as report_list_routes,
    order_routes as report_order_routes,
    stats_routes,
)
from vetrina.analytics.reports.arguments import PATH
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel import times
from vetrina.kernel.errors import ApiError, PermissionDenied
from vetrina.rest.call import Result
from vetrina.rest.fields import ABSENT, AnyOf, Boolean, Field, Integer, Object, String
from vetrina.rest.response_fields import LINKS, Nothing
from vetrina.rest.route import CHANGE, READ, WRITE, Route
from vetrina.rest.serializer import Serializer
from vetrina.shop import permissions as shop_permissions
from vetrina.shop.rights import require_shop_capability

_IMPORT: Final = f"{PATH}/reports/import"
_COUNT: Final = Object(properties={"imported": Integer(), "total": Integer()})
_IMPORT_FIELDS: Final[Mapping[str, Field]] = {
    "status": String("`success`, or `error`.", readonly=True), "message": String("In words.", readonly=True),
}  # fmt: skip
_IMPORT_ANSWER: Final = Object(properties=_IMPORT_FIELDS)
_PROGRESS: Final = Object(properties={
    "customers": _COUNT, "orders": _COUNT,
    "imported_from": AnyOf("When the first of the orders was made, -1 for all of them.", (Integer(), String())),
    "is_importing": Boolean(),
})  # fmt: skip
_TOTALS: Final = Object(properties={"customers": Integer(), "orders": Integer()})
_EXPORT_STARTED: Final = Object(properties={"message": String(), "export_id": String(), "_links": LINKS})
_EXPORT_FILE: Final = Object(properties={
    "percent_complete": Integer(), "download_url": String("Where the file is, once it is whole."), "_links": LINKS,
})  # fmt: skip
_MODE: Final = Object(properties={
    "mode": String("`immediate`: with every order."), "last_processed_date": Nothing(), "next_scheduled": Nothing(),
    "import_in_progress_or_due": Nothing(),
})  # fmt: skip


class CannotAccessImports(PermissionDenied):
    code = "shop_rest_cannot_access"
    message = "You may not see how reports are made; sign in as one who runs the shop."


class ImportModeImmediate(ApiError):
    code = "shop_rest_analytics_import_immediate_mode"
    message = "Reports are brought up to date with every order; there is nothing to trigger."


def _require_import_permission(call: Call) -> None:
    """Those who run the shop (`manage_shop`)."""
    require_shop_capability(call.work.user, CannotAccessImports)


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of rebuilds and exports."""
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
    editing, viewing = shop_permissions.require_edit_permission, shop_permissions.require_view_permission
    return (
        Route(CHANGE, _IMPORT, _start_import, wide, editing, _build_import_schema, answers=_IMPORT_ANSWER),
        Route(CHANGE, f"{_IMPORT}/cancel", _cancel_import, {}, editing, _build_import_schema, answers=_IMPORT_ANSWER),
        Route(
            CHANGE, f"{_IMPORT}/delete", _delete_report_data, {}, editing, _build_import_schema, answers=_IMPORT_ANSWER
        ),
        Route(READ, f"{_IMPORT}/status", _read_import_status, {}, editing, answers=_PROGRESS),
        Route(READ, f"{_IMPORT}/totals", _read_import_totals, wide, editing, answers=_TOTALS),
        Route(
            CHANGE,
            f"{PATH}/reports/{one}",
            _start_export,
            {**type, **asked},
            viewing,
            errors=(exports.ExportTypeNotFound,),
            answers=_EXPORT_STARTED,
        ),
        Route(
            READ,
            f"{PATH}/reports/{one}/{{export_id:[a-z0-9]+}}/status",
            _read_export_status,
            {**type, **id},
            viewing,
            errors=(exports.ReportExportNotFound,),
            answers=_EXPORT_FILE,
        ),
        Route(READ, f"{PATH}/imports/status", _read_import_mode, {}, _require_import_permission, answers=_MODE),
        Route(
            WRITE,
            f"{PATH}/imports/trigger",
            _trigger_import,
            {},
            _require_import_permission,
            errors=(ImportModeImmediate,),
            answers=Nothing(),
        ),
    )


def _build_import_schema() -> dict[str, Any]:
    return Serializer(_IMPORT_FIELDS, {}).schema("report_import")


def _parse_days(call: Call) -> int | None:
    days = call.args.get("days")
    return None if days in (None, ABSENT) else int(days)


def _start_import(call: Call) -> Result:
    """Rebuild the report tables from the orders of some days or of all."""
    found = rebuilding.start_rebuild(call.work, _parse_days(call), bool(call.args.get("skip_existing")))
    if found is None:
        return Result({"status": "error", "message": "The reports are being rebuilt already; cancel that first."})
    return Result({"status": "success", "message": "The reports are being rebuilt from the orders."})


def _cancel_import(call: Call) -> Result:
    """Cancel the rebuild of the report tables."""
    rebuilding.cancel_rebuild(call.work)
    return Result({"status": "success", "message": "Nothing more is rebuilt."})


def _delete_report_data(call: Call) -> Result:
    """Empty the report tables; they stay empty until they are rebuilt."""
    rebuilding.empty_reports(call.work)
    return Result({"status": "success", "message": "The reports are empty until they are rebuilt."})


def _read_import_status(call: Call) -> Result:
    """Return the progress of the rebuild of the report tables."""
    found = rebuilding.load_progress(call.work)
    if not found.known:
        return Result({"is_importing": False})
    since = -1 if found.since is None else times.format_iso(found.since).replace("T", " ")
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


def _read_import_totals(call: Call) -> Result:
    """Return how many customers and orders a rebuild would read."""
    people, found = rebuilding.count_totals(call.work, _parse_days(call), bool(call.args.get("skip_existing")))
    return Result({"customers": people, "orders": found})


def _read_import_mode(call: Call) -> Result:
    """Return the import mode: report rows are written with the orders and never lag behind."""
    none = dict.fromkeys(("last_processed_date", "next_scheduled", "import_in_progress_or_due"))
    return Result({"mode": "immediate", **none})


def _trigger_import(call: Call) -> Result:
    """Report that there is nothing to trigger: report rows are written with the orders."""
    raise ImportModeImmediate


# -- files

_FIELDS: Final[dict[str, Mapping[str, Field]]] = {
    **report_list_routes.ARGS,
    "orders": report_order_routes.ARGS,
    "customers": customer_routes.ARGS,
    "revenue": stats_routes.STATS_ENDPOINTS[0].args,
}


def _start_export(call: Call) -> Result:
    """Start the export of a report to a CSV file, optionally with a mail when it is ready."""
    type = call.args["type"]
    given = call.args.get("report_args")
    taken = _parse_export_arguments(type, given if isinstance(given, dict) else {})
    export = exports.create_export(call.work, type, taken, bool(call.args.get("email")))
    if export is None:
        return Result({"message": "There is nothing to export for these parameters."})
    status = call.work.api(f"{PATH}/reports/{type}/export/{export.number}/status")
    body = {"message": "The report is written to a file; its status says when it can be fetched."}
    return Result(
        {**body, "export_id": export.number, "_links": {"status": [{"href": status}]}}, keeps_links=True
    )  # fmt: skip


def _parse_export_arguments(type: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of a report, typed; drops what the report's list would refuse."""
    fields = _FIELDS.get(type, {})
    out = {}
    for name, value in given.items():
        field = fields.get(name)
        if field is not None and field.fault(value, name) is None:
            out[name] = value if field.lenient or field.alone else field.clean(value)
    if type == "customers":
        return customer_routes.parse_customer_arguments(out)
    return report_arguments.parse_report_arguments(out, fields)


def _read_export_status(call: Call) -> Result:
    """Return the progress of an export, and the URL of the file once it is ready."""
    found = exports.get_export(call.work, call.args["type"], call.args["export_id"])
    body: dict[str, Any] = {"percent_complete": found.percent}
    if found.percent == 100:
        body["download_url"] = exports.build_download_address(call.work, found)
    own = call.work.api(f"{PATH}/reports/{found.type}/export/{found.number}/status")
    return Result(body, rels={"self": [{"href": own, "targetHints": {"allow": ["GET"]}}]}, keeps_links=True)

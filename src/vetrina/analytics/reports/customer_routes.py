"""The report on customers, at both of its paths, and the averages over them.

Not here: the query (analytics/reports/customers.py). Rules: docs/rules/analytics_arguments.md, 3;
docs/rules/analytics_reports.md, 10 and 12.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from vetrina.analytics.reports import arguments as report_arguments, customers as report_customers
from vetrina.analytics.reports.arguments import PATH, build_id_filter
from vetrina.analytics.reports.customers import CustomerRow
from vetrina.analytics.reports.list_routes import ReportRows, build_page_result
from vetrina.analytics.reports.row_schema import ROW_FIELDS
from vetrina.analytics.reports.schema import describe_row, describe_totals
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import times
from vetrina.kernel.errors import Fault
from vetrina.rest import coercion
from vetrina.rest.call import Result
from vetrina.rest.fields import ABSENT, Array, Field, Integer, Number, String, ValidationContext
from vetrina.rest.route import READ, Route
from vetrina.shop import permissions as shop_permissions

_ORDERS: Final = (
    "username", "name", "country", "city", "state", "postcode", "date_registered", "date_last_active", "orders_count",
    "total_spend", "avg_order_value",
)  # fmt: skip
_ALL_ORDERS: Final = (*_ORDERS, "first_name", "last_name", "email", "location")
_EMPTIABLE: Final = ("email", "name", "country", "city", "state", "postcode")
_ID_FILTERS: Final = ("name", "username", "email")


def _find_number_pair_fault(value: Any, name: str, context: ValidationContext) -> Fault | None:
    found = coercion.coerce_array(value)
    if found is None or len(found) != 2 or any(coercion.coerce_number(one) is None for one in found):
        return Fault("rest_invalid_param", f"{name} must contain 2 numbers.")
    faults = (
        coercion.build_type_fault(f"{name}[{at}]", "integer")
        for at in (0, 1)
        if coercion.coerce_integer(found[at]) is None
    )
    return next(faults, None)


def _find_date_pair_fault(value: Any, name: str, context: ValidationContext) -> Fault | None:
    found = coercion.coerce_array(value)
    if found is not None and len(found) == 2 and all(isinstance(one, str) and times.is_date_time(one) for one in found):
        return None
    return Fault("rest_invalid_param", f"{name} must contain 2 valid dates.")


def _find_order_fault(value: Any, name: str, context: ValidationContext) -> Fault | None:
    return coercion.find_enum_fault(value, name, _ALL_ORDERS)


def _build_text_argument(help: str) -> String:
    return String(help, null="keep")


def _build_customer_filters() -> dict[str, Field]:
    out: dict[str, Field] = {
        "search": _build_text_argument("Part of a name or an address."),
        "searchby": String("Where to search.", enum=("name", "username", "email", "all"), default="name", null="keep"),
    }
    for name in _ID_FILTERS:
        out[f"{name}_includes"] = _build_text_argument("Only these customers, by their numbers.")
        out[f"{name}_excludes"] = _build_text_argument("All but these customers, by their numbers.")
    for name in ("country", "location"):
        out[f"{name}_includes"] = _build_text_argument("Only from these places, by their codes.")
        out[f"{name}_excludes"] = _build_text_argument("From none of these places, by their codes.")
    for name in ("registered", "last_active", "last_order"):
        for side in ("before", "after"):
            out[f"{name}_{side}"] = String(f"Only those {name} {side}.", format="date-time", null="keep")
    for name in ("last_active", "registered"):
        out[f"{name}_between"] = Array(
            "Between two dates.", items=String(), check=_find_date_pair_fault, alone=True, null="keep"
        )
    for name, kind in (("orders_count", Integer), ("total_spend", Number), ("avg_order_value", Number)):
        for side in ("min", "max"):
            out[f"{name}_{side}"] = kind("A bound.", null="keep")
        out[f"{name}_between"] = Array(
            "Between two numbers.", items=Integer(), check=_find_number_pair_fault, alone=True, null="keep"
        )
    out["users"] = build_id_filter("Only these accounts.")
    out["include"] = build_id_filter("Only these customers.")
    out["customers"] = build_id_filter("Older name of `include`.")
    out["filter_empty"] = Array("Only those of whom this is known.", items=String(enum=_EMPTIABLE), null="keep")
    out["user_type"] = String("Accounts or guests.", enum=("all", "registered", "guest"), default="all", null="keep")
    return out


ARGS: Final[Mapping[str, Field]] = {
    **report_arguments.build_report_arguments(_ALL_ORDERS, "date_registered"),
    **_build_customer_filters(),
}
_STATS: Final[Mapping[str, Field]] = {
    "context": ARGS["context"], "match": ARGS["match"], **report_arguments.build_span_arguments(),
    **{name: field for name, field in _build_customer_filters().items() if name != "searchby"},
    "fields": Array("Only these measures.", items=String(), lenient=True, null="keep"),
    "force_cache_refresh": ARGS["force_cache_refresh"],
}  # fmt: skip


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of customers."""
    # The older path declares fewer orders than it accepts.
    order = String(
        "Sort by this.", enum=_ORDERS, default="date_registered", check=_find_order_fault, alone=True, null="keep"
    )
    named: dict[str, Field] = {**ARGS, "orderby": order}
    id = {"id": Integer("Number of the customer.")}

    def route(path: str, args: Mapping[str, Field], handler: Callable[[Call], Result] = _list_customers) -> Route:
        return Route(
            READ,
            path,
            handler,
            dict(args),
            shop_permissions.require_view_permission,
            describe_row("customers"),
            answers="many",
            response_fields=ROW_FIELDS["customers"],
            slow=True,
        )

    return (
        route(f"{PATH}/customers", named),
        route(f"{PATH}/customers/{{id:[\\d-]+}}", {**id, **named}),
        route(f"{PATH}/reports/customers", ARGS),
        Route(
            READ,
            f"{PATH}/reports/customers/stats",
            _read_customer_stats,
            dict(_STATS),
            shop_permissions.require_view_permission,
            describe_totals(
                "customers", "customers_count", "avg_orders_count", "avg_total_spend", "avg_avg_order_value"
            ),
            answers="one",
            slow=True,
        ),
    )


def _list_customers(call: Call) -> Result:
    args = _parse_call_arguments(call)
    if call.args.get("id") not in (None, ABSENT):
        args["only"] = [call.args["id"]]
    body, total = list_customer_rows(call, args)
    return build_page_result(call, (body, total if body else 0), args)


def _parse_call_arguments(call: Call) -> dict[str, Any]:
    return parse_customer_arguments(call.args)


def parse_customer_arguments(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the filters of customers with id lists, codes and dates parsed."""
    args = report_arguments.parse_report_arguments(given, ARGS)
    if "customers" in args:
        args["include"] = [*args.get("include", ()), *args.pop("customers")]
    for name in _ID_FILTERS:
        for side in ("includes", "excludes"):
            if f"{name}_{side}" in args:
                args[f"{name}_{side}"] = report_arguments.parse_ids(args[f"{name}_{side}"])
    for name in ("country", "location"):
        for side in ("includes", "excludes"):
            if f"{name}_{side}" in args:
                args[f"{name}_{side}"] = [str(one) for one in coercion.coerce_array(args[f"{name}_{side}"]) or ()]
    for name in ("orders_count", "total_spend", "avg_order_value"):
        if args.get(f"{name}_between"):
            args[f"{name}_between"] = [
                coercion.coerce_number(one) for one in coercion.coerce_array(args[f"{name}_between"]) or ()
            ]
    for name in ("registered", "last_active"):
        if args.get(f"{name}_between"):
            args[f"{name}_between"] = coercion.coerce_array(args[f"{name}_between"])
    return args


def list_customer_rows(call: Call, args: Mapping[str, Any]) -> ReportRows:
    """Return a page of the report, serialized, and the total."""
    found, total = report_customers.list_customers(call.work, args)
    return [_serialize_customer(call, one) for one in found], total


def _serialize_customer(call: Call, one: CustomerRow) -> dict[str, Any]:
    work = call.work
    average = one.average
    spend = one.spend / 1_000_000
    out: dict[str, Any] = {
        "id": one.id,
        "user_id": one.account,
        "username": one.username,
        "name": f"{one.first_name} {one.last_name}".strip(),
        "first_name": one.first_name,
        "last_name": one.last_name,
        "email": one.email,
        "country": one.country,
        "city": one.city,
        "state": one.state,
        "postcode": one.postcode,
        "date_registered": _format_local_time(work, one.registered),
        "date_last_active": _format_local_time(work, one.last_active),
        "date_last_order": None if one.last_order is None else times.format_iso(one.last_order).replace("T", " "),
        "orders_count": one.orders,
        "total_spend": _serialize_number(spend),
        "avg_order_value": _serialize_number(average),
        "date_registered_gmt": _format_gmt_time(one.registered),
        "date_last_active_gmt": _format_gmt_time(one.last_active),
    }
    if one.account:
        out["_links"] = {
            "customer": [{"href": work.api(f"{PATH}/customers/{one.id}")}],
            "collection": [{"href": work.api(f"{PATH}/customers")}],
        }
    return out


def _read_customer_stats(call: Call) -> Result:
    """Return averages over the customers."""
    args = _parse_call_arguments(call)
    found = report_customers.compute_averages(call.work, {**args, "searchby": "name"})
    body = {
        "customers_count": found.count, "avg_orders_count": _serialize_number(round(found.orders, 4)),
        "avg_total_spend": _serialize_number(found.spend), "avg_avg_order_value": _serialize_number(found.order_value),
    }  # fmt: skip
    wanted = coercion.coerce_array(call.args.get("fields")) if call.args.get("fields") else None
    if wanted:
        body = {name: body[name] for name in wanted if isinstance(name, str) and name in body}
    return Result({"totals": body})


def _serialize_number(number: float) -> float | int:
    return int(number) if float(number).is_integer() else number


def _format_local_time(work: UnitOfWork, instant: int | None) -> str | None:
    return None if instant is None else times.format_iso(work.zone.to_local(instant))


def _format_gmt_time(instant: int | None) -> str | None:
    return None if instant is None else times.format_iso(instant)

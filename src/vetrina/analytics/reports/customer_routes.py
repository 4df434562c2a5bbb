"""The report on customers, at both of its addresses, and the averages over them.

Not here: how they are found (analytics/reports/customers.py). Rules: interface.md, "Shop analytics"; facts, "The
reports".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from vetrina.analytics.reports import arguments as report_arguments
from vetrina.analytics.reports import customers as report_customers
from vetrina.analytics.reports.arguments import PATH, numbers
from vetrina.analytics.reports.customers import Customer
from vetrina.analytics.reports.list_routes import Rows, answered
from vetrina.analytics.reports.row_schema import ROWS
from vetrina.analytics.reports.schema import describe_row, describe_totals
from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel import times
from vetrina.kernel.errors import Fault
from vetrina.rest import coercion
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import ABSENT, Array, Asked, Field, Integer, Number, String
from vetrina.rest.route import READ, Route
from vetrina.shop import permissions as shop_permissions

__all__ = ["ARGS", "page", "routes", "typed"]

_ORDERS: Final = (
    "username", "name", "country", "city", "state", "postcode", "date_registered", "date_last_active", "orders_count",
    "total_spend", "avg_order_value",
)  # fmt: skip
_ALL_ORDERS: Final = (*_ORDERS, "first_name", "last_name", "email", "location")
_EMPTY: Final = ("email", "name", "country", "city", "state", "postcode")
_IDS: Final = ("name", "username", "email")


def _two_numbers(value: Any, name: str, asked: Asked) -> Fault | None:
    found = coercion.array(value)
    if found is None or len(found) != 2 or any(coercion.number(one) is None for one in found):
        return Fault("rest_invalid_param", f"{name} must contain 2 numbers.")
    faults = (coercion.wrong_type(f"{name}[{at}]", "integer") for at in (0, 1) if coercion.integer(found[at]) is None)
    return next(faults, None)


def _two_dates(value: Any, name: str, asked: Asked) -> Fault | None:
    found = coercion.array(value)
    if found is not None and len(found) == 2 and all(isinstance(one, str) and times.is_date_time(one) for one in found):
        return None
    return Fault("rest_invalid_param", f"{name} must contain 2 valid dates.")


def _any_order(value: Any, name: str, asked: Asked) -> Fault | None:
    return coercion.enum_fault(value, name, _ALL_ORDERS)


def _text(help: str) -> String:
    return String(help, null="keep")


def _filters() -> dict[str, Field]:
    out: dict[str, Field] = {
        "search": _text("Part of a name or an address."),
        "searchby": String("Where to search.", enum=("name", "username", "email", "all"), default="name", null="keep"),
    }
    for name in _IDS:
        out[f"{name}_includes"] = _text("Only these customers, by their numbers.")
        out[f"{name}_excludes"] = _text("All but these customers, by their numbers.")
    for name in ("country", "location"):
        out[f"{name}_includes"] = _text("Only from these places, by their codes.")
        out[f"{name}_excludes"] = _text("From none of these places, by their codes.")
    for name in ("registered", "last_active", "last_order"):
        for side in ("before", "after"):
            out[f"{name}_{side}"] = String(f"Only those {name} {side}.", format="date-time", null="keep")
    for name in ("last_active", "registered"):
        out[f"{name}_between"] = Array("Between two dates.", items=String(), check=_two_dates, alone=True, null="keep")
    for name, kind in (("orders_count", Integer), ("total_spend", Number), ("avg_order_value", Number)):
        for side in ("min", "max"):
            out[f"{name}_{side}"] = kind("A bound.", null="keep")
        out[f"{name}_between"] = Array(
            "Between two numbers.", items=Integer(), check=_two_numbers, alone=True, null="keep"
        )
    out["users"] = numbers("Only these accounts.")
    out["include"] = numbers("Only these customers.")
    out["customers"] = numbers("Older name of `include`.")
    out["filter_empty"] = Array("Only those of whom this is known.", items=String(enum=_EMPTY), null="keep")
    out["user_type"] = String("Accounts or guests.", enum=("all", "registered", "guest"), default="all", null="keep")
    return out


ARGS: Final[Mapping[str, Field]] = {**report_arguments.common(_ALL_ORDERS, "date_registered"), **_filters()}
_STATS: Final[Mapping[str, Field]] = {
    "context": ARGS["context"], "match": ARGS["match"], **report_arguments.span(),
    **{name: field for name, field in _filters().items() if name != "searchby"},
    "fields": Array("Only these measures.", items=String(), lenient=True, null="keep"),
    "force_cache_refresh": ARGS["force_cache_refresh"],
}  # fmt: skip


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of customers."""
    # The older address shows fewer orders than it takes.
    order = String("Sort by this.", enum=_ORDERS, default="date_registered", check=_any_order, alone=True, null="keep")
    named: dict[str, Field] = {**ARGS, "orderby": order}
    id = {"id": Integer("Number of the customer.")}

    def route(path: str, args: Mapping[str, Field], handler: Callable[[Call], Result] = _listed) -> Route:
        return Route(
            READ,
            path,
            handler,
            dict(args),
            shop_permissions.viewing,
            describe_row("customers"),
            answers="many",
            shows=ROWS["customers"],
        )

    return (
        route(f"{PATH}/customers", named),
        route(f"{PATH}/customers/{{id:[\\d-]+}}", {**id, **named}),
        route(f"{PATH}/reports/customers", ARGS),
        Route(
            READ, f"{PATH}/reports/customers/stats", _stats, dict(_STATS), shop_permissions.viewing,
            describe_totals(
                "customers", "customers_count", "avg_orders_count", "avg_total_spend", "avg_avg_order_value"
            ),
            answers="one",
        ),
    )  # fmt: skip


def _listed(call: Call) -> Result:
    args = _values(call)
    if call.args.get("id") not in (None, ABSENT):
        args["only"] = [call.args["id"]]
    body, total = page(call, args)
    return answered(call, (body, total if body else 0), args)


def _values(call: Call) -> dict[str, Any]:
    return typed(call.args)


def typed(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the filters of customers with lists of numbers, codes and dates as lists."""
    args = report_arguments.values(given, ARGS)
    if "customers" in args:
        args["include"] = [*args.get("include", ()), *args.pop("customers")]
    for name in _IDS:
        for side in ("includes", "excludes"):
            if f"{name}_{side}" in args:
                args[f"{name}_{side}"] = report_arguments.numbers_of(args[f"{name}_{side}"])
    for name in ("country", "location"):
        for side in ("includes", "excludes"):
            if f"{name}_{side}" in args:
                args[f"{name}_{side}"] = [str(one) for one in coercion.array(args[f"{name}_{side}"]) or ()]
    for name in ("orders_count", "total_spend", "avg_order_value"):
        if args.get(f"{name}_between"):
            args[f"{name}_between"] = [coercion.number(one) for one in coercion.array(args[f"{name}_between"]) or ()]
    for name in ("registered", "last_active"):
        if args.get(f"{name}_between"):
            args[f"{name}_between"] = coercion.array(args[f"{name}_between"])
    return args


def page(call: Call, args: Mapping[str, Any]) -> Rows:
    """Return a page of the report as answers show it, and the number of all."""
    found, total = report_customers.page(call.work, args)
    return [_shown(call, one) for one in found], total


def _shown(call: Call, one: Customer) -> dict[str, Any]:
    work: Work = call.work
    average = one.average
    spend = one.spend / 1_000_000
    out: dict[str, Any] = {
        "id": one.id, "user_id": one.account, "username": one.username,
        "name": f"{one.first_name} {one.last_name}".strip(), "first_name": one.first_name, "last_name": one.last_name,
        "email": one.email, "country": one.country, "city": one.city, "state": one.state, "postcode": one.postcode,
        "date_registered": _local(work, one.registered), "date_last_active": _local(work, one.last_active),
        "date_last_order": None if one.last_order is None else times.iso(one.last_order).replace("T", " "),
        "orders_count": one.orders, "total_spend": _plain(spend), "avg_order_value": _plain(average),
        "date_registered_gmt": _gmt(one.registered), "date_last_active_gmt": _gmt(one.last_active),
    }  # fmt: skip
    if one.account:
        out["_links"] = {
            "customer": [{"href": work.api(f"{PATH}/customers/{one.id}")}],
            "collection": [{"href": work.api(f"{PATH}/customers")}],
        }
    return out


def _stats(call: Call) -> Result:
    """Total the report of customers."""
    args = _values(call)
    found = report_customers.averages(call.work, {**args, "searchby": "name"})
    body = {
        "customers_count": found.count, "avg_orders_count": _plain(round(found.orders, 4)),
        "avg_total_spend": _plain(found.spend), "avg_avg_order_value": _plain(found.order_value),
    }  # fmt: skip
    wanted = coercion.array(call.args.get("fields")) if call.args.get("fields") else None
    if wanted:
        body = {name: body[name] for name in wanted if isinstance(name, str) and name in body}
    return Result({"totals": body})


def _plain(number: float) -> float | int:
    return int(number) if float(number).is_integer() else number


def _local(work: Work, instant: int | None) -> str | None:
    return None if instant is None else times.iso(work.zone.to_local(instant))


def _gmt(instant: int | None) -> str | None:
    return None if instant is None else times.iso(instant)

"""Payment gateways: list, read, change; their reports.

Not here: the gateways (shop/payments/gateways.py), effects of a report (shop/payments/gateway_events.py).
Rules: docs/rules/shop_settings.md, 3.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.unit_of_work import SiteContext, UnitOfWork
from vetrina.kernel.errors import ApiError, Failure
from vetrina.rest.call import Result
from vetrina.rest.fields import EDIT, VIEW, Array, Boolean, Field, Integer, Object, String
from vetrina.rest.paging import build_page_headers
from vetrina.rest.route import CHANGE, READ, WRITE, Route
from vetrina.rest.serializer import Serializer, parse_field_selection
from vetrina.shop import list_arguments, permissions as shop_permissions
from vetrina.shop.payments import gateway_events, gateways
from vetrina.shop.payments.gateways import ConfiguredGateway
from vetrina.shop.settings import rules as settings
from vetrina.shop.shipping.method_routes import serialize_setting
from vetrina.shop.shipping.methods import SHIPPING_METHOD_TYPES

__all__ = ["build_routes"]

_PATH: Final = "/shop/v3/payment_gateways"
_BOTH: Final = (VIEW, EDIT)
_REPORT_BYTES: Final = 64 << 10
_REPORT_RECEIVED: Final = Object(
    properties={"received": Boolean("Always true: a report that came before is no failure.")}
)


class PaymentReportUnreadable(ApiError):
    code = "shop_rest_payment_report_unreadable"
    message = "Send the report by itself, as the gateway signed it: one request, its body untouched."


class PaymentReportTooLarge(ApiError):
    failure, code = Failure.TOO_LARGE, "shop_rest_payment_report_too_large"
    message = "A report has {most} bytes at most."


_MEMBERS: dict[str, Field] = {
    "id": String("Name of the gateway.", context=_BOTH, readonly=True),
    "title": String("What customers see.", context=_BOTH),
    "description": String("What customers read about it.", context=_BOTH),
    "order": Integer("Place among the gateways.", context=_BOTH),
    "enabled": Boolean("Whether it can be chosen.", context=_BOTH),
    "method_title": String("What the administration calls it.", context=_BOTH, readonly=True),
    "method_description": String("What it does.", context=_BOTH, readonly=True),
    "method_supports": Array("What it can do.", items=String(), context=_BOTH, readonly=True),
    "settings": Object("What is set about it.", context=_BOTH),
    "needs_setup": Boolean("Whether something must be set before it works.", context=_BOTH, readonly=True),
    "post_install_scripts": Array("Scripts that its setup loads.", items=String(), context=_BOTH, readonly=True),
    "settings_url": String("Where it is set up.", context=_BOTH, readonly=True),
    "connection_url": String("Where it is connected.", context=_BOTH, readonly=True, nullable=True),
    "setup_help_text": String("What helps to set it up.", context=_BOTH, readonly=True, nullable=True),
    "required_settings_keys": Array("What must be set.", items=String(), context=_BOTH, readonly=True),
}


def _serialize_settings(method: ConfiguredGateway, work: UnitOfWork) -> dict[str, Any]:
    out = {name: serialize_setting(setting, method.values[name]) for name, setting in method.gateway.settings.items()}
    if "enable_for_methods" in out:
        out["enable_for_methods"]["options"] = {
            kind.title: {kind.id: f"Any &quot;{kind.title}&quot; method"} for kind in SHIPPING_METHOD_TYPES.values()
        }
    return out


_SERIALIZER: Final = Serializer(
    _MEMBERS,
    {
        "id": lambda one, work: one.gateway.id,
        "title": lambda one, work: one.title,
        "description": lambda one, work: one.description,
        "order": lambda one, work: "" if one.order is None else one.order,
        "enabled": lambda one, work: one.enabled,
        "method_title": lambda one, work: one.gateway.method_title,
        "method_description": lambda one, work: one.gateway.method_description,
        "method_supports": lambda one, work: list(one.gateway.supports),
        "settings": _serialize_settings,
        "needs_setup": lambda one, work: one.needs_setup,
        "post_install_scripts": lambda one, work: [],
        "settings_url": lambda one, work: (
            f"{work.origin}/admin/admin.php?page=shop-settings&tab=checkout&path=/offline/{one.gateway.id}"
        ),
        "connection_url": lambda one, work: None,
        "setup_help_text": lambda one, work: None,
        "required_settings_keys": lambda one, work: list(one.gateway.required),
    },
)


def build_routes(frame: SiteContext) -> tuple[Route, ...]:
    """Return the routes of payment gateways."""
    id = {"id": String("Name of the gateway.")}
    writes: dict[str, Field] = {
        "title": String("What customers see.", null="keep"),
        "description": String("What customers read about it.", null="keep"),
        "order": Integer("Place among the gateways.", null="keep"),
        "enabled": Boolean("Whether it can be chosen.", null="keep"),
        "settings": Object("What is set about it.", null="keep"),
    }
    reporter = {"payment_gateway_id": String("Name of the gateway.")}
    unknown = (gateways.GatewayNotFound,)
    path = f"{_PATH}/{{id:[\\w-]+}}"
    seen = {"context": list_arguments.build_context_argument()}
    return (
        Route(
            READ,
            _PATH,
            _list_gateways,
            seen,
            shop_permissions.require_view_permission,
            _build_gateway_schema,
            answers="many",
        ),
        Route(
            READ,
            path,
            _read_gateway,
            {**id, **seen},
            shop_permissions.require_view_permission,
            _build_gateway_schema,
            errors=unknown,
        ),
        Route(
            CHANGE,
            path,
            _update_gateway,
            {**id, **writes},
            shop_permissions.require_edit_permission,
            _build_gateway_schema,
            errors=(*unknown, settings.InvalidSettingValue),
        ),
        Route(
            WRITE,
            f"{_PATH}/{{payment_gateway_id:[\\w-]+}}/webhook",
            _receive_payment_report,
            reporter,
            errors=(
                *unknown,
                gateway_events.PaymentReportRefused,
                gateway_events.PaymentReportTooEarly,
                PaymentReportUnreadable,
                PaymentReportTooLarge,
            ),
            answers=_REPORT_RECEIVED,
            status=200,
        ),
    )


def _build_gateway_schema() -> dict[str, Any]:
    return _SERIALIZER.schema("payment_gateway")


def _build_links(call: Call, method: ConfiguredGateway) -> dict[str, Any]:
    hints = {"allow": ["GET", "POST", "PUT", "PATCH"]}
    return {
        "self": [{"href": call.work.api(f"{_PATH}/{method.gateway.id}"), "targetHints": hints}],
        "collection": [{"href": call.work.api(_PATH)}],
    }


def _serialize_gateway(call: Call, method: ConfiguredGateway) -> dict[str, Any]:
    context = call.args.get("context") or "view"
    return _SERIALIZER.serialize(method, call.work, context, parse_field_selection(call.request.raw("_fields")))


def _list_gateways(call: Call) -> Result:
    every = gateways.list_gateways(call.work)
    headers, links = build_page_headers(call, len(every), None)
    body = [{**_serialize_gateway(call, one), "_links": _build_links(call, one)} for one in every]
    return Result(body, headers=headers, links=links)


def _read_gateway(call: Call) -> Result:
    one = gateways.get_gateway(call.work, call.args["id"])
    return Result(_serialize_gateway(call, one), rels=_build_links(call, one), keeps_links=True)


def _update_gateway(call: Call) -> Result:
    one = gateways.update_gateway(call.work, gateways.get_gateway(call.work, call.args["id"]), call.args)
    return Result(_serialize_gateway(call, one), rels=_build_links(call, one), keeps_links=True)


def _receive_payment_report(call: Call) -> Result:
    """Receive a signed report of a gateway; an event that came before changes nothing."""
    request = call.request
    if request.inner or not request.body:
        raise PaymentReportUnreadable
    if len(request.body) > _REPORT_BYTES:
        raise PaymentReportTooLarge(most=_REPORT_BYTES)
    # A member of the body would override the path parameter of the same name.
    gateway = request.path.rstrip("/").split("/")[-2]
    gateway_events.receive_payment_report(call.work, gateway, request.headers, request.body)
    return Result({"received": True})

"""Payment gateways: list, read, change; their reports.

Not here: the gateways (shop/payments/gateways.py), effects of a report (shop/payments/gateway_events.py).
Rules: docs/rules/shop_settings.md, 3; docs/rules/global_parameters.md, 10.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.phrases import Phrases
from vetrina.core.site_context import SiteContext
from vetrina.kernel.errors import ApiError, Failure
from vetrina.rest.call import Result
from vetrina.rest.fields import EDIT, VIEW, Array, Boolean, Field, Integer, Object, String
from vetrina.rest.resource import ListPage, Operation, build_write_arguments
from vetrina.rest.route import CHANGE, READ, WRITE, Route
from vetrina.rest.serializer import Serializer, read_attributes
from vetrina.shop import list_arguments
from vetrina.shop.payments import gateway_events, gateways
from vetrina.shop.payments.gateways import ConfiguredGateway
from vetrina.shop.permissions import require_edit_permission, require_view_permission
from vetrina.shop.resource import ShopResource
from vetrina.shop.settings import rules as settings
from vetrina.shop.settings.setting_views import TextView, load_text_view, translate_setting
from vetrina.shop.shipping.method_routes import serialize_setting
from vetrina.shop.shipping.methods import SHIPPING_METHOD_TYPES
from vetrina.shop.shipping.routes import SHIPPING_PHRASES

GATEWAY_PHRASES: Final = Phrases(__package__)
_BOTH: Final = (VIEW, EDIT)
_REPORT_BYTES: Final = 64 << 10  # of a report
_REPORT_RECEIVED: Final = Object(
    properties={"received": Boolean("Always true: a report that came before is no failure.")}
)


class PaymentReportTooLarge(ApiError):
    failure, code = Failure.TOO_LARGE, "shop_rest_payment_report_too_large"
    message = "A report has {most} bytes at most."


NOT_ON_PAGES: Final = (
    "The checkout page of this site does not offer it, for it needs fields of its own; a front end that sends "
    "`payment_data` can."
)
_MEMBERS: Final[dict[str, Field]] = {
    "id": String("Name of the gateway.", context=_BOTH, readonly=True),
    "title": String("What customers see.", context=_BOTH),
    "description": String("What customers read about it.", context=_BOTH),
    "order": Integer("Place among the gateways.", context=_BOTH, unset=("",)),
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


def _serialize_settings(method: ConfiguredGateway, view: TextView) -> dict[str, Any]:
    out = {
        name: serialize_setting(translate_setting(setting, GATEWAY_PHRASES, view.language), method.values[name])
        for name, setting in method.gateway.settings.items()
    }
    if "enable_for_methods" in out:
        titles = {
            kind.id: SHIPPING_PHRASES.translate(view.language, kind.title) for kind in SHIPPING_METHOD_TYPES.values()
        }
        out["enable_for_methods"]["options"] = {
            title: {id: GATEWAY_PHRASES.translate(view.language, "Any &quot;{title}&quot; method", title=title)}
            for id, title in titles.items()
        }
    return out


_SERIALIZER: Final = Serializer(
    _MEMBERS,
    {
        **read_attributes("title", "description", "enabled", "needs_setup", id="gateway.id"),
        "order": lambda one, view: "" if one.order is None else one.order,
        "method_title": lambda one, view: GATEWAY_PHRASES.translate(view.language, one.gateway.method_title),
        "method_description": lambda one, view: GATEWAY_PHRASES.translate(
            view.language, one.gateway.method_description
        ),
        "method_supports": lambda one, view: list(one.gateway.supports),
        "settings": _serialize_settings,
        "post_install_scripts": lambda one, view: [],
        "settings_url": lambda one, view: (
            f"{view.work.origin}/admin/admin.php?page=shop-settings&tab=checkout&path=/offline/{one.gateway.id}"
        ),
        "connection_url": lambda one, view: None,
        "setup_help_text": lambda one, view: (
            GATEWAY_PHRASES.translate(view.language, NOT_ON_PAGES) if one.gateway.needs_data else None
        ),
        "required_settings_keys": lambda one, view: list(one.gateway.required),
    },
)  # fmt: skip


def _list_gateways(call: Call) -> ListPage[ConfiguredGateway]:
    found = gateways.list_gateways(call.work)
    return ListPage(found, len(found), size=None)


def _get_gateway(call: Call) -> ConfiguredGateway:
    return gateways.get_gateway(call.work, call.args["id"])


def _update_gateway(call: Call, old: ConfiguredGateway) -> ConfiguredGateway:
    return gateways.update_gateway(call.work, old, call.args)


def _receive_payment_report(call: Call) -> Result:
    """Receive a signed report of a gateway; an event that came before changes nothing."""
    request = call.request
    if request.inner:
        raise gateway_events.PaymentReportUnreadable
    if len(request.body) > _REPORT_BYTES:
        raise PaymentReportTooLarge(most=_REPORT_BYTES)
    # A member of the body would override the path parameter of the same name.
    gateway = request.path.rstrip("/").split("/")[-2]
    gateway_events.receive_payment_report(call.work, gateway, request.headers, request.body)
    return Result({"received": True})


GATEWAYS: Final = ShopResource(
    title="payment_gateway",
    path="/shop/v3/payment_gateways",
    item="{id:[\\w-]+}",
    key={"id": String("Name of the gateway.")},
    identify=attrgetter("gateway.id"),
    serializer=_SERIALIZER,
    load_view=load_text_view,
    methods=(*READ, *CHANGE),
    written_context="view",
    find=_get_gateway,
    list=Operation(_list_gateways, require_view_permission, {"context": list_arguments.build_context_argument()}),
    read=Operation(_get_gateway, require_view_permission, errors=(gateways.GatewayNotFound,)),
    update=Operation(
        _update_gateway, require_edit_permission, build_write_arguments(_MEMBERS, null="keep"),
        (gateways.GatewayNotFound, settings.InvalidSettingValue),
    ),
    build_batch_route=None,
)  # fmt: skip


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of payment gateways."""
    return (
        *GATEWAYS.build_routes(),
        Route(
            WRITE, f"{GATEWAYS.path}/{{payment_gateway_id:[\\w-]+}}/webhook", _receive_payment_report,
            {"payment_gateway_id": String("Name of the gateway.")},
            errors=(
                gateways.GatewayNotFound, gateway_events.PaymentReportRefused, gateway_events.PaymentReportTooEarly,
                gateway_events.PaymentReportUnreadable, PaymentReportTooLarge,
            ),
            answers=_REPORT_RECEIVED, status=200,
        ),
    )  # fmt: skip

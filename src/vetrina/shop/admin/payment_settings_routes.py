"""Routes of the payment settings page: payment methods with suggestions, their order, dismissed ones.

Not here: the sequence (shop/admin/payment_providers.py), suggestions (shop/admin/payment_suggestions.py), setting up
payment methods that take cards (shop/admin/payment_onboarding_routes.py).
"""

from __future__ import annotations

import re
from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import Fault
from vetrina.rest.call import Result
from vetrina.rest.fields import Field, Integer, Object, String
from vetrina.rest.route import CHANGE, READ, WRITE, Route
from vetrina.shop.admin import (
    payment_providers,
    payment_responses,
    payment_suggestions,
    permissions as admin_permissions,
    responses as admin_responses,
)
from vetrina.shop.admin.logos import build_gateway_image_name, build_image_url
from vetrina.shop.admin.payment_providers import PaymentProvider
from vetrina.shop.admin.payment_suggestions import (
    PaymentIncentiveNotFound,
    PaymentSuggestion,
    PaymentSuggestionNotFound,
)
from vetrina.shop.payments.gateways import ConfiguredGateway
from vetrina.shop.payments.test_gateway import TEST_GATEWAY as TRIAL

PATH: Final = "/shop-admin/settings/payments"
_COUNTRY_CODE: Final = re.compile(r"[a-zA-Z]{2}", re.ASCII)
_CONTEXT: Final = "^[a-z0-9_-]*$"
_MAX_POSITION: Final = 1_000_000  # the largest position of an entry
_SHOP_MODULE: Final = {"_type": "module", "slug": "shop", "file": "shop/shop", "status": "active"}
_TEST_SETTINGS: Final = ("test_mode", "testmode", "sandbox")
_TEST_KEY: Final = re.compile(r"[a-z]{2,8}_test_", re.ASCII)


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of the page."""
    where = String("Code of a country; by default that of the business.", null="keep", check=_find_location_fault)
    wanted = Object("Places by id.", additional=Integer(minimum=-_MAX_POSITION, maximum=_MAX_POSITION), required=True)
    suggestion: dict[str, Field] = {"id": String("Name of the suggestion.")}
    offer: dict[str, Field] = {
        "suggestion_id": String("Name of the suggestion."), "incentive_id": String("Name of the offer."),
        "context": String("Where it is put away; by default everywhere.", pattern=_CONTEXT, max_length=60, null="keep"),
    }  # fmt: skip
    item = f"{PATH}/suggestion/{{id:[\\w\\-]+}}"
    one = f"{PATH}/suggestion/{{suggestion_id:[\\w\\-]+}}/incentive/{{incentive_id:[\\w\\-]+}}/dismiss"
    done = admin_responses.SUCCESS
    return (
        Route(
            READ,
            f"{PATH}/shoppay-eligibility",
            _read_wallet_eligibility,
            {},
            admin_permissions.require_view_permission,
            answers=payment_responses.ELIGIBLE,
        ),
        # Pages of later releases request it this way.
        Route(
            WRITE,
            f"{PATH}/shoppayments/shoppay-eligibility",
            _read_wallet_eligibility,
            {},
            admin_permissions.require_view_permission,
            read=True,
            status=200,
            answers=payment_responses.ELIGIBLE,
        ),
        Route(
            CHANGE,
            f"{PATH}/country",
            _update_country,
            {"location": String("Code of the country.", required=True, check=_find_country_fault)},
            admin_permissions.require_create_permission,
            answers=done,
        ),
        Route(
            READ,
            f"{PATH}/providers",
            _list_providers,
            {"location": where},
            admin_permissions.require_view_permission,
            answers=payment_responses.PROVIDERS,
        ),
        Route(
            WRITE,
            f"{PATH}/providers",
            _list_providers,
            {"location": where},
            admin_permissions.require_create_permission,
            read=True,
            status=200,
            answers=payment_responses.PROVIDERS,
        ),
        Route(
            CHANGE,
            f"{PATH}/providers/order",
            _update_provider_order,
            {"order_map": wanted},
            admin_permissions.require_create_permission,
            answers=done,
        ),
        Route(
            CHANGE,
            f"{item}/attach",
            _attach_suggestion,
            suggestion,
            admin_permissions.require_create_permission,
            errors=(PaymentSuggestionNotFound,),
            answers=done,
        ),
        Route(
            CHANGE,
            f"{item}/hide",
            _hide_suggestion,
            suggestion,
            admin_permissions.require_create_permission,
            errors=(PaymentSuggestionNotFound,),
            answers=done,
        ),
        Route(
            CHANGE,
            one,
            _dismiss_incentive,
            offer,
            admin_permissions.require_create_permission,
            errors=(PaymentIncentiveNotFound,),
            answers=done,
        ),
    )


def _find_country_fault(value: Any, name: str, context: Any) -> Fault | None:
    if isinstance(value, str) and _COUNTRY_CODE.fullmatch(value) and payment_providers.is_known_country(value.upper()):
        return None
    return Fault("rest_invalid_pattern", f"{name} is no code of a country; send two letters, as IT.")


def _find_location_fault(value: Any, name: str, context: Any) -> Fault | None:
    return None if value == "" else _find_country_fault(value, name, context)


# -- the list


def _list_providers(call: Call) -> Result:
    """List the payment methods in their order, and those that could be added in a country."""
    work = call.work
    country = str(call.args.get("location") or "").upper() or payment_providers.get_business_country(work)
    found = payment_providers.list_payment_providers(work, country)
    apart = payment_suggestions.list_other_suggestions(work, country)
    return Result(
        {
            "providers": [_serialize_provider(work, one) for one in found if one.kind != "offline_pm"],
            "offline_payment_methods": [_serialize_provider(work, one) for one in found if one.kind == "offline_pm"],
            "suggestions": [_serialize_other_suggestion(work, one) for one in apart],
            "suggestion_categories": [
                {"id": id, "_priority": priority, "title": title, "description": description}
                for id, priority, title, description in payment_suggestions.SUGGESTION_CATEGORIES
            ],
        }
    )


def _serialize_provider(work: UnitOfWork, one: PaymentProvider) -> dict[str, Any]:
    first: dict[str, Any] = {"id": one.id, "_order": one.place, "_type": one.kind}
    if one.suggestion is not None:
        return {**first, **_serialize_suggested_provider(work, one.suggestion)}
    if one.held is None:
        return {
            **first,
            "title": "Offline ways of paying",
            "description": "Customers pay by other means than this site.",
            "icon": build_image_url(work, build_gateway_image_name("cod")),
            "plugin": _SHOP_MODULE,
            "management": {"_links": {"settings": {"href": f"{_build_settings_url(work)}&section=offline"}}},
            "_links": {},
        }
    gateway, offline = one.held.gateway, one.kind == "offline_pm"
    page = {"href": build_gateway_settings_url(work, one.id, offline=offline)}
    test, ready = gateway is TRIAL or _is_test_mode(one.held), not one.held.needs_setup
    state = {
        "enabled": one.held.enabled, "account_connected": ready, "needs_setup": not ready, "test_mode": test,
        "dev_mode": gateway is TRIAL,
    }  # fmt: skip
    started = one.held.enabled or ready
    plugin = (
        {**_SHOP_MODULE, "slug": "shop-payments", "file": "shop-payments/shop-payments"}
        if gateway.cards
        else _SHOP_MODULE
    )
    return {
        **first,
        "title": gateway.method_title,
        "description": gateway.method_description,
        "supports": list(gateway.supports),
        "plugin": plugin,
        "icon": build_image_url(work, build_gateway_image_name(one.id)),
        "links": [],
        "state": state,
        "management": {"_links": {"settings": page}},
        "onboarding": {
            "type": "none" if offline else "external",
            "state": {"supported": True, "started": started, "completed": ready, "test_mode": test},
            "messages": {},
            "_links": {"onboard": page},
            "recommended_payment_methods": [],
        },
        "_links": {},
    }


def _is_test_mode(configured: ConfiguredGateway) -> bool:
    """Return whether a payment method takes no real money: by its settings, or with a test account's key."""
    on = any(configured.values.get(name) in ("yes", True, "1") for name in _TEST_SETTINGS)
    return on or any(_TEST_KEY.match(str(value)) for value in configured.values.values())


def _build_settings_url(work: UnitOfWork) -> str:
    return f"{work.origin}/admin/admin.php?page=shop-settings&tab=checkout"


def build_gateway_settings_url(work: UnitOfWork, gateway: str, *, offline: bool = False) -> str:
    """Return the URL of the settings page of a payment method."""
    return (
        f"{_build_settings_url(work)}&path=/offline/{gateway}"
        if offline
        else f"{_build_settings_url(work)}&section={gateway}"
    )


# -- suggestions


def _serialize_suggestion(work: UnitOfWork, one: PaymentSuggestion) -> dict[str, Any]:
    path = f"{PATH}/suggestion/{one.id}"
    plugin = {
        "_type": "module", "slug": one.plugin, "file": f"{one.plugin}/{one.plugin}" if one.plugin else "",
        "status": payment_suggestions.get_plugin_status(work, one.plugin),
    }  # fmt: skip
    offer = payment_suggestions.find_incentive(work, one.id)
    if offer is not None:
        link = {"dismiss": {"href": work.api(f"{path}/incentive/{offer['id']}/dismiss")}}
        offer = {"_incentive": {**offer, "_links": link}}
    return {
        "title": one.title, "description": one.description, "plugin": plugin,
        "image": build_image_url(work, one.image), "icon": build_image_url(work, one.icon),
        "links": [{"_type": "about", "url": one.link}] if one.link else [], "tags": [],
        "_links": {"attach": {"href": work.api(f"{path}/attach")}}, **(offer or {}),
    }  # fmt: skip


def _serialize_suggested_provider(work: UnitOfWork, one: PaymentSuggestion) -> dict[str, Any]:
    """Return a serialized suggestion among the payment methods."""
    body = _serialize_suggestion(work, one)
    links = {**body["_links"], "hide": {"href": work.api(f"{PATH}/suggestion/{one.id}/hide")}}
    state = {"supported": True, "started": False, "completed": False, "test_mode": False}
    begin = {"type": "external", "state": state, "messages": {}, "_links": {}, "recommended_payment_methods": []}
    return {**body, "onboarding": begin, "_suggestion_id": one.id, "_links": links}


def _serialize_other_suggestion(work: UnitOfWork, one: PaymentSuggestion) -> dict[str, Any]:
    return {
        "id": one.id, "_priority": one.priority, "_type": one.kind, **_serialize_suggestion(work, one),
        "short_description": one.description, "category": one.kind,
    }  # fmt: skip


# -- changes


def _read_wallet_eligibility(call: Call) -> Result:
    """Tell whether a payment method that takes cards offers the wallet of the shop's own payments."""
    return Result({"is_eligible": payment_providers.is_wallet_offered(call.work)})


def _update_country(call: Call) -> Result:
    """Set the country of the business for payments; the shop's own country stays unchanged."""
    return Result({"success": payment_providers.set_business_country(call.work, call.args["location"].upper())})


def _update_provider_order(call: Call) -> Result:
    """Reorder the payment methods, also for the checkout; unknown ids are skipped."""
    return Result({"success": payment_providers.update_provider_order(call.work, call.args["order_map"])})


def _attach_suggestion(call: Call) -> Result:
    """Attach a suggested payment method, which is listed among the payment methods from then on."""
    return Result({"success": payment_suggestions.attach_suggestion(call.work, call.args["id"])})


def _hide_suggestion(call: Call) -> Result:
    """Hide a suggested payment method from the list of payment methods."""
    return Result({"success": payment_suggestions.hide_suggestion(call.work, call.args["id"])})


def _dismiss_incentive(call: Call) -> Result:
    """Dismiss the incentive of a suggested payment method."""
    args = call.args
    done = payment_suggestions.dismiss_incentive(
        call.work, args["suggestion_id"], args["incentive_id"], args.get("context") or ""
    )
    return Result({"success": done})

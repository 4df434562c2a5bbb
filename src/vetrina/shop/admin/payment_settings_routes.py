"""The page of settings of payments: ways of paying with what is suggested, their order, what was put away.

Not here: what stands where (shop/admin/payment_providers.py), what is suggested (shop/admin/payment_suggestions.py),
setting up ways of paying that take cards (shop/admin/payment_onboarding_routes.py). Rules: the shapes that the page's
clients know.
"""

from __future__ import annotations

import re
from typing import Any, Final

from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel.errors import Fault
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import Field, Integer, Object, String
from vetrina.rest.route import CHANGE, READ, WRITE, Route
from vetrina.shop.admin import payment_providers, payment_responses, payment_suggestions
from vetrina.shop.admin import permissions as admin_permissions
from vetrina.shop.admin import responses as admin_responses
from vetrina.shop.admin.logos import address_of, of_gateway
from vetrina.shop.admin.payment_providers import Provider
from vetrina.shop.admin.payment_suggestions import IncentiveUnknown, Suggestion, SuggestionUnknown
from vetrina.shop.payments.gateways import Held
from vetrina.shop.payments.test_gateway import GATEWAY as TRIAL

__all__ = ["PATH", "routes", "settings_page"]

PATH: Final = "/shop-admin/settings/payments"
_COUNTRY: Final = re.compile(r"[a-zA-Z]{2}", re.ASCII)
_CONTEXT: Final = "^[a-z0-9_-]*$"
_MOST: Final = 1_000_000  # the last place that an entry may have
_OWN: Final = {"_type": "module", "slug": "shop", "file": "shop/shop", "status": "active"}
_TEST_SETTINGS: Final = ("test_mode", "testmode", "sandbox")
_TEST_KEY: Final = re.compile(r"[a-z]{2,8}_test_", re.ASCII)


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of the page."""
    where = String("Code of a country; by default that of the business.", null="keep", check=_place)
    wanted = Object("Places by id.", additional=Integer(minimum=-_MOST, maximum=_MOST), required=True)
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
            _eligible,
            {},
            admin_permissions.viewing,
            answers=payment_responses.ELIGIBLE,
        ),
        # As the pages of later releases ask for it.
        Route(
            WRITE,
            f"{PATH}/shoppayments/shoppay-eligibility",
            _eligible,
            {},
            admin_permissions.viewing,
            read=True,
            status=200,
            answers=payment_responses.ELIGIBLE,
        ),
        Route(
            CHANGE,
            f"{PATH}/country",
            _set_country,
            {"location": String("Code of the country.", required=True, check=_country)},
            admin_permissions.creating,
            answers=done,
        ),
        Route(
            READ,
            f"{PATH}/providers",
            _list,
            {"location": where},
            admin_permissions.viewing,
            answers=payment_responses.PROVIDERS,
        ),
        Route(
            WRITE,
            f"{PATH}/providers",
            _list,
            {"location": where},
            admin_permissions.creating,
            read=True,
            status=200,
            answers=payment_responses.PROVIDERS,
        ),
        Route(
            CHANGE, f"{PATH}/providers/order", _order, {"order_map": wanted}, admin_permissions.creating, answers=done
        ),
        Route(
            CHANGE,
            f"{item}/attach",
            _attach,
            suggestion,
            admin_permissions.creating,
            errors=(SuggestionUnknown,),
            answers=done,
        ),
        Route(
            CHANGE,
            f"{item}/hide",
            _hide,
            suggestion,
            admin_permissions.creating,
            errors=(SuggestionUnknown,),
            answers=done,
        ),
        Route(CHANGE, one, _dismiss, offer, admin_permissions.creating, errors=(IncentiveUnknown,), answers=done),
    )


def _country(value: Any, name: str, asked: Any) -> Fault | None:
    if isinstance(value, str) and _COUNTRY.fullmatch(value) and payment_providers.is_country(value.upper()):
        return None
    return Fault("rest_invalid_pattern", f"{name} is no code of a country; send two letters, as IT.")


def _place(value: Any, name: str, asked: Any) -> Fault | None:
    return None if value == "" else _country(value, name, asked)


# -- the list


def _list(call: Call) -> Result:
    """List the ways of paying in their order, and what could be added at a country."""
    work = call.work
    country = str(call.args.get("location") or "").upper() or payment_providers.business_country(work)
    found = payment_providers.list_providers(work, country)
    apart = payment_suggestions.list_others(work, country)
    return Result(
        {
            "providers": [_provider(work, one) for one in found if one.kind != "offline_pm"],
            "offline_payment_methods": [_provider(work, one) for one in found if one.kind == "offline_pm"],
            "suggestions": [_apart(work, one) for one in apart],
            "suggestion_categories": [
                {"id": id, "_priority": priority, "title": title, "description": description}
                for id, priority, title, description in payment_suggestions.CATEGORIES
            ],
        }
    )


def _provider(work: Work, one: Provider) -> dict[str, Any]:
    first: dict[str, Any] = {"id": one.id, "_order": one.place, "_type": one.kind}
    if one.suggestion is not None:
        return {**first, **_suggested(work, one.suggestion)}
    if one.held is None:
        return {
            **first, "title": "Offline ways of paying", "description": "Customers pay by other means than this site.",
            "icon": address_of(work, of_gateway("cod")), "plugin": _OWN,
            "management": {"_links": {"settings": {"href": f"{_page(work)}&section=offline"}}}, "_links": {},
        }  # fmt: skip
    gateway, offline = one.held.of, one.kind == "offline_pm"
    page = {"href": settings_page(work, one.id, offline=offline)}
    test, ready = gateway is TRIAL or _is_tried(one.held), not one.held.needs_setup
    state = {
        "enabled": one.held.enabled, "account_connected": ready, "needs_setup": not ready, "test_mode": test,
        "dev_mode": gateway is TRIAL,
    }  # fmt: skip
    begun = one.held.enabled or ready
    plugin = {**_OWN, "slug": "shop-payments", "file": "shop-payments/shop-payments"} if gateway.cards else _OWN
    return {
        **first, "title": gateway.method_title, "description": gateway.method_description,
        "supports": list(gateway.supports), "plugin": plugin, "icon": address_of(work, of_gateway(one.id)),
        "links": [], "state": state, "management": {"_links": {"settings": page}},
        "onboarding": {
            "type": "none" if offline else "external",
            "state": {"supported": True, "started": begun, "completed": ready, "test_mode": test}, "messages": {},
            "_links": {"onboard": page}, "recommended_payment_methods": [],
        },
        "_links": {},
    }  # fmt: skip


def _is_tried(held: Held) -> bool:
    """Say whether a way of paying takes no real money: it is set so, or has the key of a trial account."""
    on = any(held.values.get(name) in ("yes", True, "1") for name in _TEST_SETTINGS)
    return on or any(_TEST_KEY.match(str(value)) for value in held.values.values())


def _page(work: Work) -> str:
    return f"{work.origin}/admin/admin.php?page=shop-settings&tab=checkout"


def settings_page(work: Work, gateway: str, *, offline: bool = False) -> str:
    """Return the page on which a way of paying is set up."""
    return f"{_page(work)}&path=/offline/{gateway}" if offline else f"{_page(work)}&section={gateway}"


# -- what is suggested


def _described(work: Work, one: Suggestion) -> dict[str, Any]:
    path = f"{PATH}/suggestion/{one.id}"
    plugin = {
        "_type": "module", "slug": one.plugin, "file": f"{one.plugin}/{one.plugin}" if one.plugin else "",
        "status": payment_suggestions.plugin_status(work, one.plugin),
    }  # fmt: skip
    offer = payment_suggestions.incentive(work, one.id)
    if offer is not None:
        link = {"dismiss": {"href": work.api(f"{path}/incentive/{offer['id']}/dismiss")}}
        offer = {"_incentive": {**offer, "_links": link}}
    return {
        "title": one.title, "description": one.description, "plugin": plugin,
        "image": address_of(work, one.image), "icon": address_of(work, one.icon),
        "links": [{"_type": "about", "url": one.link}] if one.link else [], "tags": [],
        "_links": {"attach": {"href": work.api(f"{path}/attach")}}, **(offer or {}),
    }  # fmt: skip


def _suggested(work: Work, one: Suggestion) -> dict[str, Any]:
    """Return the members of a suggestion among the ways of paying."""
    told = _described(work, one)
    links = {**told["_links"], "hide": {"href": work.api(f"{PATH}/suggestion/{one.id}/hide")}}
    state = {"supported": True, "started": False, "completed": False, "test_mode": False}
    begin = {"type": "external", "state": state, "messages": {}, "_links": {}, "recommended_payment_methods": []}
    return {**told, "onboarding": begin, "_suggestion_id": one.id, "_links": links}


def _apart(work: Work, one: Suggestion) -> dict[str, Any]:
    return {
        "id": one.id, "_priority": one.priority, "_type": one.kind, **_described(work, one),
        "short_description": one.description, "category": one.kind,
    }  # fmt: skip


# -- what is changed


def _eligible(call: Call) -> Result:
    """Say whether a way of paying that takes cards offers the wallet of the shop's own payments."""
    return Result({"is_eligible": payment_providers.is_wallet_offered(call.work)})


def _set_country(call: Call) -> Result:
    """Keep the country in which the business is, for payments; the shop's own country stays."""
    return Result({"success": payment_providers.set_business_country(call.work, call.args["location"].upper())})


def _order(call: Call) -> Result:
    """Put ways of paying into another order, which is that of the checkout too; unknown ids are passed over."""
    return Result({"success": payment_providers.change_order(call.work, call.args["order_map"])})


def _attach(call: Call) -> Result:
    """Keep that a suggested way of paying was chosen; it stands among the ways of paying from then on."""
    return Result({"success": payment_suggestions.attach(call.work, call.args["id"])})


def _hide(call: Call) -> Result:
    """Put a suggested way of paying apart from the ways of paying."""
    return Result({"success": payment_suggestions.hide(call.work, call.args["id"])})


def _dismiss(call: Call) -> Result:
    """Put away the offer that goes with a suggested way of paying."""
    args = call.args
    done = payment_suggestions.dismiss(
        call.work, args["suggestion_id"], args["incentive_id"], args.get("context") or ""
    )
    return Result({"success": done})

"""The shop's own payments: responses of a site without an account at the payment service.

Settings are stored; requests that only the service can answer are refused until a module connects it.
Rules: docs/rules/shop_requests.md, 2.
"""

from __future__ import annotations

import re
from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, PermissionDenied
from vetrina.rest.call import Result
from vetrina.rest.fields import Array, Boolean, Field, Number, Object, String
from vetrina.rest.response_fields import Free, Nothing, build_text_fields
from vetrina.rest.route import CHANGE, READ, WRITE, Route
from vetrina.shop.rights import require_shop_capability
from vetrina.shop.settings import currencies, rules as settings

_PATH: Final = "/shop/v3/payments"
_SETTINGS: Final = "shop_shop_payments_settings"
_REMOTE_ANSWER: Final = Free("What the payment service says; it is refused while the site has no account there.", of=())
_CURRENCIES: Final = Object(properties={"default": String(optional=True), "supported": Array(items=String())})
_ACCOUNT: Final = Object(properties={
    "card_present_eligible": Boolean(), "country": String(), "current_deadline": Nothing(),
    "has_overdue_requirements": Boolean(), "has_pending_requirements": Boolean(), "statement_descriptor": String(),
    "status": String("`NOACCOUNT`."), "store_currencies": _CURRENCIES, "customer_currencies": _CURRENCIES,
    "test_mode": Boolean(), "test_mode_onboarding": Boolean(),
})  # fmt: skip
_CURRENCY: Final = Object(properties={
    **build_text_fields("code", "name", "symbol"), "rate": Number(), "is_default": Boolean(),
})  # fmt: skip
_SHOP_CURRENCIES: Final = Object(properties={
    "available": Object("By code.", additional=_CURRENCY), "enabled": Object("By code.", additional=_CURRENCY),
    "default": _CURRENCY,
})  # fmt: skip

# Paths that only the payment service can answer → methods beside GET.
_REMOTE_PATHS: Final[dict[str, tuple[str, ...]]] = {
    "deposits": ("POST",),
    "deposits/overview": (),
    "deposits/overview-all": (),
    "deposits/summary": (),
    "deposits/{id:[\\w-]+}": (),
    "transactions": (),
    "transactions/summary": (),
    "transactions/search": (),
    "transactions/{id:[\\w-]+}": (),
    "disputes": (),
    "disputes/summary": (),
    "disputes/{id:[\\w-]+}": ("POST",),
    "terminal/locations": ("POST",),
    "terminal/locations/{id:[\\w-]+}": (),
    "readers": ("POST",),
    "readers/{id:[\\w-]+}": (),
    "capital/loans": (),
    "capital/active_loan_summary": (),
    "authorizations": (),
    "authorizations/summary": (),
    "documents": (),
}
_SWITCHES: Final = {
    "is_shoppay_enabled": ("Whether customers may pay with it.", False),
    "is_manual_capture_enabled": ("Whether money is only reserved until somebody takes it.", False),
    "is_test_mode_enabled": ("Whether nothing is really paid.", False),
    "is_multi_currency_enabled": ("Whether prices may be shown in other currencies.", True),
    "is_saved_cards_enabled": ("Whether customers may keep their cards.", True),
    "is_debug_log_enabled": ("Whether every step is logged.", False),
}


class ShopPaymentsForbidden(PermissionDenied):
    code = "rest_forbidden"
    message = "You may not see the payments; sign in as one who runs the shop."


class PaymentServiceNotConnected(ApiError):
    code = "shoppay_wpcom_not_connected"
    message = "The site is not connected to the payment service."


class ChargeUnavailable(ApiError):
    code = "shoppay_get_charge"
    message = "The charge {id!r} cannot be looked up: the site is not connected to the payment service."


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of the shop's own payments."""
    word = String("Its number.")
    switches: dict[str, Field] = {name: Boolean(help, null="keep") for name, (help, _) in _SWITCHES.items()}
    remote: list[Route] = []
    for path, more in _REMOTE_PATHS.items():
        args: dict[str, Field] = {"id": word} if "{id" in path else {}
        for methods in (READ, WRITE) if more else (READ,):
            about = re.sub("[/_-]", " ", path.partition("/{")[0])
            remote.append(
                Route(
                    methods, f"{_PATH}/{path}", _ask_payment_service, args, _require_payments_permission,
                    errors=(PaymentServiceNotConnected,), answers=_REMOTE_ANSWER,
                    summary=f"{'Ask' if methods == READ else 'Tell'} the payment service about {about}.",
                )
            )  # fmt: skip
    return (
        Route(READ, f"{_PATH}/accounts", _read_account, {}, _require_payments_permission, answers=_ACCOUNT),
        Route(
            READ, f"{_PATH}/charges/{{charge_id:\\w+}}", _read_charge, {"charge_id": word},
            _require_payments_permission, errors=(ChargeUnavailable,), answers=_REMOTE_ANSWER,
        ),
        *remote,
        Route(
            READ, f"{_PATH}/onboarding/business_types", _list_business_types, {}, _require_payments_permission,
            answers=Object(properties={"data": Array("None, without an account.", max_items=0)}),
        ),
        Route(
            READ, f"{_PATH}/settings", _read_settings, {}, _require_payments_permission,
            answers=Object(properties=switches),
        ),
        Route(
            CHANGE, f"{_PATH}/settings", _update_settings, switches, _require_payments_permission,
            answers=Object(properties=switches),
        ),
        Route(
            READ, f"{_PATH}/multi-currency/currencies", _list_currencies, {}, _require_payments_permission,
            answers=_SHOP_CURRENCIES,
        ),
    )  # fmt: skip


def _require_payments_permission(call: Call) -> None:
    """Those who run the shop (`manage_shop`)."""
    require_shop_capability(call.work.user, ShopPaymentsForbidden)


def _ask_payment_service(call: Call) -> Result:
    """Ask the payment service, which needs a connection."""
    raise PaymentServiceNotConnected


def _read_charge(call: Call) -> Result:
    """Look up a charge at the payment service, which needs a connection."""
    raise ChargeUnavailable(id=call.args["charge_id"])


def _list_business_types(call: Call) -> Result:
    """List the business types that the payment service knows."""
    return Result({"data": []})


def _read_account(call: Call) -> Result:
    """Return the state of the shop's account at the payment service."""
    work = call.work
    currency = str(settings.get_shop_option(work, "shop_currency"))
    country = str(settings.get_shop_option(work, "shop_default_country")).partition(":")[0]
    return Result(
        {
            "card_present_eligible": False, "country": country, "current_deadline": None,
            "has_overdue_requirements": False, "has_pending_requirements": False, "statement_descriptor": "",
            "status": "NOACCOUNT", "store_currencies": {"default": currency, "supported": [currency]},
            "customer_currencies": {"supported": [currency]}, "test_mode": _load_settings(work)["is_test_mode_enabled"],
            "test_mode_onboarding": False,
        }
    )  # fmt: skip


def _load_settings(work: UnitOfWork) -> dict[str, Any]:
    stored = work.stored_option(_SETTINGS)
    values = stored if isinstance(stored, dict) else {}
    return {name: bool(values.get(name, first)) for name, (_, first) in _SWITCHES.items()}


def _read_settings(call: Call) -> Result:
    """Read the settings of the shop's own payments."""
    return Result(_load_settings(call.work))


def _update_settings(call: Call) -> Result:
    """Change settings of the shop's own payments; members that are not sent stay."""
    work = call.work
    given = {name: call.args[name] for name in call.args.given_names if name in _SWITCHES}
    if given:
        work.set_option(_SETTINGS, {**_load_settings(work), **given})
    return Result(_load_settings(work))


def _list_currencies(call: Call) -> Result:
    """List the currencies in which prices are shown."""
    code = str(settings.get_shop_option(call.work, "shop_currency"))
    own = {
        "code": code,
        "name": currencies.load_currency_names().get(code, code),
        "symbol": currencies.get_currency_symbol(code),
        "rate": 1,
        "is_default": True,
    }
    return Result({"available": {code: own}, "enabled": {code: own}, "default": own})

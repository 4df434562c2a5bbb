"""The shop's own payments: what a site without an account of the payment service answers.

Settings are kept; whatever the service alone knows is refused until there is a connection, which a module brings.
Rules: facts, "Administration"; the recordings of the shop's side namespaces.
"""

from __future__ import annotations

import re
from typing import Any, Final

from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel.errors import ApiError, Refused
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import Array, Boolean, Field, Number, Object, String
from vetrina.rest.response_fields import Free, Nothing, texts
from vetrina.rest.route import CHANGE, READ, WRITE, Route
from vetrina.shop.rights import require
from vetrina.shop.settings import currencies
from vetrina.shop.settings import rules as settings

__all__ = ["routes"]

_PATH: Final = "/shop/v3/payments"
_SETTINGS: Final = "shop_shop_payments_settings"
_ANY: Final = Free("What the payment service says; it is refused while the site has no account there.", of=())
_CURRENCIES: Final = Object(properties={"default": String(), "supported": Array(items=String())})
_ACCOUNT: Final = Object(properties={
    "card_present_eligible": Boolean(), "country": String(), "current_deadline": Nothing(),
    "has_overdue_requirements": Boolean(), "has_pending_requirements": Boolean(), "statement_descriptor": String(),
    "status": String("`NOACCOUNT`."), "store_currencies": _CURRENCIES, "customer_currencies": _CURRENCIES,
    "test_mode": Boolean(), "test_mode_onboarding": Boolean(),
})  # fmt: skip
_CURRENCY: Final = Object(properties={
    **texts("code", "name", "symbol"), "rate": Number(), "is_default": Boolean(),
})  # fmt: skip
_OF_SHOP: Final = Object(properties={
    "available": Object("By code.", additional=_CURRENCY), "enabled": Object("By code.", additional=_CURRENCY),
    "default": _CURRENCY,
})  # fmt: skip

# What only the payment service knows: path → methods beside GET.
_REMOTE: Final[dict[str, tuple[str, ...]]] = {
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


class Forbidden(Refused):
    code = "rest_forbidden"
    message = "You may not see the payments; sign in as one who runs the shop."


class NotConnected(ApiError):
    code = "shoppay_wpcom_not_connected"
    message = "The site is not connected to the payment service."


class NoCharge(ApiError):
    code = "shoppay_get_charge"
    message = "The charge {id!r} cannot be looked up: the site is not connected to the payment service."


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of the shop's own payments."""
    word = String("Its number.")
    switches: dict[str, Field] = {name: Boolean(help, null="keep") for name, (help, _) in _SWITCHES.items()}
    remote: list[Route] = []
    for path, more in _REMOTE.items():
        args: dict[str, Field] = {"id": word} if "{id" in path else {}
        for methods in (READ, WRITE) if more else (READ,):
            about = re.sub("[/_-]", " ", path.partition("/{")[0])
            remote.append(
                Route(
                    methods,
                    f"{_PATH}/{path}",
                    _remote,
                    args,
                    _may,
                    errors=(NotConnected,),
                    answers=_ANY,
                    says=f"{'Ask' if methods == READ else 'Tell'} the payment service about {about}.",
                )
            )
    return (
        Route(READ, f"{_PATH}/accounts", _account, {}, _may, answers=_ACCOUNT),
        Route(
            READ, f"{_PATH}/charges/{{charge_id:\\w+}}", _charge, {"charge_id": word}, _may, errors=(NoCharge,),
            answers=_ANY,
        ),
        *remote,
        Route(
            READ, f"{_PATH}/onboarding/business_types", _business_types, {}, _may,
            answers=Object(properties={"data": Array("None, without an account.", max_items=0)}),
        ),
        Route(READ, f"{_PATH}/settings", _read, {}, _may, answers=Object(properties=switches)),
        Route(CHANGE, f"{_PATH}/settings", _change, switches, _may, answers=Object(properties=switches)),
        Route(READ, f"{_PATH}/multi-currency/currencies", _currencies, {}, _may, answers=_OF_SHOP),
    )  # fmt: skip


def _may(call: Call) -> None:
    """Those who run the shop (`manage_shop`)."""
    require(call.work.user, Forbidden)


def _remote(call: Call) -> Result:
    """Ask the payment service, which needs a connection."""
    raise NotConnected


def _charge(call: Call) -> Result:
    """Look up a charge at the payment service, which needs a connection."""
    raise NoCharge(id=call.args["charge_id"])


def _business_types(call: Call) -> Result:
    """List the business types that the payment service knows."""
    return Result({"data": []})


def _account(call: Call) -> Result:
    """Tell the state of the shop's account at the payment service."""
    work: Work = call.work
    currency = str(settings.shop_option(work, "shop_currency"))
    country = str(settings.shop_option(work, "shop_default_country")).partition(":")[0]
    return Result(
        {
            "card_present_eligible": False, "country": country, "current_deadline": None,
            "has_overdue_requirements": False, "has_pending_requirements": False, "statement_descriptor": "",
            "status": "NOACCOUNT", "store_currencies": {"default": currency, "supported": [currency]},
            "customer_currencies": {"supported": [currency]}, "test_mode": _kept(work)["is_test_mode_enabled"],
            "test_mode_onboarding": False,
        }
    )  # fmt: skip


def _kept(work: Work) -> dict[str, Any]:
    stored = work.stored_option(_SETTINGS)
    told = stored if isinstance(stored, dict) else {}
    return {name: bool(told.get(name, first)) for name, (_, first) in _SWITCHES.items()}


def _read(call: Call) -> Result:
    """Read the settings of the shop's own payments."""
    return Result(_kept(call.work))


def _change(call: Call) -> Result:
    """Change settings of the shop's own payments; what is not sent stays."""
    work: Work = call.work
    given = {name: call.args[name] for name in call.args.given if name in _SWITCHES}
    if given:
        work.set_option(_SETTINGS, {**_kept(work), **given})
    return Result(_kept(work))


def _currencies(call: Call) -> Result:
    """List the currencies in which prices are shown."""
    code = str(settings.shop_option(call.work, "shop_currency"))
    own = {"code": code, "name": currencies.names().get(code, code), "symbol": currencies.symbol(code), "rate": 1,
           "is_default": True}  # fmt: skip
    return Result({"available": {code: own}, "enabled": {code: own}, "default": own})

"""What is suggested to an owner: ways of paying, partners for parcels, free extensions, kinds of products.

Not here: the lists (domain/shop/admin/suggestions.py). Rules: facts, "Suggestions and marketing".
"""

from __future__ import annotations

from typing import Final

from vetrina.declare.call import Call, Result
from vetrina.declare.fields import Array, Boolean, Object, Untyped
from vetrina.declare.route import READ, WRITE, Route
from vetrina.domain.shop.admin import suggestions
from vetrina.domain.work import Frame

from . import access

__all__ = ["routes"]

_PAYMENTS: Final = "/shop-admin/payment-gateway-suggestions"


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of suggestions."""
    forced = {"force_default_suggestions": Boolean("Whether the built-in ones are wanted in any case.", null="keep")}
    lists = Array(items=Object())
    return (
        Route(READ, _PAYMENTS, _payments, forced, access.suggested, answers=lists),
        Route(WRITE, f"{_PAYMENTS}/dismiss", _dismiss, {}, access.setting_up, answers=Boolean()),
        Route(READ, "/shop-admin/shipping-partner-suggestions", _partners, forced, access.setting_up, answers=lists),
        Route(READ, "/shop-admin/onboarding/free-extensions", _extensions, {}, access.viewing, answers=lists),
        Route(
            READ, "/shop-admin/onboarding/product-types", _kinds, {}, access.viewing,
            answers=Untyped("Kinds by their names."),
        ),
    )  # fmt: skip


def _payments(call: Call) -> Result:
    return Result(suggestions.payments(call.work, forced=bool(call.args.get("force_default_suggestions"))))


def _dismiss(call: Call) -> Result:
    suggestions.dismiss_payments(call.work)
    return Result(True)


def _partners(call: Call) -> Result:
    return Result(suggestions.partners(call.work))


def _extensions(call: Call) -> Result:
    return Result(suggestions.extensions(call.work))


def _kinds(call: Call) -> Result:
    return Result({name: dict(kind) for name, kind in suggestions.PRODUCT_TYPES.items()})

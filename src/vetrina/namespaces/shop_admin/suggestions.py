"""What is suggested to an owner: ways of paying, partners for parcels, free extensions, kinds of products.

Not here: the lists (domain/shop/admin/suggestions.py). Rules: facts, "Suggestions and marketing".
"""

from __future__ import annotations

from typing import Final

from vetrina.declare.call import Call, Result
from vetrina.declare.fields import Boolean
from vetrina.declare.route import READ, WRITE, Route
from vetrina.domain.shop.admin import suggestions
from vetrina.domain.work import Frame

from . import access, answers

__all__ = ["routes"]

_PAYMENTS: Final = "/shop-admin/payment-gateway-suggestions"


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of suggestions."""
    forced = {"force_default_suggestions": Boolean("Whether the built-in ones are wanted in any case.", null="keep")}
    return (
        Route(READ, _PAYMENTS, _payments, forced, access.suggested, answers=answers.PAYMENTS),
        Route(WRITE, f"{_PAYMENTS}/dismiss", _dismiss, {}, access.setting_up, answers=Boolean()),
        Route(READ, "/shop-admin/shipping-partner-suggestions", _partners, forced, access.setting_up,
              answers=answers.PARTNERS),
        Route(READ, "/shop-admin/onboarding/free-extensions", _extensions, {}, access.viewing,
              answers=answers.EXTENSIONS),
        Route(
            READ, "/shop-admin/onboarding/product-types", _kinds, {}, access.viewing,
            answers=answers.PRODUCT_TYPES,
        ),
    )  # fmt: skip


def _payments(call: Call) -> Result:
    """List the payment methods that are suggested for the shop's country."""
    return Result(suggestions.payments(call.work, forced=bool(call.args.get("force_default_suggestions"))))


def _dismiss(call: Call) -> Result:
    """Put the suggestions of payment methods away."""
    suggestions.dismiss_payments(call.work)
    return Result(True)


def _partners(call: Call) -> Result:
    """List the shipping services that are suggested."""
    return Result(suggestions.partners(call.work))


def _extensions(call: Call) -> Result:
    """List the free extensions that the first set-up offers."""
    return Result(suggestions.extensions(call.work))


def _kinds(call: Call) -> Result:
    """List the kinds of products that the first set-up asks about."""
    return Result({name: dict(kind) for name, kind in suggestions.PRODUCT_TYPES.items()})

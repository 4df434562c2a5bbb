"""What is suggested to an owner: ways of paying, partners for parcels, free extensions, kinds of products.

Not here: the lists (shop/admin/suggestions.py). Rules: facts, "Suggestions and marketing".
"""

from __future__ import annotations

from typing import Final

from vetrina.core.unit_of_work import Frame
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import Boolean
from vetrina.rest.route import READ, WRITE, Route
from vetrina.shop.admin import permissions as admin_permissions
from vetrina.shop.admin import responses as admin_responses
from vetrina.shop.admin import suggestions

__all__ = ["routes"]

_PAYMENTS: Final = "/shop-admin/payment-gateway-suggestions"


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of suggestions."""
    forced = {"force_default_suggestions": Boolean("Whether the built-in ones are wanted in any case.", null="keep")}
    return (
        Route(READ, _PAYMENTS, _payments, forced, admin_permissions.suggested, answers=admin_responses.PAYMENTS),
        Route(WRITE, f"{_PAYMENTS}/dismiss", _dismiss, {}, admin_permissions.setting_up, answers=Boolean()),
        Route(READ, "/shop-admin/shipping-partner-suggestions", _partners, forced, admin_permissions.setting_up,
              answers=admin_responses.PARTNERS),
        Route(READ, "/shop-admin/onboarding/free-extensions", _extensions, {}, admin_permissions.viewing,
              answers=admin_responses.EXTENSIONS),
        Route(
            READ, "/shop-admin/onboarding/product-types", _kinds, {}, admin_permissions.viewing,
            answers=admin_responses.PRODUCT_TYPES,
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

"""Routes of suggestions to an owner: payment methods, shipping partners, free extensions, kinds of products.

Not here: the lists (shop/admin/payment_suggestions.py, shop/admin/suggestions.py). Rules:
docs/rules/shop_suggestions.md, 1, 2 and 3.
"""

from __future__ import annotations

from typing import Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.rest.call import Result
from vetrina.rest.fields import Boolean
from vetrina.rest.route import READ, WRITE, Route
from vetrina.shop.admin import (
    payment_suggestions,
    permissions as admin_permissions,
    responses as admin_responses,
    suggestions,
)
from vetrina.shop.admin.onboarding_profile import PRODUCT_KINDS

_PAYMENTS: Final = "/shop-admin/payment-gateway-suggestions"


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of suggestions."""
    forced = {"force_default_suggestions": Boolean("Whether the built-in ones are wanted in any case.", null="keep")}
    return (
        Route(
            READ, _PAYMENTS, _list_payment_suggestions, forced, admin_permissions.require_suggestions_permission,
            answers=admin_responses.PAYMENTS,
        ),
        Route(
            WRITE, f"{_PAYMENTS}/dismiss", _dismiss_payment_suggestions, {},
            admin_permissions.require_admin_update_permission, answers=Boolean(),
        ),
        Route(
            READ, "/shop-admin/shipping-partner-suggestions", _list_shipping_partners, forced,
            admin_permissions.require_admin_update_permission, answers=admin_responses.PARTNERS,
        ),
        Route(
            READ, "/shop-admin/onboarding/free-extensions", _list_free_extensions, {},
            admin_permissions.require_view_permission, answers=admin_responses.EXTENSIONS,
        ),
        Route(
            READ, "/shop-admin/onboarding/product-types", _list_product_types, {},
            admin_permissions.require_view_permission, answers=admin_responses.PRODUCT_TYPES,
        ),
    )  # fmt: skip


def _list_payment_suggestions(call: Call) -> Result:
    """List the payment methods suggested for the shop's country."""
    return Result(
        payment_suggestions.list_payment_suggestions(call.work, forced=bool(call.args.get("force_default_suggestions")))
    )


def _dismiss_payment_suggestions(call: Call) -> Result:
    """Dismiss the suggestions of payment methods."""
    payment_suggestions.dismiss_payment_suggestions(call.work)
    return Result(True)


def _list_shipping_partners(call: Call) -> Result:
    """List the suggested shipping partners."""
    return Result(suggestions.list_shipping_partners(call.work))


def _list_free_extensions(call: Call) -> Result:
    """List the free extensions that the onboarding offers."""
    return Result(suggestions.list_extension_groups(call.work))


def _list_product_types(call: Call) -> Result:
    """List the kinds of products that the onboarding asks about."""
    return Result({name: dict(kind) for name, kind in PRODUCT_KINDS.items()})

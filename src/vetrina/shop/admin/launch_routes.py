"""Routes for launching the shop: coming-soon mode, the survey, test orders.

Not here: the effect of the mode (shop/admin/coming_soon.py), blueprints (shop/admin/blueprint_routes.py). Rules:
docs/rules/shop_admin.md, 8.
"""

from __future__ import annotations

from typing import Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.rest.call import Result
from vetrina.rest.fields import Boolean, Field, Integer, Object, String
from vetrina.rest.response_fields import Nothing
from vetrina.rest.route import READ, REMOVE, WRITE, Route
from vetrina.shop.admin import coming_soon, launching, permissions as admin_permissions, test_orders

_PATH: Final = "/shop-admin/launch-your-store"
_TESTS: Final = f"{_PATH}/shoppayments/test-orders"


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of launching."""
    status: dict[str, Field] = {"status": String("Whether it was answered.", enum=("yes", "no"), null="keep")}
    nothing = Nothing()
    return (
        Route(
            WRITE, f"{_PATH}/initialize-coming-soon", _start_coming_soon, {},
            admin_permissions.require_launch_permission, answers=Boolean(),
        ),
        Route(
            WRITE, f"{_PATH}/update-survey-status", _update_survey_status, status,
            admin_permissions.require_launch_permission, answers=nothing,
        ),
        Route(
            READ, f"{_PATH}/survey-completed", _read_survey_status, {}, admin_permissions.require_launch_permission,
            answers=String(),
        ),
        Route(
            READ, f"{_TESTS}/count", _count_test_orders, {}, admin_permissions.require_launch_permission,
            answers=Object(properties={"count": Integer()}),
        ),
        Route(
            REMOVE, _TESTS, _trash_test_orders, {}, admin_permissions.require_launch_permission, answers=nothing,
            status=204,
        ),
    )  # fmt: skip


def _start_coming_soon(call: Call) -> Result:
    """Close the shop to visitors until it is launched."""
    coming_soon.close_shop(call.work)
    return Result(True)


def _update_survey_status(call: Call) -> Result:
    """Record that the survey after the launch was answered."""
    launching.answer_survey(call.work, call.args.get("status") or "")
    return Result(None)


def _read_survey_status(call: Call) -> Result:
    """Tell whether the survey after the launch was answered."""
    return Result(launching.get_survey_status(call.work))


def _count_test_orders(call: Call) -> Result:
    """Count the orders that were placed to test payments."""
    return Result({"count": test_orders.count_test_orders(call.work)})


def _trash_test_orders(call: Call) -> Result:
    """Trash the orders that were placed to test payments."""
    test_orders.trash_test_orders(call.work)
    return Result(None, status=204)

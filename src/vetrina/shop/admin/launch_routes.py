"""Launching the shop: the mode in which it is closed, the survey, test orders.

Not here: what the mode does (shop/admin/coming_soon.py), blueprints (shop/admin/blueprint_routes.py). Rules: facts,
"Launching".
"""

from __future__ import annotations

from typing import Final

from vetrina.core.unit_of_work import Frame
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import Boolean, Field, Integer, Object, String
from vetrina.rest.response_fields import Nothing
from vetrina.rest.route import READ, REMOVE, WRITE, Route
from vetrina.shop.admin import coming_soon, launching, test_orders
from vetrina.shop.admin import permissions as admin_permissions

__all__ = ["routes"]

_PATH: Final = "/shop-admin/launch-your-store"
_TESTS: Final = f"{_PATH}/shoppayments/test-orders"


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of launching."""
    status: dict[str, Field] = {"status": String("Whether it was answered.", enum=("yes", "no"), null="keep")}
    nothing = Nothing()
    return (
        Route(WRITE, f"{_PATH}/initialize-coming-soon", _begin, {}, admin_permissions.launching, answers=Boolean()),
        Route(WRITE, f"{_PATH}/update-survey-status", _answered, status, admin_permissions.launching, answers=nothing),
        Route(READ, f"{_PATH}/survey-completed", _survey, {}, admin_permissions.launching, answers=String()),
        Route(
            READ,
            f"{_TESTS}/count",
            _count,
            {},
            admin_permissions.launching,
            answers=Object(properties={"count": Integer()}),
        ),
        Route(REMOVE, _TESTS, _trash, {}, admin_permissions.launching, answers=nothing, status=204),
    )


def _begin(call: Call) -> Result:
    """Close the shop to visitors until it is opened."""
    coming_soon.begin(call.work)
    return Result(True)


def _answered(call: Call) -> Result:
    """Remember that the survey after the opening was answered."""
    launching.answer_survey(call.work, call.args.get("status") or "")
    return Result(None)


def _survey(call: Call) -> Result:
    """Tell whether the survey after the opening was answered."""
    return Result(launching.survey(call.work))


def _count(call: Call) -> Result:
    """Count the orders that were placed to try the payments."""
    return Result({"count": test_orders.count(call.work)})


def _trash(call: Call) -> Result:
    """Put the orders that were placed to try the payments into the trash."""
    test_orders.trash(call.work)
    return Result(None, status=204)

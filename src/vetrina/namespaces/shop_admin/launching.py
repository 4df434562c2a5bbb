"""Launching the shop: the mode in which it is closed, the survey, test orders.

Not here: what the mode does (domain/shop/admin/coming_soon.py), blueprints (blueprint.py). Rules: facts, "Launching".
"""

from __future__ import annotations

from typing import Final

from vetrina.declare.call import Call, Result
from vetrina.declare.fields import Boolean, Field, Integer, Object, String
from vetrina.declare.route import READ, REMOVE, WRITE, Route
from vetrina.declare.shown import Nothing
from vetrina.domain.shop.admin import coming_soon, launching, test_orders
from vetrina.domain.work import Frame

from . import access

__all__ = ["routes"]

_PATH: Final = "/shop-admin/launch-your-store"
_TESTS: Final = f"{_PATH}/shoppayments/test-orders"


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of launching."""
    status: dict[str, Field] = {"status": String("Whether it was answered.", enum=("yes", "no"), null="keep")}
    nothing = Nothing()
    return (
        Route(WRITE, f"{_PATH}/initialize-coming-soon", _begin, {}, access.launching, answers=Boolean()),
        Route(WRITE, f"{_PATH}/update-survey-status", _answered, status, access.launching, answers=nothing),
        Route(READ, f"{_PATH}/survey-completed", _survey, {}, access.launching, answers=String()),
        Route(
            READ, f"{_TESTS}/count", _count, {}, access.launching, answers=Object(properties={"count": Integer()})
        ),
        Route(REMOVE, _TESTS, _trash, {}, access.launching, answers=nothing, status=204),
    )  # fmt: skip


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

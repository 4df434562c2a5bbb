"""Setting up ways of paying that take cards, in steps: which are on, and what each of them needs.

There only while there is one. What is done follows from the ways of paying themselves; kept is which steps
were begun. Not here: accounts at the services behind them, which their own pages open. Rules: issue 21.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import ApiError
from vetrina.shop.payments import gateways
from vetrina.shop.payments.gateways import Held

__all__ = [
    "CHOOSE", "STEPS", "StepNotDone", "StepUnknown", "is_complete", "list_gateways", "missing", "reset", "save",
    "start", "status", "was_started",
]  # fmt: skip

CHOOSE: Final = "payment_methods"
VERIFY: Final = "business_verification"
STEPS: Final = (CHOOSE, VERIFY)
_STARTED: Final = "shop_payments_onboarding_started"  # step → seconds since 1970

Status = Literal["not_started", "started", "completed"]


class StepUnknown(ApiError):
    status, code = 404, "shop_rest_payments_onboarding_step_invalid"
    message = "There is no step {step!r}; there are payment_methods and business_verification."


class StepNotDone(ApiError):
    code = "shop_rest_payments_onboarding_step_not_done"
    message = "The step {step!r} is not done: {why}"


def list_gateways(work: Work) -> list[Held]:
    """Return the ways of paying that take cards."""
    return [one for one in gateways.listed(work) if one.of.cards]


def missing(one: Held) -> list[str]:
    """Return the names of the settings that a way of paying still needs."""
    return [name for name in one.of.required if not one.values.get(name)]


def status(work: Work, step: str) -> Status:
    """Return how a step stands. Raises StepUnknown."""
    if step not in STEPS:
        raise StepUnknown(step=step)
    on = [one for one in list_gateways(work) if one.enabled]
    if on and (step == CHOOSE or not any(missing(one) for one in on)):
        return "completed"
    return "started" if step in _started(work) else "not_started"


def is_complete(work: Work) -> bool:
    """Say whether a way of paying that takes cards is on, and has all that it needs."""
    return all(status(work, step) == "completed" for step in STEPS)


def was_started(work: Work) -> bool:
    """Say whether any step was begun."""
    return bool(_started(work)) or any(status(work, step) == "completed" for step in STEPS)


def start(work: Work, step: str) -> None:
    """Keep that a step was begun. Raises StepUnknown."""
    status(work, step)
    if step not in _started(work):
        work.set_option(_STARTED, {**_started(work), step: work.now})


def save(work: Work, step: str, given: Mapping[str, Any]) -> None:
    """Store what belongs to a step; ways of paying that do not take cards are passed over.

    given: `payment_methods`, whether each is on by id; `settings`, by id and name. Raises StepUnknown,
    settings.InvalidValue.
    """
    start(work, step)
    told = given.get("payment_methods" if step == CHOOSE else "settings")
    for one in list_gateways(work):
        value = told.get(one.of.id) if isinstance(told, Mapping) else None
        if step == CHOOSE and isinstance(value, bool):
            gateways.change(work, one, {"enabled": value})
        elif step == VERIFY and isinstance(value, Mapping):
            gateways.change(work, one, {"settings": value})


def reset(work: Work) -> None:
    """Switch off the ways of paying that take cards, and forget which steps were begun; their settings stay."""
    for one in list_gateways(work):
        if one.enabled:
            gateways.change(work, one, {"enabled": False})
    if _started(work):
        work.reset_option(_STARTED)


def _started(work: Work) -> Mapping[str, Any]:
    stored = work.stored_option(_STARTED)
    return stored if isinstance(stored, Mapping) else {}

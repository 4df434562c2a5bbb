"""The set-up of payment methods that take cards, in steps: which are enabled, and what each of them needs.

Exists only while there is such a method. Whether a step is completed follows from the payment methods themselves; only
which steps were started is stored. Not here: accounts with the payment services, which their own pages open.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure
from vetrina.shop.payments import gateways
from vetrina.shop.payments.gateways import ConfiguredGateway

CHOOSE_STEP: Final = "payment_methods"
VERIFY_STEP: Final = "business_verification"
ONBOARDING_STEPS: Final = (CHOOSE_STEP, VERIFY_STEP)
_STARTED: Final = "shop_payments_onboarding_started"  # step → seconds since 1970

OnboardingStepStatus = Literal["not_started", "started", "completed"]


class OnboardingStepNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "shop_rest_payments_onboarding_step_invalid"
    message = "There is no step {step!r}; there are payment_methods and business_verification."


class OnboardingStepNotDone(ApiError):
    code = "shop_rest_payments_onboarding_step_not_done"
    message = "The step {step!r} is not done: {why}"


def list_card_gateways(work: UnitOfWork) -> list[ConfiguredGateway]:
    """Return the payment methods that take cards."""
    return [one for one in gateways.list_gateways(work) if one.gateway.cards]


def list_missing_settings(one: ConfiguredGateway) -> list[str]:
    """Return the names of the settings that a payment method still needs."""
    return [name for name in one.gateway.required if not one.values.get(name)]


def get_step_status(work: UnitOfWork, step: str) -> OnboardingStepStatus:
    """Return the status of a step. Raises OnboardingStepNotFound."""
    if step not in ONBOARDING_STEPS:
        raise OnboardingStepNotFound(step=step)
    on = [one for one in list_card_gateways(work) if one.enabled]
    if on and (step == CHOOSE_STEP or not any(list_missing_settings(one) for one in on)):
        return "completed"
    return "started" if step in _load_started_steps(work) else "not_started"


def is_onboarding_complete(work: UnitOfWork) -> bool:
    """Return whether a payment method that takes cards is enabled and has all that it needs."""
    return all(get_step_status(work, step) == "completed" for step in ONBOARDING_STEPS)


def has_started_onboarding(work: UnitOfWork) -> bool:
    """Return whether any step was started."""
    return bool(_load_started_steps(work)) or any(
        get_step_status(work, step) == "completed" for step in ONBOARDING_STEPS
    )


def start_step(work: UnitOfWork, step: str) -> None:
    """Store that a step was started. Raises OnboardingStepNotFound."""
    get_step_status(work, step)
    if step not in _load_started_steps(work):
        work.set_option(_STARTED, {**_load_started_steps(work), step: work.now})


def save_step(work: UnitOfWork, step: str, given: Mapping[str, Any]) -> None:
    """Store the data of a step; payment methods that do not take cards are skipped.

    given: `payment_methods`, whether each is enabled, by id; `settings`, by id and name. Raises OnboardingStepNotFound,
    InvalidSettingValue.
    """
    start_step(work, step)
    members = given.get("payment_methods" if step == CHOOSE_STEP else "settings")
    for one in list_card_gateways(work):
        value = members.get(one.gateway.id) if isinstance(members, Mapping) else None
        if step == CHOOSE_STEP and isinstance(value, bool):
            gateways.update_gateway(work, one, {"enabled": value})
        elif step == VERIFY_STEP and isinstance(value, Mapping):
            gateways.update_gateway(work, one, {"settings": value})


def reset_onboarding(work: UnitOfWork) -> None:
    """Disable the payment methods that take cards and clear the started steps; their settings stay."""
    for one in list_card_gateways(work):
        if one.enabled:
            gateways.update_gateway(work, one, {"enabled": False})
    if _load_started_steps(work):
        work.reset_option(_STARTED)


def _load_started_steps(work: UnitOfWork) -> Mapping[str, Any]:
    stored = work.stored_option(_STARTED)
    return stored if isinstance(stored, Mapping) else {}

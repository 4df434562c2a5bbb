"""Routes for setting up payment methods that take cards; available only while a package provides one.

Not here: the effect of a step (shop/admin/payment_onboarding.py), the list of payment methods
(shop/admin/payment_settings_routes.py).
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import NoRoute
from vetrina.rest.call import Result
from vetrina.rest.derived_routes import guard_route
from vetrina.rest.fields import Boolean, Field, Object, String
from vetrina.rest.route import READ, WRITE, Route
from vetrina.shop.admin import (
    payment_onboarding,
    payment_responses,
    permissions as admin_permissions,
    responses as admin_responses,
)
from vetrina.shop.admin.logos import build_gateway_image_name, build_image_url
from vetrina.shop.admin.payment_onboarding import (
    CHOOSE_STEP,
    ONBOARDING_STEPS,
    OnboardingStepNotDone,
    OnboardingStepNotFound,
)
from vetrina.shop.admin.payment_settings_routes import PATH, build_gateway_settings_url
from vetrina.shop.payments import gateways
from vetrina.shop.settings import rules as settings

_BASE: Final = f"{PATH}/shoppayments/onboarding"


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of setting up card payments."""
    step: dict[str, Field] = {"step": String("Name of the step.")}
    given: dict[str, Field] = {
        "payment_methods": Object("Whether each is on, by id.", additional=Boolean(), null="keep"),
        "settings": Object("What is set about each, by id.", additional=Object(), null="keep"),
    }
    item = f"{_BASE}/step/{{step:\\w+}}"
    shown, done, unknown = payment_responses.ONBOARDING, admin_responses.SUCCESS, (OnboardingStepNotFound,)
    found = (
        Route(READ, _BASE, _read_onboarding, {}, admin_permissions.require_view_permission, answers=shown),
        Route(
            WRITE, _BASE, _read_onboarding, {}, admin_permissions.require_create_permission, read=True, status=200,
            answers=shown,
        ),
        Route(
            WRITE, f"{item}/start", _start_step, step, admin_permissions.require_create_permission, errors=unknown,
            status=200, answers=done,
        ),
        Route(
            WRITE, f"{item}/save", _save_step, {**step, **given}, admin_permissions.require_create_permission,
            status=200, errors=(*unknown, settings.InvalidSettingValue), answers=done,
        ),
        Route(
            WRITE, f"{item}/check", _check_step, step, admin_permissions.require_create_permission, errors=unknown,
            read=True, status=200, answers=payment_responses.STEP_STATE,
        ),
        Route(
            WRITE, f"{item}/finish", _finish_step, step, admin_permissions.require_create_permission,
            errors=(*unknown, OnboardingStepNotDone), status=200, answers=done,
        ),
        Route(
            WRITE, f"{_BASE}/reset", _reset_onboarding, {}, admin_permissions.require_create_permission, status=200,
            answers=done,
        ),
    )  # fmt: skip
    words = "while a way of paying takes cards"
    return tuple(guard_route(route, _check_cards_accepted, words, errors=(*route.errors, NoRoute)) for route in found)


def _check_cards_accepted(call: Call) -> None:
    if not gateways.has_card_gateway(call.work.site.profile):
        raise NoRoute(method=call.request.method, path=call.request.path)


def _read_onboarding(call: Call) -> Result:
    """Read the progress of the card payment set-up, and what each step needs."""
    work = call.work
    test = bool(work.site.profile.shop_services.test_gateway) and not payment_onboarding.list_card_gateways(work)
    state = {
        "supported": True, "started": payment_onboarding.has_started_onboarding(work),
        "completed": payment_onboarding.is_onboarding_complete(work), "test_mode": test,
    }  # fmt: skip
    page = f"{work.origin}/admin/admin.php?page=shop-settings&tab=checkout"
    body = {"state": state, "messages": {}, "steps": [_serialize_step(work, step) for step in ONBOARDING_STEPS],
            "context": {"urls": {"overview": page}}}  # fmt: skip
    return Result(body)


def _serialize_step(work: UnitOfWork, step: str) -> dict[str, Any]:
    path = f"{_BASE}/step/{step}"
    actions = {name: {"type": "REST", "href": work.api(f"{path}/{name}")} for name in ("start", "save", "finish")}
    if step != CHOOSE_STEP:
        actions["check"] = {"type": "REST", "href": work.api(f"{path}/check")}
    return {
        "id": step,
        "path": f"/shoppayments/onboarding/{step.replace('_', '-')}",
        "required_steps": [] if step == CHOOSE_STEP else [CHOOSE_STEP],
        "status": payment_onboarding.get_step_status(work, step),
        "errors": _list_step_errors(work, step),
        "actions": actions,
        "context": _build_step_context(work, step),
    }


def _build_step_context(work: UnitOfWork, step: str) -> dict[str, Any]:
    found = payment_onboarding.list_card_gateways(work)
    if step == CHOOSE_STEP:
        methods = [
            {
                "id": one.gateway.id, "title": one.gateway.method_title, "description": one.gateway.method_description,
                "icon": build_image_url(work, build_gateway_image_name(one.gateway.id)), "enabled": one.enabled,
            }
            for one in found
        ]  # fmt: skip
        return {"recommended_pms": methods, "pms_state": {one.gateway.id: one.enabled for one in found}}
    steps = [
        {"id": one.gateway.id, "settings": payment_onboarding.list_missing_settings(one),
         "_links": {"settings": {"href": build_gateway_settings_url(work, one.gateway.id)}}}
        for one in found if one.enabled and payment_onboarding.list_missing_settings(one)
    ]  # fmt: skip
    return {"missing": steps}


def _list_step_errors(work: UnitOfWork, step: str) -> list[str]:
    if step == CHOOSE_STEP or payment_onboarding.get_step_status(work, step) == "completed":
        return []
    return [
        f"{one.gateway.method_title} needs {', '.join(payment_onboarding.list_missing_settings(one))}."
        for one in payment_onboarding.list_card_gateways(work)
        if one.enabled and payment_onboarding.list_missing_settings(one)
    ]


def _start_step(call: Call) -> Result:
    """Start a step."""
    payment_onboarding.start_step(call.work, call.args["step"])
    return Result({"success": True})


def _save_step(call: Call) -> Result:
    """Store the data of a step: which payment methods are enabled, or their settings."""
    given = {name: call.args.get(name) for name in ("payment_methods", "settings")}
    payment_onboarding.save_step(call.work, call.args["step"], given)
    return Result({"success": True})


def _check_step(call: Call) -> Result:
    """Check the status of a step, and what is missing."""
    step = call.args["step"]
    return Result(
        {"status": payment_onboarding.get_step_status(call.work, step), "error": _list_step_errors(call.work, step)}
    )


def _finish_step(call: Call) -> Result:
    """Finish a step; refused while something is missing."""
    step = call.args["step"]
    if payment_onboarding.get_step_status(call.work, step) != "completed":
        why = " ".join(_list_step_errors(call.work, step)) or "no way of paying that takes cards is on."
        raise OnboardingStepNotDone(step=step, why=why)
    return Result({"success": True})


def _reset_onboarding(call: Call) -> Result:
    """Disable the payment methods that take cards; their settings stay."""
    payment_onboarding.reset_onboarding(call.work)
    return Result({"success": True})

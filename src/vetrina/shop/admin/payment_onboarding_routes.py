"""Setting up ways of paying that take cards, step by step; there only while a package brings one.

Not here: what a step does (shop/admin/payment_onboarding.py), the list of ways of paying
(shop/admin/payment_settings_routes.py). Rules: the shapes that the page's clients know.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel.errors import NoRoute
from vetrina.rest.call import Call, Result
from vetrina.rest.derived_routes import guarded
from vetrina.rest.fields import Boolean, Field, Object, String
from vetrina.rest.route import READ, WRITE, Route
from vetrina.shop.admin import payment_onboarding, payment_responses
from vetrina.shop.admin import permissions as admin_permissions
from vetrina.shop.admin import responses as admin_responses
from vetrina.shop.admin.logos import address_of, of_gateway
from vetrina.shop.admin.payment_onboarding import CHOOSE, STEPS, StepNotDone, StepUnknown
from vetrina.shop.admin.payment_settings_routes import PATH, settings_page
from vetrina.shop.payments import gateways
from vetrina.shop.settings import rules as settings

__all__ = ["routes"]

_BASE: Final = f"{PATH}/shoppayments/onboarding"


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of setting up card payments."""
    step: dict[str, Field] = {"step": String("Name of the step.")}
    given: dict[str, Field] = {
        "payment_methods": Object("Whether each is on, by id.", additional=Boolean(), null="keep"),
        "settings": Object("What is set about each, by id.", additional=Object(), null="keep"),
    }
    item = f"{_BASE}/step/{{step:\\w+}}"
    shown, done, unknown = payment_responses.ONBOARDING, admin_responses.SUCCESS, (StepUnknown,)
    found = (
        Route(READ, _BASE, _read, {}, admin_permissions.viewing, answers=shown),
        Route(WRITE, _BASE, _read, {}, admin_permissions.creating, read=True, status=200, answers=shown),
        Route(
            WRITE, f"{item}/start", _start, step, admin_permissions.creating, errors=unknown, status=200, answers=done
        ),
        Route(
            WRITE,
            f"{item}/save",
            _save,
            {**step, **given},
            admin_permissions.creating,
            status=200,
            errors=(*unknown, settings.InvalidValue),
            answers=done,
        ),
        Route(
            WRITE,
            f"{item}/check",
            _check,
            step,
            admin_permissions.creating,
            errors=unknown,
            read=True,
            status=200,
            answers=payment_responses.STEP_STATE,
        ),
        Route(
            WRITE,
            f"{item}/finish",
            _finish,
            step,
            admin_permissions.creating,
            errors=(*unknown, StepNotDone),
            status=200,
            answers=done,
        ),
        Route(WRITE, f"{_BASE}/reset", _reset, {}, admin_permissions.creating, status=200, answers=done),
    )
    words = "while a way of paying takes cards"
    return tuple(guarded(route, _takes_cards, words, errors=(*route.errors, NoRoute)) for route in found)


def _takes_cards(call: Call) -> None:
    if not gateways.take_cards(call.work.frame.profile):
        raise NoRoute(method=call.request.method, path=call.request.path)


def _read(call: Call) -> Result:
    """Read how far setting up card payments came, and what each step needs."""
    work = call.work
    test = bool(work.frame.profile.shop_services.test_gateway) and not payment_onboarding.list_gateways(work)
    state = {
        "supported": True, "started": payment_onboarding.was_started(work),
        "completed": payment_onboarding.is_complete(work), "test_mode": test,
    }  # fmt: skip
    page = f"{work.origin}/admin/admin.php?page=shop-settings&tab=checkout"
    body = {"state": state, "messages": {}, "steps": [_step(work, step) for step in STEPS],
            "context": {"urls": {"overview": page}}}  # fmt: skip
    return Result(body)


def _step(work: Work, step: str) -> dict[str, Any]:
    path = f"{_BASE}/step/{step}"
    actions = {name: {"type": "REST", "href": work.api(f"{path}/{name}")} for name in ("start", "save", "finish")}
    if step != CHOOSE:
        actions["check"] = {"type": "REST", "href": work.api(f"{path}/check")}
    return {
        "id": step, "path": f"/shoppayments/onboarding/{step.replace('_', '-')}",
        "required_steps": [] if step == CHOOSE else [CHOOSE], "status": payment_onboarding.status(work, step),
        "errors": _errors(work, step), "actions": actions, "context": _context(work, step),
    }  # fmt: skip


def _context(work: Work, step: str) -> dict[str, Any]:
    found = payment_onboarding.list_gateways(work)
    if step == CHOOSE:
        methods = [
            {
                "id": one.of.id, "title": one.of.method_title, "description": one.of.method_description,
                "icon": address_of(work, of_gateway(one.of.id)), "enabled": one.enabled,
            }
            for one in found
        ]  # fmt: skip
        return {"recommended_pms": methods, "pms_state": {one.of.id: one.enabled for one in found}}
    told = [
        {"id": one.of.id, "settings": payment_onboarding.missing(one),
         "_links": {"settings": {"href": settings_page(work, one.of.id)}}}
        for one in found if one.enabled and payment_onboarding.missing(one)
    ]  # fmt: skip
    return {"missing": told}


def _errors(work: Work, step: str) -> list[str]:
    if step == CHOOSE or payment_onboarding.status(work, step) == "completed":
        return []
    return [
        f"{one.of.method_title} needs {', '.join(payment_onboarding.missing(one))}."
        for one in payment_onboarding.list_gateways(work) if one.enabled and payment_onboarding.missing(one)
    ]  # fmt: skip


def _start(call: Call) -> Result:
    """Begin a step."""
    payment_onboarding.start(call.work, call.args["step"])
    return Result({"success": True})


def _save(call: Call) -> Result:
    """Store what a step asks for: which ways of paying are on, or what is set about them."""
    given = {name: call.args.get(name) for name in ("payment_methods", "settings")}
    payment_onboarding.save(call.work, call.args["step"], given)
    return Result({"success": True})


def _check(call: Call) -> Result:
    """Say how a step stands, and what is missing."""
    step = call.args["step"]
    return Result({"status": payment_onboarding.status(call.work, step), "error": _errors(call.work, step)})


def _finish(call: Call) -> Result:
    """Confirm that a step is done; refused while something is missing."""
    step = call.args["step"]
    if payment_onboarding.status(call.work, step) != "completed":
        why = " ".join(_errors(call.work, step)) or "no way of paying that takes cards is on."
        raise StepNotDone(step=step, why=why)
    return Result({"success": True})


def _reset(call: Call) -> Result:
    """Switch off the ways of paying that take cards; what is set about them stays."""
    payment_onboarding.reset(call.work)
    return Result({"success": True})

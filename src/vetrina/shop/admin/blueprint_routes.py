"""Blueprints: a shop's settings as steps for another one, and taking such steps over.

Not here: what an export holds (shop/admin/blueprint.py), what a step does (shop/admin/blueprint_step_routes.py).
Rules: issue 21; facts, "Launching".
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.unit_of_work import Frame
from vetrina.kernel.errors import ApiError, Fault, InvalidParam, NoRoute
from vetrina.rest.call import Call, Result
from vetrina.rest.derived_routes import guarded
from vetrina.rest.fields import Array, Boolean, Field, Integer, Object, String
from vetrina.rest.response_fields import Either, by_name, texts
from vetrina.rest.route import READ, WRITE, Route
from vetrina.shop.admin import blueprint
from vetrina.shop.admin import permissions as admin_permissions
from vetrina.shop.admin.blueprint_step_routes import carry_out

__all__ = ["routes"]

_PATH: Final = "/shop-admin/blueprint"
_STEP_BYTES: Final = 1 << 20
_MOST: Final = 200  # names of one kind that an export may be asked for

_SEVERAL: Final = Array(items=String())
_SCALAR: Final = Either("", (String(nullable=True), Boolean(), Integer(), _SEVERAL))
_NAMED: Final = Object(properties=texts("resource", "slug"))
_VALUES: Final = by_name(_SCALAR, "What is set, by name.")
_RATE: Final = Object(properties={
    **texts("country", "state", "rate", "name", "class"), "postcodes": _SEVERAL, "cities": _SEVERAL,
    "priority": Integer(), "compound": Boolean(), "shipping": Boolean(), "order": Integer(),
})  # fmt: skip
_ZONE: Final = Object(properties={
    "name": String(), "order": Integer(), "is_rest": Boolean("Whether it is the zone of all other places."),
    "locations": Array(items=Object(properties=texts("code", "type"))),
    "methods": Array(items=Object(properties={
        "method_id": String(), "order": Integer(), "enabled": Boolean(), "settings": _VALUES,
    })),
})  # fmt: skip
_STEP: Final = Object("Which members it has follows from its kind.", properties={
    "step": String("Its kind."), "pluginData": _NAMED, "themeData": _NAMED,
    "options": by_name(Either("", (_SCALAR, _VALUES)), "Options by name, or `activate`."),
    "classes": Array(items=Either("", (String(), Object(properties=texts("name", "slug"))))),
    "rates": Array(items=_RATE), "zones": Array(items=_ZONE),
    "gateways": by_name(Object(properties={
        "enabled": Boolean(), "description": String(), "order": Integer(), "settings": _VALUES,
    })),
})  # fmt: skip
_EXPORT: Final = Object(properties={
    "data": Object(properties={
        "landingPage": String("Where the other shop goes on."), "steps": Array(items=_STEP),
    }),
    "type": String("`json`."),
})  # fmt: skip
_IMPORTED: Final = Object(properties={
    "success": Boolean("Whether all of the step was carried out."),
    "messages": Array(items=Object(properties={
        "step": String(), "type": String(enum=("error", "info")), "message": String(),
    })),
})  # fmt: skip


class StepTooLarge(ApiError):
    status, code = 413, "shop_rest_blueprint_step_too_large"
    message = "A step has {most} bytes at most; send it in several."


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of blueprints."""

    def names(help: str) -> Array:
        return Array(help, items=String(max_length=200), max_items=_MOST)

    steps = Object("What is wanted.", required=True, properties={
        "settings": names("Parts of the shop, as `general` or `setSettingsGeneral`; `setSettings` means all."),
        "plugins": names("Modules."), "themes": names("Themes."),
    })  # fmt: skip
    definition: dict[str, Field] = {"step_definition": Object("The step.", required=True)}
    found = (
        Route(WRITE, f"{_PATH}/export", _export, {"steps": steps}, admin_permissions.watching, read=True, status=200,
              answers=_EXPORT),
        Route(WRITE, f"{_PATH}/import-step", _import, definition, admin_permissions.setting_up, status=200,
              errors=(StepTooLarge,), answers=_IMPORTED),
    )  # fmt: skip
    words = "while the shop has blueprints"
    return (
        *(guarded(route, _is_on, words, errors=(*route.errors, NoRoute)) for route in found),
        Route(
            READ, f"{_PATH}/import-allowed", _import_allowed, {}, admin_permissions.launching,
            answers=Object(properties={"import_allowed": Boolean()}),
        ),
    )  # fmt: skip


def _is_on(call: Call) -> None:
    if not blueprint.is_on(call.work):
        raise NoRoute(method=call.request.method, path=call.request.path)


def _export(call: Call) -> Result:
    """Make a blueprint of what is asked for; secrets and numbers of records are not in it."""
    wanted: dict[str, Any] = call.args["steps"]
    names = wanted.get("settings", [])
    unknown = [name for name in names if not blueprint.part_of(name)]
    if unknown:
        known = ", ".join(blueprint.PARTS)
        fault = Fault("rest_not_in_enum", f"There is no part {unknown[0]!r} of a shop; there are {known}.")
        raise InvalidParam({"steps": fault})
    parts = [blueprint.part_of(name) for name in names]
    plugins = [name.partition("/")[0] for name in wanted.get("plugins", [])]
    steps = blueprint.export(call.work, parts, plugins, wanted.get("themes", []))
    return Result({"data": {"landingPage": "/admin/admin.php?page=shop-admin", "steps": steps}, "type": "json"})


def _import(call: Call) -> Result:
    """Carry out one step of a blueprint; what of it is refused is told, the rest is done."""
    if len(call.request.body) > _STEP_BYTES:
        raise StepTooLarge(most=_STEP_BYTES)
    done = carry_out(call, call.args["step_definition"])
    return Result({"success": done.success, "messages": done.messages})


def _import_allowed(call: Call) -> Result:
    """Say whether steps of a blueprint are taken: while the shop is closed to customers."""
    return Result({"import_allowed": blueprint.is_import_allowed(call.work)})

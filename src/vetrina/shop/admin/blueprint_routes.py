"""Routes of blueprints: export a shop's settings as steps, and import such steps.

Not here: the content of an export (shop/admin/blueprint_export.py), the effect of a step
(shop/admin/blueprint_import.py). Rules: docs/rules/shop_admin.md, 8.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel.errors import ApiError, Failure, Fault, InvalidParam, NoRoute
from vetrina.rest.call import Result
from vetrina.rest.derived_routes import guard_route
from vetrina.rest.fields import Array, Boolean, Field, Integer, Object, String
from vetrina.rest.response_fields import Either, build_map_field, build_text_fields
from vetrina.rest.route import READ, WRITE, Route
from vetrina.shop.admin import blueprint_export, permissions as admin_permissions
from vetrina.shop.admin.blueprint_import import run_step

_PATH: Final = "/shop-admin/blueprint"
_STEP_BYTES: Final = 1 << 20
_MAX_NAMES: Final = 200  # names of one kind in an export request

_TEXT_LIST: Final = Array(items=String())
_SCALAR: Final = Either("", (String(nullable=True), Boolean(), Integer(), _TEXT_LIST))
_RESOURCE: Final = Object(properties=build_text_fields("resource", "slug"))
_VALUES: Final = build_map_field(_SCALAR, "What is set, by name.")
_RATE: Final = Object(properties={
    **build_text_fields("country", "state", "rate", "name", "class"), "postcodes": _TEXT_LIST, "cities": _TEXT_LIST,
    "priority": Integer(), "compound": Boolean(), "shipping": Boolean(), "order": Integer(),
})  # fmt: skip
_ZONE: Final = Object(properties={
    "name": String(), "order": Integer(), "is_rest": Boolean("Whether it is the zone of all other places."),
    "locations": Array(items=Object(properties=build_text_fields("code", "type"))),
    "methods": Array(items=Object(properties={
        "method_id": String(), "order": Integer(), "enabled": Boolean(), "settings": _VALUES,
    })),
})  # fmt: skip
_STEP: Final = Object("Which members it has follows from its kind.", properties={
    "step": String("Its kind."), "pluginData": _RESOURCE, "themeData": _RESOURCE,
    "options": build_map_field(Either("", (_SCALAR, _VALUES)), "Options by name, or `activate`."),
    "classes": Array(items=Either("", (String(), Object(properties=build_text_fields("name", "slug"))))),
    "rates": Array(items=_RATE), "zones": Array(items=_ZONE),
    "gateways": build_map_field(Object(properties={
        "enabled": Boolean(), "description": String(), "order": Integer(), "settings": _VALUES,
    })),
})  # fmt: skip
_EXPORT_ANSWER: Final = Object(properties={
    "data": Object(properties={
        "landingPage": String("Where the other shop goes on."), "steps": Array(items=_STEP),
    }),
    "type": String("`json`."),
})  # fmt: skip
_IMPORT_ANSWER: Final = Object(properties={
    "success": Boolean("Whether all of the step was carried out."),
    "messages": Array(items=Object(properties={
        "step": String(), "type": String(enum=("error", "info")), "message": String(),
    })),
})  # fmt: skip


class BlueprintStepTooLarge(ApiError):
    failure, code = Failure.TOO_LARGE, "shop_rest_blueprint_step_too_large"
    message = "A step has {most} bytes at most; send it in several."


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of blueprints."""

    def names(help: str) -> Array:
        return Array(help, items=String(max_length=200), max_items=_MAX_NAMES)

    steps = Object("What is wanted.", required=True, properties={
        "settings": names("Parts of the shop, as `general` or `setSettingsGeneral`; `setSettings` means all."),
        "plugins": names("Modules."), "themes": names("Themes."),
    })  # fmt: skip
    definition: dict[str, Field] = {"step_definition": Object("The step.", required=True)}
    found = (
        Route(
            WRITE, f"{_PATH}/export", _export_blueprint, {"steps": steps},
            admin_permissions.require_admin_view_permission, read=True, status=200, answers=_EXPORT_ANSWER,
        ),
        Route(
            WRITE, f"{_PATH}/import-step", _import_step, definition, admin_permissions.require_admin_update_permission,
            status=200, errors=(BlueprintStepTooLarge,), answers=_IMPORT_ANSWER,
        ),
    )  # fmt: skip
    words = "while the shop has blueprints"
    return (
        *(guard_route(route, _check_blueprints_enabled, words, errors=(*route.errors, NoRoute)) for route in found),
        Route(
            READ, f"{_PATH}/import-allowed", _read_import_allowed, {}, admin_permissions.require_launch_permission,
            answers=Object(properties={"import_allowed": Boolean()}),
        ),
    )  # fmt: skip


def _check_blueprints_enabled(call: Call) -> None:
    if not blueprint_export.is_blueprint_enabled(call.work):
        raise NoRoute(method=call.request.method, path=call.request.path)


def _export_blueprint(call: Call) -> Result:
    """Export a blueprint of the requested parts, without secrets and record ids."""
    wanted: dict[str, Any] = call.args["steps"]
    names = wanted.get("settings", [])
    unknown = [name for name in names if not blueprint_export.parse_part(name)]
    if unknown:
        known = ", ".join(blueprint_export.BLUEPRINT_PARTS)
        fault = Fault("rest_not_in_enum", f"There is no part {unknown[0]!r} of a shop; there are {known}.")
        raise InvalidParam({"steps": fault})
    parts = [blueprint_export.parse_part(name) for name in names]
    plugins = [name.partition("/")[0] for name in wanted.get("plugins", [])]
    steps = blueprint_export.export_blueprint(call.work, parts, plugins, wanted.get("themes", []))
    page = f"{call.work.base_path}/admin/admin.php?page=shop-admin"
    return Result({"data": {"landingPage": page, "steps": steps}, "type": "json"})


def _import_step(call: Call) -> Result:
    """Import one step of a blueprint; refused parts are reported, the rest is applied."""
    if len(call.request.body) > _STEP_BYTES:
        raise BlueprintStepTooLarge(most=_STEP_BYTES)
    done = run_step(call, call.args["step_definition"])
    return Result({"success": done.is_successful, "messages": done.messages})


def _read_import_allowed(call: Call) -> Result:
    """Tell whether blueprint steps may be imported: while the shop is closed to customers."""
    return Result({"import_allowed": blueprint_export.is_import_allowed(call.work)})

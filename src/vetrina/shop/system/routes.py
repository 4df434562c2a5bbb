"""Routes of the system status and its tools.

Not here: the tools themselves (shop/system/tools.py). Rules: docs/rules/shop_settings.md, 5 and 6.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.rest.call import Result
from vetrina.rest.field_selection import parse_field_selection
from vetrina.rest.fields import VIEW, Array, Boolean, Field, Object, String
from vetrina.rest.route import CHANGE, READ, Route
from vetrina.rest.serializer import Serializer
from vetrina.shop.permissions import require_update_permission, require_view_permission
from vetrina.shop.system import status, tools
from vetrina.shop.system.status_schema import STATUS_FIELDS
from vetrina.shop.system.tools import SystemStatusTool, SystemStatusToolNotFound

_PATH: Final = "/shop/v3/system_status"
_TOOLS: Final = f"{_PATH}/tools"
_TOOL: Final = rf"{_TOOLS}/{{id:[\w-]+}}"
_TOOL_ID: Final = String("Name of the tool.")

_PARTS: Final[dict[str, tuple[str, Callable[[UnitOfWork], Any]]]] = {
    "environment": ("Where the shop runs.", status.build_environment_info),
    "database": ("What is kept where.", status.build_database_info),
    "active_plugins": ("What is switched on.", status.list_plugin_info),
    "inactive_plugins": ("What is switched off.", lambda work: []),
    "dropins_mu_plugins": ("What is always on.", lambda work: {"dropins": [], "mu_plugins": []}),
    "theme": ("The theme.", status.build_theme_info),
    "settings": ("How the shop is set.", status.build_settings_info),
    "security": ("Whether it is served safely.", status.build_security_info),
    "pages": ("Its pages.", status.list_shop_pages),
    "post_type_counts": ("How many records of each type there are.", status.count_post_types),
    "logging": (
        "How much is logged.",
        lambda work: {
            "logging_enabled": True,
            "default_handler": "stderr",
            "retention_period_days": 0,
            "level_threshold": work.site.settings.log,
            "log_directory_size": "0 B",
        },
    ),
}
_LISTS: Final = frozenset({"active_plugins", "inactive_plugins", "pages", "post_type_counts"})
_MEMBERS: Final[dict[str, Field]] = {
    name: Array(help, context=(VIEW,), readonly=True)
    if name in _LISTS
    else Object(help, context=(VIEW,), readonly=True)
    for name, (help, _) in _PARTS.items()
}
_TOOL_MEMBERS: Final[dict[str, Field]] = {
    "id": String("Name of the tool.", context=(VIEW, "edit"), readonly=True),
    "name": String("Its name as people read it.", context=(VIEW, "edit"), readonly=True),
    "action": String("What its button says.", context=(VIEW, "edit"), readonly=True),
    "description": String("What it does.", context=(VIEW, "edit"), readonly=True),
    "success": Boolean("Whether it did its work.", context=("edit",), readonly=True),
    "message": String("What it did.", context=("edit",), readonly=True),
}
_TOOL_SERIALIZER: Final = Serializer(_TOOL_MEMBERS, {})


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of the system status."""
    one = {"id": _TOOL_ID}
    confirm = {"confirm": Boolean("Whether the tool is really meant.", default=False, null="keep")}
    return (
        Route(
            READ,
            _PATH,
            _read_system_status,
            {},
            require_view_permission,
            _build_status_schema,
            response_fields=STATUS_FIELDS,
        ),
        Route(READ, _TOOLS, _list_tools, {}, require_view_permission, _build_tool_schema, answers="many"),
        Route(
            READ,
            _TOOL,
            _read_tool,
            one,
            require_view_permission,
            _build_tool_schema,
            errors=(SystemStatusToolNotFound,),
        ),
        Route(
            CHANGE,
            _TOOL,
            _run_tool,
            {**one, **confirm},
            require_update_permission,
            _build_tool_schema,
            errors=(SystemStatusToolNotFound,),
        ),
    )


def _build_status_schema() -> dict[str, Any]:
    return Serializer(_MEMBERS, {}).schema("system_status")


def _build_tool_schema() -> dict[str, Any]:
    return _TOOL_SERIALIZER.schema("system_status_tool")


def _read_system_status(call: Call) -> Result:
    """Read the status of the shop: environment, database, theme, settings; computes only the requested parts."""
    call.work.mark_time_dependent()
    wanted = parse_field_selection(call.request.raw("_fields"))
    return Result(
        {name: read(call.work) for name, (_, read) in _PARTS.items() if wanted is None or name in wanted.tree}
    )


def _serialize_tool(one: SystemStatusTool) -> dict[str, Any]:
    return {"id": one.id, "name": one.name, "action": one.action, "description": one.description}


def _build_links(call: Call, one: SystemStatusTool) -> dict[str, Any]:
    return {"item": [{"href": call.work.api(f"{_TOOLS}/{one.id}"), "embeddable": True}]}


def _list_tools(call: Call) -> Result:
    wanted = parse_field_selection(call.request.raw("_fields"))
    body = []
    for one in tools.SYSTEM_STATUS_TOOLS.values():
        members = _serialize_tool(one)
        if wanted is None or wanted.has_links():
            members["_links"] = _build_links(call, one)
        body.append(members)
    return Result(body)


def _read_tool(call: Call) -> Result:
    one = tools.get_tool(call.args["id"])
    return Result(_serialize_tool(one), rels=_build_links(call, one), keeps_links=True)


def _run_tool(call: Call) -> Result:
    """Run a tool."""
    one = tools.get_tool(call.args["id"])
    note_id = str(call.request.raw("note_id") or "")
    success, message = tools.run_tool(
        call.work, one, int(note_id) if note_id.isascii() and note_id.isdecimal() and len(note_id) < 16 else 0
    )
    return Result(
        {**_serialize_tool(one), "success": success, "message": message}, rels=_build_links(call, one), keeps_links=True
    )

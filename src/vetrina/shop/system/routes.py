"""The status of the system, and the tools that go with it.

Not here: what the tools do (shop/system/tools.py). Rules: facts, "Taxes, settings, shipping, gateways, data"; the
recording of the system status.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from vetrina.core.unit_of_work import Frame, Work
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import VIEW, Array, Boolean, Field, Object, String
from vetrina.rest.route import CHANGE, READ, Route
from vetrina.rest.serializer import Shape, choice
from vetrina.shop.permissions import updating, viewing
from vetrina.shop.system import status, tools
from vetrina.shop.system.status_schema import STATUS
from vetrina.shop.system.tools import Tool, ToolUnknown

__all__ = ["routes"]

_PATH: Final = "/shop/v3/system_status"
_TOOLS: Final = f"{_PATH}/tools"
_TOOL: Final = rf"{_TOOLS}/{{id:[\w-]+}}"
_WORD: Final = String("Name of the tool.")

_PARTS: Final[dict[str, tuple[str, Callable[[Work], Any]]]] = {
    "environment": ("Where the shop runs.", status.environment),
    "database": ("What is kept where.", status.database),
    "active_plugins": ("What is switched on.", status.plugins),
    "inactive_plugins": ("What is switched off.", lambda work: []),
    "dropins_mu_plugins": ("What is always on.", lambda work: {"dropins": [], "mu_plugins": []}),
    "theme": ("The theme.", status.theme_info),
    "settings": ("How the shop is set.", status.shop_settings),
    "security": ("Whether it is served safely.", status.security),
    "pages": ("Its pages.", status.pages),
    "post_type_counts": ("How many records of each type there are.", status.post_type_counts),
    "logging": (
        "How much is logged.",
        lambda work: {
            "logging_enabled": True,
            "default_handler": "stderr",
            "retention_period_days": 0,
            "level_threshold": work.frame.settings.log,
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
_SHAPE: Final = Shape(_TOOL_MEMBERS, {})


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of the system status."""
    one = {"id": _WORD}
    confirm = {"confirm": Boolean("Whether the tool is really meant.", default=False, null="keep")}
    return (
        Route(READ, _PATH, _read, {}, viewing, _schema, shows=STATUS),
        Route(READ, _TOOLS, _listed, {}, viewing, _tool_schema, answers="many"),
        Route(READ, _TOOL, _shown, one, viewing, _tool_schema, errors=(ToolUnknown,)),
        Route(CHANGE, _TOOL, _run, {**one, **confirm}, updating, _tool_schema, errors=(ToolUnknown,)),
    )


def _schema() -> dict[str, Any]:
    return Shape(_MEMBERS, {}).schema("system_status")


def _tool_schema() -> dict[str, Any]:
    return _SHAPE.schema("system_status_tool")


def _read(call: Call) -> Result:
    """Tell how the shop runs: environment, database, theme, settings; a part that is not asked for is not looked up."""
    call.work.passes()
    wanted = choice(call.request.raw("_fields"))
    return Result(
        {name: read(call.work) for name, (_, read) in _PARTS.items() if wanted is None or name in wanted.tree}
    )


def _body(one: Tool) -> dict[str, Any]:
    return {"id": one.id, "name": one.name, "action": one.action, "description": one.description}


def _links(call: Call, one: Tool) -> dict[str, Any]:
    return {"item": [{"href": call.work.api(f"{_TOOLS}/{one.id}"), "embeddable": True}]}


def _listed(call: Call) -> Result:
    wanted = choice(call.request.raw("_fields"))
    body = []
    for one in tools.TOOLS.values():
        members = _body(one)
        if wanted is None or wanted.names_links():
            members["_links"] = _links(call, one)
        body.append(members)
    return Result(body)


def _shown(call: Call) -> Result:
    one = tools.existing(call.args["id"])
    return Result(_body(one), rels=_links(call, one), keeps_links=True)


def _run(call: Call) -> Result:
    """Run one of the tools."""
    one = tools.existing(call.args["id"])
    named = str(call.request.raw("note_id") or "")
    success, message = tools.run(
        call.work, one, int(named) if named.isascii() and named.isdecimal() and len(named) < 16 else 0
    )
    return Result({**_body(one), "success": success, "message": message}, rels=_links(call, one), keeps_links=True)

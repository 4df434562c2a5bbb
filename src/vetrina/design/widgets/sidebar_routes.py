"""The routes of sidebars.

Rules: docs/rules/themes.md, 7.
"""

from __future__ import annotations

from typing import Any

from vetrina.core.call import Call
from vetrina.core.unit_of_work import SiteContext, UnitOfWork
from vetrina.design.widgets import rules as widgets
from vetrina.design.widgets.permissions import (
    SIDEBARS_PATH,
    WIDGETS_PATH,
    CannotManageWidgets,
    require_manage_permission,
)
from vetrina.design.widgets.rules import Sidebar
from vetrina.kernel.errors import ApiError, Failure
from vetrina.rest.call import Result
from vetrina.rest.common_arguments import build_context_argument
from vetrina.rest.fields import EDIT, EMBED, VIEW, Array, String
from vetrina.rest.route import CHANGE, READ, Route
from vetrina.rest.serializer import CURIES, Serializer, build_link, parse_field_selection

__all__ = ["build_routes"]

_ALL = (VIEW, EDIT, EMBED)


class SidebarNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_sidebar_not_found"
    message = "There is no place for widgets with the name {id!r}."


def build_routes(frame: SiteContext) -> tuple[Route, ...]:
    """Return the routes of sidebars."""
    id, context, errors = (
        {"id": String("Name of the place.")},
        {"context": build_context_argument()},
        (CannotManageWidgets,),
    )
    given = {**id, "widgets": Array("Names of its widgets.", items=String())}
    item = rf"{SIDEBARS_PATH}/{{id:[\w-]+}}"
    return (
        Route(
            READ,
            SIDEBARS_PATH,
            _list_sidebars,
            context,
            require_manage_permission,
            _build_sidebar_schema,
            errors=errors,
            answers="many",
        ),
        Route(
            READ,
            item,
            _read_sidebar,
            {**id, **context},
            require_manage_permission,
            _build_sidebar_schema,
            errors=(*errors, SidebarNotFound),
        ),
        Route(CHANGE, item, _update_sidebar, given, require_manage_permission, _build_sidebar_schema, errors=errors),
    )


def _list_sidebars(call: Call) -> Result:
    """List the sidebars."""
    work = call.work
    wanted = parse_field_selection(call.request.raw("_fields"))
    body = []
    for one in widgets.list_sidebars(work.frame):
        members = _SIDEBAR_SERIALIZER.serialize(one, work, call.args["context"], wanted)
        if wanted is None or wanted.has_links():
            members["_links"] = _build_sidebar_links(work, one)
        body.append(members)
    return Result(body)


def _read_sidebar(call: Call) -> Result:
    """Read one sidebar."""
    found = widgets.find_sidebar(call.work.frame, call.args["id"])
    if found is None:
        raise SidebarNotFound(id=call.args["id"])
    return _build_sidebar_result(call, found, call.args["context"])


def _update_sidebar(call: Call) -> Result:
    """Set which widgets are in a sidebar, and their order."""
    work = call.work
    id = call.args["id"]
    if (ids := call.args.get("widgets")) is not None:
        widgets.set_sidebar_widgets(work, id, ids)
    found = widgets.find_sidebar(work.frame, id)
    if found is not None:
        return _build_sidebar_result(call, found, EDIT)
    # A sidebar that the profile does not declare cannot be read again by its id.
    members = _SIDEBAR_SERIALIZER.serialize(Sidebar(id), work, EDIT)
    for name in ("id", "name"):
        members.pop(name, None)
    links = {
        "collection": [build_link(work.api(SIDEBARS_PATH))],
        "self": [build_link(work.api(f"{SIDEBARS_PATH}/"))],
        "cms:widget": [build_link(work.api(WIDGETS_PATH), embeddable=True)],
        "curies": CURIES,
    }
    return Result(members, rels=links)


def _build_sidebar_result(call: Call, sidebar: Sidebar, context: str) -> Result:
    members = _SIDEBAR_SERIALIZER.serialize(
        sidebar, call.work, context, parse_field_selection(call.request.raw("_fields"))
    )
    return Result(members, rels=_build_sidebar_links(call.work, sidebar))


def _build_sidebar_links(work: UnitOfWork, sidebar: Sidebar) -> dict[str, Any]:
    return {
        "collection": [build_link(work.api(SIDEBARS_PATH))],
        "self": [build_link(work.api(f"{SIDEBARS_PATH}/{sidebar.id}"), targetHints={"allow": [*READ, *CHANGE]})],
        "cms:widget": [build_link(work.api(f"{WIDGETS_PATH}?sidebar={sidebar.id}"), embeddable=True)],
        "curies": CURIES,
    }


def _build_text_field(help: str) -> String:
    return String(help, default="", context=_ALL, readonly=True)


_SIDEBAR_SERIALIZER = Serializer(
    {
        "id": String("Name of the place.", context=_ALL, readonly=True),
        "name": String("What people call it.", context=_ALL, readonly=True),
        "description": String("What it is for.", context=_ALL, readonly=True),
        "class": String("Class name in the site's back office.", context=_ALL, readonly=True),
        "before_widget": _build_text_field("Markup in front of each widget."),
        "after_widget": _build_text_field("Markup behind each widget."),
        "before_title": _build_text_field("Markup in front of each widget's title."),
        "after_title": _build_text_field("Markup behind each widget's title."),
        "status": String("Whether readers see it.", enum=("active", "inactive"), context=_ALL, readonly=True),
        "widgets": Array("Names of its widgets, in their order.", items=String(), default=[], context=_ALL),
    },
    {
        "id": lambda one, work: one.id,
        "name": lambda one, work: one.name,
        "description": lambda one, work: one.description,
        "class": lambda one, work: one.css_class,
        "before_widget": lambda one, work: one.before_widget,
        "after_widget": lambda one, work: one.after_widget,
        "before_title": lambda one, work: one.before_title,
        "after_title": lambda one, work: one.after_title,
        "status": lambda one, work: "active" if one.is_active else "inactive",
        "widgets": lambda one, work: [widget.id for widget in widgets.list_sidebar_widgets(work, one.id)],
    },
)


def _build_sidebar_schema() -> dict[str, Any]:
    return _SIDEBAR_SERIALIZER.schema("sidebar")

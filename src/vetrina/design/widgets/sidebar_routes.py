"""The routes of sidebars.

Rules: docs/rules/themes.md, 7.
"""

from __future__ import annotations

from typing import Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
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
from vetrina.rest.resource import Links, ListPage, Operation, Resource
from vetrina.rest.route import CHANGE, READ, Route
from vetrina.rest.serializer import CURIES, Serializer, build_link, read_attributes

_ALL = (VIEW, EDIT, EMBED)


class SidebarNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_sidebar_not_found"
    message = "There is no place for widgets with the name {id!r}."


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of sidebars."""
    update = Route(
        CHANGE, f"{SIDEBARS.path}/{SIDEBARS.item}", _update_sidebar,
        {**SIDEBARS.key, "widgets": Array("Names of its widgets.", items=String())}, require_manage_permission,
        SIDEBARS.build_schema, errors=(CannotManageWidgets,),
    )  # fmt: skip
    return (*SIDEBARS.build_routes(), update)


def _list_sidebars(call: Call) -> ListPage[Sidebar]:
    return ListPage(widgets.list_sidebars(call.work.site))


def _get_sidebar(call: Call) -> Sidebar:
    found = widgets.find_sidebar(call.work.site, call.args["id"])
    if found is None:
        raise SidebarNotFound(id=call.args["id"])
    return found


def _update_sidebar(call: Call) -> Result:
    """Set which widgets are in a sidebar, and their order."""
    work = call.work
    id = call.args["id"]
    if (ids := call.args.get("widgets")) is not None:
        widgets.set_sidebar_widgets(work, id, ids)
    found = widgets.find_sidebar(work.site, id)
    if found is not None:
        return SIDEBARS.build_result(call, found)
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


def _build_sidebar_links(call: Call, sidebar: Sidebar) -> Links:
    work = call.work
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
        "id": String("Name of the place.", context=_ALL, readonly=True, optional=True),
        "name": String("What people call it.", context=_ALL, readonly=True, optional=True),
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
        **read_attributes(
            "id", "name", "description", "before_widget", "after_widget", "before_title", "after_title",
            **{"class": "css_class"},
        ),
        "status": lambda one, work: "active" if one.is_active else "inactive",
        "widgets": lambda one, work: [widget.id for widget in widgets.list_sidebar_widgets(work, one.id)],
    },
)  # fmt: skip

SIDEBARS: Final = Resource(
    title="sidebar",
    path=SIDEBARS_PATH,
    item=r"{id:[\w-]+}",
    key={"id": String("Name of the place.")},
    serializer=_SIDEBAR_SERIALIZER,
    build_links=_build_sidebar_links,
    list=Operation(
        _list_sidebars, require_manage_permission, {"context": build_context_argument()}, (CannotManageWidgets,),
        summary="List the sidebars.",
    ),
    read=Operation(
        _get_sidebar, require_manage_permission, errors=(CannotManageWidgets, SidebarNotFound),
        summary="Read one sidebar.",
    ),
)  # fmt: skip

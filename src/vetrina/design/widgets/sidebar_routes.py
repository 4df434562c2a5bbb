"""The places where widgets stand.

Rules: facts, "Themes, plugins, blocks, widgets, health, helpers, abilities".
"""

from __future__ import annotations

from typing import Any

from vetrina.core.unit_of_work import Frame, Work
from vetrina.design.widgets import rules as widgets
from vetrina.design.widgets.permissions import SIDEBARS, WIDGETS, CannotManage, may_manage
from vetrina.design.widgets.rules import Place
from vetrina.kernel.errors import ApiError
from vetrina.rest.call import Call, Result
from vetrina.rest.common_arguments import context
from vetrina.rest.fields import EDIT, EMBED, VIEW, Array, String
from vetrina.rest.route import CHANGE, READ, Route
from vetrina.rest.serializer import CURIES, Shape, choice, link

__all__ = ["routes"]

_ALL = (VIEW, EDIT, EMBED)


class PlaceUnknown(ApiError):
    status, code = 404, "rest_sidebar_not_found"
    message = "There is no place for widgets with the name {id!r}."


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of the places for widgets."""
    id, asked, errors = {"id": String("Name of the place.")}, {"context": context()}, (CannotManage,)
    given = {**id, "widgets": Array("Names of its widgets.", items=String())}
    item = rf"{SIDEBARS}/{{id:[\w-]+}}"
    return (
        Route(READ, SIDEBARS, _places, asked, may_manage, _place_schema, errors=errors, answers="many"),
        Route(READ, item, _place, {**id, **asked}, may_manage, _place_schema, errors=(*errors, PlaceUnknown)),
        Route(CHANGE, item, _place_changed, given, may_manage, _place_schema, errors=errors),
    )


def _places(call: Call) -> Result:
    """List the places for widgets."""
    work: Work = call.work
    wanted = choice(call.request.raw("_fields"))
    body = []
    for one in widgets.places(work.frame):
        members = _PLACE.members(one, work, call.args["context"], wanted)
        if wanted is None or wanted.names_links():
            members["_links"] = _place_links(work, one)
        body.append(members)
    return Result(body)


def _place(call: Call) -> Result:
    """Read one place for widgets."""
    found = widgets.place(call.work.frame, call.args["id"])
    if found is None:
        raise PlaceUnknown(id=call.args["id"])
    return _place_shown(call, found, call.args["context"])


def _place_changed(call: Call) -> Result:
    """Set which widgets stand in a place, in which order."""
    work: Work = call.work
    id = call.args["id"]
    if (ids := call.args.get("widgets")) is not None:
        widgets.set_place(work, id, ids)
    found = widgets.place(work.frame, id)
    if found is not None:
        return _place_shown(call, found, EDIT)
    # A place that the profile does not know has no name by which it could be asked for again.
    members = _PLACE.members(Place(id), work, EDIT)
    for name in ("id", "name"):
        members.pop(name, None)
    links = {
        "collection": [link(work.api(SIDEBARS))],
        "self": [link(work.api(f"{SIDEBARS}/"))],
        "cms:widget": [link(work.api(WIDGETS), embeddable=True)],
        "curies": CURIES,
    }
    return Result(members, rels=links)


def _place_shown(call: Call, place: Place, context: str) -> Result:
    members = _PLACE.members(place, call.work, context, choice(call.request.raw("_fields")))
    return Result(members, rels=_place_links(call.work, place))


def _place_links(work: Work, place: Place) -> dict[str, Any]:
    return {
        "collection": [link(work.api(SIDEBARS))],
        "self": [link(work.api(f"{SIDEBARS}/{place.id}"), targetHints={"allow": [*READ, *CHANGE]})],
        "cms:widget": [link(work.api(f"{WIDGETS}?sidebar={place.id}"), embeddable=True)],
        "curies": CURIES,
    }


def _said(help: str) -> String:
    return String(help, default="", context=_ALL, readonly=True)


_PLACE = Shape(
    {
        "id": String("Name of the place.", context=_ALL, readonly=True),
        "name": String("What people call it.", context=_ALL, readonly=True),
        "description": String("What it is for.", context=_ALL, readonly=True),
        "class": String("Class name in the site's back office.", context=_ALL, readonly=True),
        "before_widget": _said("Markup in front of each widget."),
        "after_widget": _said("Markup behind each widget."),
        "before_title": _said("Markup in front of each widget's title."),
        "after_title": _said("Markup behind each widget's title."),
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
        "status": lambda one, work: "active" if one.active else "inactive",
        "widgets": lambda one, work: [widget.id for widget in widgets.widgets_of(work, one.id)],
    },
)


def _place_schema() -> dict[str, Any]:
    return _PLACE.schema("sidebar")

"""Widgets.

Rules: facts, "Themes, plugins, blocks, widgets, health, helpers, abilities".
"""

from __future__ import annotations

from typing import Any

from vetrina.core.unit_of_work import Frame, Work
from vetrina.design.widgets import rules as widgets
from vetrina.design.widgets import widget_types
from vetrina.design.widgets.instance_schema import given, instance
from vetrina.design.widgets.permissions import SIDEBARS, TYPES, WIDGETS, CannotManage, may_manage
from vetrina.design.widgets.rules import INACTIVE, InvalidWidget, Widget
from vetrina.kernel.errors import ApiError
from vetrina.rest.call import Call, Result
from vetrina.rest.common_arguments import context
from vetrina.rest.fields import ABSENT, EDIT, EMBED, VIEW, Boolean, Field, Object, String
from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import CURIES, Shape, choice, link

__all__ = ["routes"]

_ALL = (VIEW, EDIT, EMBED)
_EDITED = (EDIT,)


class WidgetUnknown(ApiError):
    status, code = 404, "rest_widget_not_found"
    message = "There is no widget {id!r}."


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of widgets."""
    id, asked = {"id": String("Name of the widget.")}, {"context": context()}
    force = {"force": Boolean("Whether to remove it for good; else it becomes inactive.")}
    filters = {**asked, "sidebar": String("Keep the widgets of this place.")}
    errors = (CannotManage, WidgetUnknown, InvalidWidget)
    item = rf"{WIDGETS}/{{id:[\w-]+}}"
    return (
        Route(READ, WIDGETS, _listed, filters, may_manage, _widget_schema, True, errors=errors, answers="many"),
        Route(WRITE, WIDGETS, _created, _arguments(creating=True), may_manage, _widget_schema, True, errors=errors),
        Route(READ, item, _read, {**id, **asked}, may_manage, _widget_schema, True, errors=errors),
        Route(CHANGE, item, _changed, {**id, **_arguments()}, may_manage, _widget_schema, True, errors=errors),
        Route(REMOVE, item, _removed, {**id, **force}, may_manage, _widget_schema, True, errors=errors),
    )


def _arguments(creating: bool = False) -> dict[str, Field]:
    """Return the members that a write may give."""
    return {
        **({"id": String("Name of the widget.")} if creating else {}),
        "id_base": String("Kind of the widget."),
        "sidebar": String("Place where it stands.", default=INACTIVE if creating else ABSENT),
        "instance": Object(
            "Settings of the widget.",
            properties={
                "encoded": String("Settings in encoded form."),
                "hash": String("Digest of the encoded settings."),
                "raw": Object("Settings as they are."),
            },
        ),
        "form_data": String("Values of the widget's form, as a form sends them."),
    }


def _widget(call: Call) -> Widget:
    found = widgets.by_id(call.work, call.args["id"])
    if found is None:
        raise WidgetUnknown(id=call.args["id"])
    return found


def _listed(call: Call) -> Result:
    work: Work = call.work
    sidebar = call.args.get("sidebar")
    wanted = choice(call.request.raw("_fields"))
    body = []
    for one in widgets.every(work) if sidebar is None else widgets.widgets_of(work, sidebar):
        members = _WIDGET.members(one, work, call.args["context"], wanted)
        if wanted is None or wanted.names_links():
            members["_links"] = _widget_links(work, one)
        body.append(members)
    return Result(body)


def _read(call: Call) -> Result:
    return _shown(call, _widget(call), call.args["context"])


def _created(call: Call) -> Result:
    work: Work = call.work
    base = call.args.get("id_base")
    if not base:
        raise InvalidWidget(reason="A new widget needs its kind, `id_base`.")
    type = widget_types.TYPES.get(base)
    if type is None:
        raise InvalidWidget(reason=f"There is no kind of widget with the name {base!r}.")
    settings = given(work, type, call.args)
    result = _shown(call, widgets.create(work, type, settings or {}, call.args["sidebar"]), EDIT)
    result.status = 201
    return result


def _changed(call: Call) -> Result:
    work: Work = call.work
    widget = _widget(call)
    type = widget.type
    if type is not None and (settings := given(work, type, call.args)) is not None:
        widget = widgets.change(work, widget, settings)
    if (sidebar := call.args.get("sidebar")) is not None:
        widget = widgets.move(work, widget, sidebar)
    return _shown(call, widget, EDIT)


def _removed(call: Call) -> Result:
    work: Work = call.work
    widget = _widget(call)
    if not call.args.get("force"):
        return _shown(call, widgets.move(work, widget, INACTIVE), EDIT)
    previous = _WIDGET.members(widget, work, EDIT)
    links = _widget_links(work, widget)
    widgets.remove(work, widget)
    return Result({"deleted": True, "previous": previous}, rels=links)


def _shown(call: Call, widget: Widget, context: str) -> Result:
    members = _WIDGET.members(widget, call.work, context, choice(call.request.raw("_fields")))
    return Result(members, rels=_widget_links(call.work, widget))


def _widget_links(work: Work, widget: Widget) -> dict[str, Any]:
    allowed = {"allow": [*READ, *CHANGE, *REMOVE]}
    return {
        "self": [link(work.api(f"{WIDGETS}/{widget.id}"), targetHints=allowed)],
        "collection": [link(work.api(WIDGETS))],
        "about": [link(work.api(f"{TYPES}/{widget.id_base}"), embeddable=True)],
        "cms:sidebar": [link(work.api(f"{SIDEBARS}/{widget.sidebar}/"))],
        "curies": CURIES,
    }


def _form(widget: Widget, work: Work) -> str:
    return widget.type.form(widget.number, widget.settings) if widget.type else ""


_WIDGET = Shape(
    {
        "id": String("Name of the widget.", context=_ALL),
        "id_base": String("Kind of the widget.", context=_ALL),
        "sidebar": String("Place where it stands.", context=_ALL, required=True, default=INACTIVE),
        "rendered": String("What it shows, as HTML.", context=_ALL, readonly=True),
        "rendered_form": String("Form that changes it, as HTML.", context=_EDITED, readonly=True),
        "instance": Object(
            "Settings of the widget.",
            properties={
                "encoded": String("Settings in encoded form.", context=_EDITED),
                "hash": String("Digest of the encoded settings.", context=_EDITED),
                "raw": Object("Settings as they are.", context=_EDITED),
            },
            context=_EDITED,
        ),
        "form_data": String("Values of the widget's form.", context=()),
    },
    {
        "id": lambda one, work: one.id,
        "id_base": lambda one, work: one.id_base,
        "sidebar": lambda one, work: one.sidebar,
        "rendered": lambda one, work: widgets.rendered(work, one),
        "rendered_form": _form,
        "instance": lambda one, work: instance(work, one.settings),
    },
)


def _widget_schema() -> dict[str, Any]:
    return _WIDGET.schema("widget")

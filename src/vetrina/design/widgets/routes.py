"""The routes of widgets.

Rules: docs/rules/themes.md, 8, 9 and 10.
"""

from __future__ import annotations

from typing import Any

from vetrina.core.call import Call
from vetrina.core.unit_of_work import SiteContext, UnitOfWork
from vetrina.design.widgets import rules as widgets, widget_types
from vetrina.design.widgets.instance_schema import parse_settings, serialize_instance
from vetrina.design.widgets.permissions import (
    SIDEBARS_PATH,
    WIDGET_TYPES_PATH,
    WIDGETS_PATH,
    CannotManageWidgets,
    require_manage_permission,
)
from vetrina.design.widgets.rules import INACTIVE_SIDEBAR, InvalidWidgetSettings, SiteWidget
from vetrina.kernel.errors import ApiError, Failure
from vetrina.rest.call import Result
from vetrina.rest.common_arguments import build_context_argument
from vetrina.rest.fields import ABSENT, EDIT, EMBED, VIEW, Boolean, Field, Object, String
from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import CURIES, Serializer, build_link, parse_field_selection

__all__ = ["build_routes"]

_ALL = (VIEW, EDIT, EMBED)
_EDITED = (EDIT,)


class WidgetNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_widget_not_found"
    message = "There is no widget {id!r}."


def build_routes(frame: SiteContext) -> tuple[Route, ...]:
    """Return the routes of widgets."""
    id, context = {"id": String("Name of the widget.")}, {"context": build_context_argument()}
    force = {"force": Boolean("Whether to remove it for good; else it becomes inactive.")}
    filters = {**context, "sidebar": String("Keep the widgets of this place.")}
    errors = (CannotManageWidgets, WidgetNotFound, InvalidWidgetSettings)
    item = rf"{WIDGETS_PATH}/{{id:[\w-]+}}"
    return (
        Route(
            READ,
            WIDGETS_PATH,
            _list_widgets,
            filters,
            require_manage_permission,
            _build_widget_schema,
            True,
            errors=errors,
            answers="many",
        ),
        Route(
            WRITE,
            WIDGETS_PATH,
            _create_widget,
            _build_write_arguments(creating=True),
            require_manage_permission,
            _build_widget_schema,
            True,
            errors=errors,
        ),
        Route(
            READ,
            item,
            _read_widget,
            {**id, **context},
            require_manage_permission,
            _build_widget_schema,
            True,
            errors=errors,
        ),
        Route(
            CHANGE,
            item,
            _update_widget,
            {**id, **_build_write_arguments()},
            require_manage_permission,
            _build_widget_schema,
            True,
            errors=errors,
        ),
        Route(
            REMOVE,
            item,
            _delete_widget,
            {**id, **force},
            require_manage_permission,
            _build_widget_schema,
            True,
            errors=errors,
        ),
    )


def _build_write_arguments(creating: bool = False) -> dict[str, Field]:
    """Return the arguments of a write."""
    return {
        **({"id": String("Name of the widget.")} if creating else {}),
        "id_base": String("Kind of the widget."),
        "sidebar": String("Place where it stands.", default=INACTIVE_SIDEBAR if creating else ABSENT),
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


def _get_widget(call: Call) -> SiteWidget:
    found = widgets.find_widget(call.work, call.args["id"])
    if found is None:
        raise WidgetNotFound(id=call.args["id"])
    return found


def _list_widgets(call: Call) -> Result:
    work = call.work
    sidebar = call.args.get("sidebar")
    wanted = parse_field_selection(call.request.raw("_fields"))
    body = []
    for one in widgets.list_widgets(work) if sidebar is None else widgets.list_sidebar_widgets(work, sidebar):
        members = _WIDGET_SERIALIZER.serialize(one, work, call.args["context"], wanted)
        if wanted is None or wanted.has_links():
            members["_links"] = _build_widget_links(work, one)
        body.append(members)
    return Result(body)


def _read_widget(call: Call) -> Result:
    return _build_widget_result(call, _get_widget(call), call.args["context"])


def _create_widget(call: Call) -> Result:
    work = call.work
    base = call.args.get("id_base")
    if not base:
        raise InvalidWidgetSettings(reason="A new widget needs its kind, `id_base`.")
    type = widget_types.WIDGET_TYPES.get(base)
    if type is None:
        raise InvalidWidgetSettings(reason=f"There is no kind of widget with the name {base!r}.")
    settings = parse_settings(work, type, call.args)
    result = _build_widget_result(call, widgets.create_widget(work, type, settings or {}, call.args["sidebar"]), EDIT)
    result.status = 201
    return result


def _update_widget(call: Call) -> Result:
    work = call.work
    widget = _get_widget(call)
    type = widget.type
    if type is not None and (settings := parse_settings(work, type, call.args)) is not None:
        widget = widgets.update_widget(work, widget, settings)
    if (sidebar := call.args.get("sidebar")) is not None:
        widget = widgets.move_widget(work, widget, sidebar)
    return _build_widget_result(call, widget, EDIT)


def _delete_widget(call: Call) -> Result:
    work = call.work
    widget = _get_widget(call)
    if not call.args.get("force"):
        return _build_widget_result(call, widgets.move_widget(work, widget, INACTIVE_SIDEBAR), EDIT)
    previous = _WIDGET_SERIALIZER.serialize(widget, work, EDIT)
    links = _build_widget_links(work, widget)
    widgets.delete_widget(work, widget)
    return Result({"deleted": True, "previous": previous}, rels=links)


def _build_widget_result(call: Call, widget: SiteWidget, context: str) -> Result:
    members = _WIDGET_SERIALIZER.serialize(
        widget, call.work, context, parse_field_selection(call.request.raw("_fields"))
    )
    return Result(members, rels=_build_widget_links(call.work, widget))


def _build_widget_links(work: UnitOfWork, widget: SiteWidget) -> dict[str, Any]:
    allowed = {"allow": [*READ, *CHANGE, *REMOVE]}
    return {
        "self": [build_link(work.api(f"{WIDGETS_PATH}/{widget.id}"), targetHints=allowed)],
        "collection": [build_link(work.api(WIDGETS_PATH))],
        "about": [build_link(work.api(f"{WIDGET_TYPES_PATH}/{widget.id_base}"), embeddable=True)],
        "cms:sidebar": [build_link(work.api(f"{SIDEBARS_PATH}/{widget.sidebar}/"))],
        "curies": CURIES,
    }


def _render_form(widget: SiteWidget, work: UnitOfWork) -> str:
    return widget.type.render_form(widget.number, widget.settings) if widget.type else ""


_WIDGET_SERIALIZER = Serializer(
    {
        "id": String("Name of the widget.", context=_ALL),
        "id_base": String("Kind of the widget.", context=_ALL),
        "sidebar": String("Place where it stands.", context=_ALL, required=True, default=INACTIVE_SIDEBAR),
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
        "rendered": lambda one, work: widgets.render_widget(work, one),
        "rendered_form": _render_form,
        "instance": lambda one, work: serialize_instance(work, one.settings),
    },
)


def _build_widget_schema() -> dict[str, Any]:
    return _WIDGET_SERIALIZER.schema("widget")

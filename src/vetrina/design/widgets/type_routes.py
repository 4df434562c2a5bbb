"""Widget types: their description, and a preview of one with given settings.

Rules: docs/rules/themes.md, 11.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.design.widgets import widget_types
from vetrina.design.widgets.instance_schema import parse_form_settings, parse_settings, serialize_instance
from vetrina.design.widgets.permissions import WIDGET_TYPES_PATH, CannotManageWidgets, require_manage_permission
from vetrina.design.widgets.widget_types import WidgetType
from vetrina.kernel.errors import ApiError, Failure
from vetrina.rest.call import Result
from vetrina.rest.common_arguments import build_context_argument
from vetrina.rest.fields import EDIT, EMBED, VIEW, Boolean, Integer, Object, String
from vetrina.rest.resource import Links, ListPage, Operation, Resource
from vetrina.rest.response_fields import Free, build_text_fields
from vetrina.rest.route import READ, WRITE, Route
from vetrina.rest.serializer import Serializer, build_link, read_attributes

_ALL = (VIEW, EDIT, EMBED)
_ENCODED_RESULT: Final = Object(
    properties={
        "form": String("Markup of the form."),
        "preview": String("Markup of the widget."),
        "instance": Object(
            "Settings, as they are sent.",
            properties={
                **build_text_fields("encoded", "hash"),
                "raw": Free("Settings, as the kind of widget has them."),
            },
        ),
    }
)
_PREVIEW_RESULT: Final = Object(properties={"preview": String("A document that shows the widget.")})


class WidgetTypeNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_widget_type_invalid"
    message = "There is no kind of widget with the name {id!r}."


_ERRORS: Final = (CannotManageWidgets, WidgetTypeNotFound)


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of widget types."""
    settings = {
        "id": String("Name of the kind."),
        "instance": Object("Settings of the widget now."),
        "form_data": String("Values of the widget's form, as a form sends them."),
    }
    preview = {name: settings[name] for name in ("id", "instance")}
    encoded = {**settings, "number": Integer("Number of the widget in the names of the form's fields.", default=-1)}
    item = f"{WIDGET_KINDS.path}/{WIDGET_KINDS.item}"
    return (
        *WIDGET_KINDS.build_routes(),
        Route(
            WRITE, f"{item}/encode", _encode_widget, encoded, _require_type_permission, read=True, errors=_ERRORS,
            answers=_ENCODED_RESULT,
        ),
        Route(
            WRITE, f"{item}/render", _preview_widget, preview, _require_type_permission, read=True, errors=_ERRORS,
            answers=_PREVIEW_RESULT,
        ),
    )  # fmt: skip


def _require_type_permission(call: Call) -> None:
    """Those who design the site (`edit_theme_options`)."""
    require_manage_permission(call)
    _get_widget_type(call)


def _get_widget_type(call: Call) -> WidgetType:
    id = call.args.get("id")
    found = widget_types.WIDGET_TYPES.get(id) if isinstance(id, str) else None
    if found is None:
        raise WidgetTypeNotFound(id=id)
    return found


def _list_widget_types(call: Call) -> ListPage[WidgetType]:
    return ListPage([*widget_types.WIDGET_TYPES.values()])


def _build_links(call: Call, type: WidgetType) -> Links:
    self = build_link(call.work.api(f"{WIDGET_TYPES_PATH}/{type.id}"), targetHints={"allow": list(READ)})
    return {"collection": [build_link(call.work.api(WIDGET_TYPES_PATH))], "self": [self]}


def _encode_widget(call: Call) -> Result:
    """Check the settings of a widget, or those of its form, and return its form and a preview."""
    work = call.work
    type = _get_widget_type(call)
    settings = _get_current_settings(call, type)
    # An editor sends the widget's previous settings together with its form, which is newer.
    if (form := call.args.get("form_data")) and (newer := parse_form_settings(type, form)) is not None:
        settings = type.clean_settings(work, newer)
    preview = f'<div class="widget {type.css_class}">{type.render(work, settings)}</div>'
    fields = type.render_form(call.args["number"], settings)
    return Result({"form": fields, "preview": preview, "instance": serialize_instance(work, settings)})


def _preview_widget(call: Call) -> Result:
    """Render a widget with the given settings as a page of its own."""
    work = call.work
    type = _get_widget_type(call)
    html = f'<div class="widget {type.css_class}">{type.render(work, _get_current_settings(call, type))}</div>'
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    return Result({"preview": f"<!doctype html><html><head>{head}</head><body>{html}</body></html>"})


def _get_current_settings(call: Call, type: WidgetType) -> dict[str, Any]:
    """Return the current settings of the widget, empty for a new one. Raises InvalidWidgetSettings."""
    instance = call.args.get("instance")
    return (parse_settings(call.work, type, {"instance": instance}) if instance else None) or {}


_WIDGET_TYPE_SERIALIZER = Serializer(
    {
        "id": String("Name of the kind.", context=_ALL, readonly=True),
        "name": String("What people call it.", default="", context=_ALL, readonly=True),
        "description": String("What its widgets show.", default="", context=_ALL),
        "is_multi": Boolean("Whether there may be several.", context=_ALL, readonly=True),
        "classname": String("Class name of its widgets.", default="", context=_ALL, readonly=True),
    },
    {**read_attributes("id", "name", description="about", classname="css_class"), "is_multi": lambda one, work: True},
)

WIDGET_KINDS: Final = Resource(
    title="widget-type",
    path=WIDGET_TYPES_PATH,
    item="{id:[a-zA-Z0-9_-]+}",
    key={"id": String("Name of the kind.")},
    serializer=_WIDGET_TYPE_SERIALIZER,
    build_links=_build_links,
    list=Operation(
        _list_widget_types, require_manage_permission, {"context": build_context_argument()}, (CannotManageWidgets,),
        summary="List the widget types.",
    ),
    read=Operation(_get_widget_type, _require_type_permission, errors=_ERRORS, summary="Read one widget type."),
)  # fmt: skip

"""The kinds of widgets: what they are, and how one with given settings looks.

Rules: facts, "Themes, plugins, blocks, widgets, health, helpers, abilities".
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.unit_of_work import Frame, Work
from vetrina.design.widgets import widget_types
from vetrina.design.widgets.instance_schema import given, instance, of_form
from vetrina.design.widgets.permissions import TYPES, CannotManage, may_manage
from vetrina.design.widgets.widget_types import WidgetType
from vetrina.kernel.errors import ApiError
from vetrina.rest.call import Call, Result
from vetrina.rest.common_arguments import context
from vetrina.rest.fields import EDIT, EMBED, VIEW, Boolean, Integer, Object, String
from vetrina.rest.response_fields import Free, texts
from vetrina.rest.route import READ, WRITE, Route
from vetrina.rest.serializer import Shape, choice, link

__all__ = ["routes"]

_ALL = (VIEW, EDIT, EMBED)
_ENCODED: Final = Object(
    properties={
        "form": String("Markup of the form."),
        "preview": String("Markup of the widget."),
        "instance": Object(
            "Settings, as they are sent.",
            properties={**texts("encoded", "hash"), "raw": Free("Settings, as the kind of widget has them.")},
        ),
    }
)
_PREVIEW: Final = Object(properties={"preview": String("A document that shows the widget.")})


class TypeUnknown(ApiError):
    status, code = 404, "rest_widget_type_invalid"
    message = "There is no kind of widget with the name {id!r}."


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of the kinds of widgets."""
    settings = {
        "id": String("Name of the kind."),
        "instance": Object("Settings of the widget now."),
        "form_data": String("Values of the widget's form, as a form sends them."),
    }
    preview = {name: settings[name] for name in ("id", "instance")}
    encoded = {**settings, "number": Integer("Number of the widget in the names of the form's fields.", default=-1)}
    asked, errors = {"context": context()}, (CannotManage, TypeUnknown)
    one = {"id": settings["id"], **asked}
    item = f"{TYPES}/{{id:[a-zA-Z0-9_-]+}}"
    return (
        Route(READ, TYPES, _kinds, asked, may_manage, _kind_schema, errors=(CannotManage,), answers="many"),
        Route(READ, item, _kind, one, _may_manage_kind, _kind_schema, errors=errors),
        Route(WRITE, f"{item}/encode", _encoded, encoded, _may_manage_kind, read=True, errors=errors,
              answers=_ENCODED),
        Route(WRITE, f"{item}/render", _previewed, preview, _may_manage_kind, read=True, errors=errors,
              answers=_PREVIEW),
    )  # fmt: skip


def _may_manage_kind(call: Call) -> None:
    """Those who design the site (`edit_theme_options`)."""
    may_manage(call)
    _kind_of(call)


def _kind_of(call: Call) -> WidgetType:
    id = call.args.get("id")
    found = widget_types.TYPES.get(id) if isinstance(id, str) else None
    if found is None:
        raise TypeUnknown(id=id)
    return found


def _kinds(call: Call) -> Result:
    """List the kinds of widgets."""
    wanted = choice(call.request.raw("_fields"))
    body = []
    for one in widget_types.TYPES.values():
        members = _KIND.members(one, call.work, call.args["context"], wanted)
        if wanted is None or wanted.names_links():
            members["_links"] = _kind_links(call.work, one)
        body.append(members)
    return Result(body)


def _kind(call: Call) -> Result:
    """Read one kind of widget."""
    found = _kind_of(call)
    members = _KIND.members(found, call.work, call.args["context"], choice(call.request.raw("_fields")))
    return Result(members, rels=_kind_links(call.work, found))


def _kind_links(work: Work, type: WidgetType) -> dict[str, Any]:
    self = link(work.api(f"{TYPES}/{type.id}"), targetHints={"allow": list(READ)})
    return {"collection": [link(work.api(TYPES))], "self": [self]}


def _encoded(call: Call) -> Result:
    """Check the settings of a widget, or those of its form, and answer its form and a preview of it."""
    work: Work = call.work
    type = _kind_of(call)
    settings = _now(call, type)
    # An editor sends what the widget had together with its form, which is newer.
    if (form := call.args.get("form_data")) and (newer := of_form(type, form)) is not None:
        settings = type.settled(work, newer)
    preview = f'<div class="widget {type.css_class}">{type.markup(work, settings)}</div>'
    fields = type.form(call.args["number"], settings)
    return Result({"form": fields, "preview": preview, "instance": instance(work, settings)})


def _previewed(call: Call) -> Result:
    """Render a widget with the given settings as a page of its own."""
    work: Work = call.work
    type = _kind_of(call)
    html = f'<div class="widget {type.css_class}">{type.markup(work, _now(call, type))}</div>'
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    return Result({"preview": f"<!doctype html><html><head>{head}</head><body>{html}</body></html>"})


def _now(call: Call, type: WidgetType) -> dict[str, Any]:
    """Return the settings that the widget has, empty for a new one. Raises InvalidWidget."""
    instance = call.args.get("instance")
    return (given(call.work, type, {"instance": instance}) if instance else None) or {}


_KIND = Shape(
    {
        "id": String("Name of the kind.", context=_ALL, readonly=True),
        "name": String("What people call it.", default="", context=_ALL, readonly=True),
        "description": String("What its widgets show.", default="", context=_ALL),
        "is_multi": Boolean("Whether there may be several.", context=_ALL, readonly=True),
        "classname": String("Class name of its widgets.", default="", context=_ALL, readonly=True),
    },
    {
        "id": lambda one, work: one.id,
        "name": lambda one, work: one.name,
        "description": lambda one, work: one.about,
        "is_multi": lambda one, work: True,
        "classname": lambda one, work: one.css_class,
    },
)


def _kind_schema() -> dict[str, Any]:
    return _KIND.schema("widget-type")

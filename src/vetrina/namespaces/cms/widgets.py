"""Widgets, the places where they stand, and their kinds.

Rules: facts, "Themes, plugins, blocks, widgets, health, helpers, abilities".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from vetrina.declare import query as query_text
from vetrina.declare.arguments import context
from vetrina.declare.call import Call, Result
from vetrina.declare.fields import ABSENT, EDIT, EMBED, VIEW, Array, Boolean, Field, Object, String
from vetrina.declare.present import CURIES, Shape, choice, link
from vetrina.declare.route import CHANGE, READ, REMOVE, WRITE, Route
from vetrina.declare.shown import Free, texts
from vetrina.domain.design import widgets
from vetrina.domain.design.widget_types import TYPES, WidgetType
from vetrina.domain.design.widgets import INACTIVE, InvalidWidget, Place, Widget
from vetrina.domain.work import Frame, Work
from vetrina.kernel.errors import ApiError, Refused

__all__ = ["routes"]

_WIDGETS: Final = "/cms/v2/widgets"
_SIDEBARS: Final = "/cms/v2/sidebars"
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
_TYPES: Final = "/cms/v2/widget-types"
_ALL = (VIEW, EDIT, EMBED)
_EDITED = (EDIT,)
_WORD: Final = r"[\w-]+"


class CannotManage(Refused):
    """Widgets belong to the looks of the site."""

    code = "rest_cannot_manage_widgets"
    message = "You may not see or change the widgets of this site."


class WidgetUnknown(ApiError):
    status, code = 404, "rest_widget_not_found"
    message = "There is no widget {id!r}."


class PlaceUnknown(ApiError):
    status, code = 404, "rest_sidebar_not_found"
    message = "There is no place for widgets with the name {id!r}."


class TypeUnknown(ApiError):
    status, code = 404, "rest_widget_type_invalid"
    message = "There is no kind of widget with the name {id!r}."


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of widgets, their places and their kinds."""
    id = {"id": String("Name of the widget.")}
    force = {"force": Boolean("Whether to remove it for good; else it becomes inactive.")}
    errors = (CannotManage, WidgetUnknown, InvalidWidget)
    item, place, kind = f"{_WIDGETS}/{{id:{_WORD}}}", f"{_SIDEBARS}/{{id:{_WORD}}}", f"{_TYPES}/{{id:[a-zA-Z0-9_-]+}}"
    filters = {"context": context(), "sidebar": String("Keep the widgets of this place.")}
    settings = {
        "id": String("Name of the kind."),
        "instance": Object("Settings of the widget now."),
        "form_data": String("Values of the widget's form, as a form sends them."),
    }
    kinds = (CannotManage, TypeUnknown)
    one_kind = {"id": settings["id"], "context": context()}
    preview = {name: settings[name] for name in ("id", "instance")}
    return (
        Route(READ, _WIDGETS, _listed, filters, _may_manage, _widget_schema, True, errors=errors, answers="many"),
        Route(WRITE, _WIDGETS, _created, _arguments(creating=True), _may_manage, _widget_schema, True, errors=errors),
        Route(READ, item, _read, {**id, "context": context()}, _may_manage, _widget_schema, True, errors=errors),
        Route(CHANGE, item, _changed, {**id, **_arguments()}, _may_manage, _widget_schema, True, errors=errors),
        Route(REMOVE, item, _removed, {**id, **force}, _may_manage, _widget_schema, True, errors=errors),
        Route(READ, _SIDEBARS, _places, {"context": context()}, _may_manage, _place_schema, errors=(CannotManage,),
              answers="many"),
        Route(
            READ, place, _place, {"id": String("Name of the place."), "context": context()}, _may_manage, _place_schema,
            errors=(CannotManage, PlaceUnknown),
        ),
        Route(
            CHANGE, place, _place_changed,
            {"id": String("Name of the place."), "widgets": Array("Names of its widgets.", items=String())},
            _may_manage, _place_schema, errors=(CannotManage,),
        ),
        Route(READ, _TYPES, _kinds, {"context": context()}, _may_manage, _kind_schema, errors=(CannotManage,),
              answers="many"),
        Route(READ, kind, _kind, one_kind, _may_manage_kind, _kind_schema, errors=kinds),
        Route(WRITE, f"{kind}/encode", _encoded, settings, _may_manage_kind, read=True, errors=kinds,
              answers=_ENCODED),
        Route(WRITE, f"{kind}/render", _previewed, preview, _may_manage_kind, read=True, errors=kinds,
              answers=_PREVIEW),
    )  # fmt: skip


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


def _may_manage(call: Call) -> None:
    """Those who design the site (`edit_theme_options`)."""
    user = call.work.user
    if not user.can("edit_theme_options"):
        raise CannotManage(bool(user))


def _may_manage_kind(call: Call) -> None:
    """Those who design the site (`edit_theme_options`)."""
    _may_manage(call)
    _kind_of(call)


# -- widgets


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
    type = TYPES.get(base)
    if type is None:
        raise InvalidWidget(reason=f"There is no kind of widget with the name {base!r}.")
    settings = _given(work, type, call.args, {})
    result = _shown(call, widgets.create(work, type, settings or {}, call.args["sidebar"]), EDIT)
    result.status = 201
    return result


def _changed(call: Call) -> Result:
    work: Work = call.work
    widget = _widget(call)
    type = widget.type
    if type is not None and (settings := _given(work, type, call.args, widget.settings)) is not None:
        widget = widgets.change(work, widget, settings)
    if (sidebar := call.args.get("sidebar")) is not None:
        widget = widgets.move(work, widget, sidebar)
    return _shown(call, widget, EDIT)


def _given(work: Work, type: WidgetType, args: Mapping[str, Any], old: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the settings that a request gives in one of three forms, None for none. Raises InvalidWidget."""
    instance = args.get("instance")
    if instance:
        if "encoded" in instance:
            return type.settled(work, widgets.decoded(work.frame, instance["encoded"], instance.get("hash")))
        if isinstance(instance.get("raw"), dict):
            return type.settled(work, instance["raw"])
        raise InvalidWidget(reason="The settings need either `raw`, or `encoded` and `hash`.")
    if isinstance(form := args.get("form_data"), str):
        return type.settled(work, _of_form(type, form))
    return None


def _of_form(type: WidgetType, form: str) -> Mapping[str, Any]:
    """Return the settings of a form, under whatever number they stand in it."""
    numbered = query_text.parse(form).get(f"widget-{type.id}")
    values = list(numbered.values()) if isinstance(numbered, dict) else numbered
    first = values[0] if isinstance(values, list) and values else None
    return first if isinstance(first, dict) else {}


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
        "self": [link(work.api(f"{_WIDGETS}/{widget.id}"), targetHints=allowed)],
        "collection": [link(work.api(_WIDGETS))],
        "about": [link(work.api(f"{_TYPES}/{widget.id_base}"), embeddable=True)],
        "cms:sidebar": [link(work.api(f"{_SIDEBARS}/{widget.sidebar}/"))],
        "curies": CURIES,
    }


def _form(widget: Widget, work: Work) -> str:
    return widget.type.form(widget.number, widget.settings) if widget.type else ""


def _instance(work: Work, settings: Mapping[str, Any]) -> dict[str, Any]:
    word, hash = widgets.encoded(work.frame, settings)
    return {"encoded": word, "hash": hash, "raw": dict(settings)}


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
        "instance": lambda one, work: _instance(work, one.settings),
    },
)


def _widget_schema() -> dict[str, Any]:
    return _WIDGET.schema("widget")


# -- places


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
        "collection": [link(work.api(_SIDEBARS))],
        "self": [link(work.api(f"{_SIDEBARS}/"))],
        "cms:widget": [link(work.api(_WIDGETS), embeddable=True)],
        "curies": CURIES,
    }
    return Result(members, rels=links)


def _place_shown(call: Call, place: Place, context: str) -> Result:
    members = _PLACE.members(place, call.work, context, choice(call.request.raw("_fields")))
    return Result(members, rels=_place_links(call.work, place))


def _place_links(work: Work, place: Place) -> dict[str, Any]:
    return {
        "collection": [link(work.api(_SIDEBARS))],
        "self": [link(work.api(f"{_SIDEBARS}/{place.id}"), targetHints={"allow": [*READ, *CHANGE]})],
        "cms:widget": [link(work.api(f"{_WIDGETS}?sidebar={place.id}"), embeddable=True)],
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


# -- kinds


def _kind_of(call: Call) -> WidgetType:
    id = call.args.get("id")
    found = TYPES.get(id) if isinstance(id, str) else None
    if found is None:
        raise TypeUnknown(id=id)
    return found


def _kinds(call: Call) -> Result:
    """List the kinds of widgets."""
    wanted = choice(call.request.raw("_fields"))
    body = []
    for one in TYPES.values():
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
    self = link(work.api(f"{_TYPES}/{type.id}"), targetHints={"allow": list(READ)})
    return {"collection": [link(work.api(_TYPES))], "self": [self]}


def _encoded(call: Call) -> Result:
    """Check the settings of a widget, and answer its form and a preview of it."""
    work: Work = call.work
    type = _kind_of(call)
    settings = _given(work, type, call.args, {}) if call.args.get("instance") or call.args.get("form_data") else None
    preview = f'<div class="widget {type.css_class}">{type.markup(work, settings or {})}</div>'
    form = type.form(-1, settings or {})
    return Result({"form": form, "preview": preview, "instance": _instance(work, settings or {})})


def _previewed(call: Call) -> Result:
    """Render a widget with the given settings as a page of its own."""
    work: Work = call.work
    type = _kind_of(call)
    settings = _given(work, type, call.args, {}) if call.args.get("instance") else None
    html = f'<div class="widget {type.css_class}">{type.markup(work, settings or {})}</div>'
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    return Result({"preview": f"<!doctype html><html><head>{head}</head><body>{html}</body></html>"})


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

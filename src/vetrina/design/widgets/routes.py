"""The routes of widgets.

Rules: docs/rules/themes.md, 8, 9 and 10.
"""

from __future__ import annotations

from typing import Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
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
from vetrina.rest.resource import Links, ListPage, Operation, Resource
from vetrina.rest.route import REMOVE, WRITE, Route
from vetrina.rest.serializer import CURIES, Serializer, build_link, read_attributes

_ALL = (VIEW, EDIT, EMBED)
_EDITED = (EDIT,)


class WidgetNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_widget_not_found"
    message = "There is no widget {id!r}."


_ERRORS: Final = (CannotManageWidgets, WidgetNotFound, InvalidWidgetSettings)


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of widgets."""
    routes = WIDGETS.build_routes_by_operation()
    create = Route(
        WRITE, WIDGETS.path, _create_widget, _build_write_arguments(creating=True), require_manage_permission,
        WIDGETS.build_schema, True, errors=_ERRORS,
    )  # fmt: skip
    force = Boolean("Whether to remove it for good; else it becomes inactive.")
    delete = Route(
        REMOVE, f"{WIDGETS.path}/{WIDGETS.item}", _delete_widget, {**WIDGETS.key, "force": force},
        require_manage_permission, WIDGETS.build_schema, True, errors=_ERRORS,
    )  # fmt: skip
    return routes["list"], create, routes["read"], routes["update"], delete


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


def _list_widgets(call: Call) -> ListPage[SiteWidget]:
    work, sidebar = call.work, call.args.get("sidebar")
    return ListPage(widgets.list_widgets(work) if sidebar is None else widgets.list_sidebar_widgets(work, sidebar))


def _create_widget(call: Call) -> Result:
    work = call.work
    base = call.args.get("id_base")
    if not base:
        raise InvalidWidgetSettings(reason="A new widget needs its kind, `id_base`.")
    type = widget_types.WIDGET_TYPES.get(base)
    if type is None:
        raise InvalidWidgetSettings(reason=f"There is no kind of widget with the name {base!r}.")
    settings = parse_settings(work, type, call.args)
    new = widgets.create_widget(work, type, settings or {}, call.args["sidebar"])
    return WIDGETS.build_result(call, new, status=201)  # without the header Location


def _update_widget(call: Call, old: SiteWidget) -> SiteWidget:
    work, new = call.work, old
    if old.type is not None and (settings := parse_settings(work, old.type, call.args)) is not None:
        new = widgets.update_widget(work, new, settings)
    if (sidebar := call.args.get("sidebar")) is not None:
        new = widgets.move_widget(work, new, sidebar)
    return new


def _delete_widget(call: Call) -> Result:
    work, widget = call.work, _get_widget(call)
    if not call.args.get("force"):
        return WIDGETS.build_result(call, widgets.move_widget(work, widget, INACTIVE_SIDEBAR))
    previous = WIDGETS.serialize(call, (widget,), EDIT)[0]
    widgets.delete_widget(work, widget)
    return Result({"deleted": True, "previous": previous}, rels=_build_links(call, widget))


def _build_links(call: Call, widget: SiteWidget) -> Links:
    work = call.work
    return {
        "self": [build_link(WIDGETS.build_url(call, widget), targetHints={"allow": [*WIDGETS.methods]})],
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
        **read_attributes("id", "id_base", "sidebar"),
        "rendered": lambda one, work: widgets.render_widget(work, one),
        "rendered_form": _render_form,
        "instance": lambda one, work: serialize_instance(work, one.settings),
    },
)

WIDGETS: Final = Resource(
    title="widget",
    path=WIDGETS_PATH,
    item=r"{id:[\w-]+}",
    key={"id": String("Name of the widget.")},
    serializer=_WIDGET_SERIALIZER,
    build_links=_build_links,
    find=_get_widget,
    batch=True,
    list=Operation(
        _list_widgets,
        require_manage_permission,
        {"context": build_context_argument(), "sidebar": String("Keep the widgets of this place.")},
        _ERRORS,
    ),
    read=Operation(_get_widget, require_manage_permission, errors=_ERRORS),
    update=Operation(_update_widget, require_manage_permission, _build_write_arguments(), _ERRORS),
)

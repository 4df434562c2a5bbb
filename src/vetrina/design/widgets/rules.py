"""Widgets and the sidebars that hold them.

A sidebar is one declared by the site's profile, that of the inactive widgets, or a name that a client used: its widgets
wait until the profile declares it. Widget types: design/widgets/widget_types.py. Rules: docs/rules/themes.md, 7, 8, 9
and 10.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Final

import msgspec
import orjson
from sqlalchemy import bindparam, func, select, update

from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import allocate_id
from vetrina.backends.store import JSON, Store
from vetrina.backends.tables.options import widget as table
from vetrina.content.feeds import rules as feeds
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.design.widgets.widget_types import WIDGET_TYPES, WidgetType
from vetrina.kernel.errors import ApiError
from vetrina.kernel.keys import compute_digest, is_equal_secret

INACTIVE_SIDEBAR: Final = "cms_inactive_widgets"


class InvalidWidgetSettings(ApiError):
    """The widget's type is unknown, or its settings do not match their hash."""

    code = "rest_invalid_widget"
    message = "{reason}"


class SiteWidget(msgspec.Struct, frozen=True):
    """A widget."""

    id: str
    id_base: str
    number: int
    sidebar: str
    position: int
    settings: dict[str, Any]

    @property
    def type(self) -> WidgetType | None:
        return WIDGET_TYPES.get(self.id_base)


_STORE: Final = Store(table, SiteWidget, {"settings": JSON})
_ALL = Statement(select(*_STORE.columns).order_by(table.c.sidebar, table.c.position, table.c.id))
_IN_PLACE = Statement(
    select(*_STORE.columns).where(table.c.sidebar == bindparam("sidebar")).order_by(table.c.position, table.c.id)
)
_LAST = Statement(select(func.max(table.c.position)).where(table.c.sidebar == bindparam("sidebar")))
_MOVE = Statement(
    update(table)
    .where(table.c.id == bindparam("of"))
    .values(sidebar=bindparam("sidebar"), position=bindparam("position"))
)


@dataclass(frozen=True, slots=True)
class Sidebar:
    """A sidebar. The four texts wrap each widget and its title; empty for those of the widget type."""

    id: str
    name: str = ""
    description: str = ""
    css_class: str = ""
    before_widget: str = ""
    after_widget: str = ""
    before_title: str = ""
    after_title: str = ""

    @property
    def is_active(self) -> bool:
        """Whether visitors see its widgets."""
        return self.id != INACTIVE_SIDEBAR and bool(self.name)


def list_sidebars(site: SiteContext) -> list[Sidebar]:
    """Return the sidebars of a site, that of the inactive widgets first."""
    own = [
        Sidebar(id, one.name, one.description, one.css_class, one.before_widget, one.after_widget, one.before_title,
              one.after_title)
        for id, one in site.profile.sidebars.items()
    ]  # fmt: skip
    return [Sidebar(INACTIVE_SIDEBAR, "Inactive widgets"), *own]


def find_sidebar(site: SiteContext, id: str) -> Sidebar | None:
    """Return the sidebar with an id, None if the site has none."""
    return next((one for one in list_sidebars(site) if one.id == id), None)


# -- reading


def list_widgets(work: UnitOfWork) -> list[SiteWidget]:
    """Return all widgets, by sidebar and position."""
    work.uses("widget")
    return _STORE.of_rows(work.tx.all(_ALL))


def list_sidebar_widgets(work: UnitOfWork, sidebar: str) -> list[SiteWidget]:
    """Return the widgets of a sidebar in order."""
    work.uses("widget")
    return _STORE.of_rows(work.tx.all(_IN_PLACE, sidebar=sidebar))


def find_widget(work: UnitOfWork, id: str) -> SiteWidget | None:
    """Return the widget with an id."""
    work.uses("widget")
    return _STORE.find(work.tx, id)


def render_widget(work: UnitOfWork, widget: SiteWidget) -> str:
    """Return the markup of a widget; empty if it is in no sidebar of the site."""
    type, where = widget.type, find_sidebar(work.site, widget.sidebar)
    if type is None or where is None or not where.is_active:
        return ""
    html = type.render(work, widget.settings, where.before_title, where.after_title)
    before = where.before_widget or '<div id="%1$s" class="widget %2$s">'
    before = before.replace("%1$s", escape(widget.id)).replace("%2$s", type.css_class)
    return f"{before}{html}{where.after_widget or '</div>'}"


# -- writing


def create_widget(work: UnitOfWork, type: WidgetType, settings: Mapping[str, Any], sidebar: str) -> SiteWidget:
    """Create a widget at the end of a sidebar and return it."""
    # Old clients count from 2; number 1 was for widget types with a single instance.
    number = allocate_id(work.tx, f"widget:{type.id}") + 1
    new = SiteWidget(
        f"{type.id}-{number}", type.id, number, sidebar, _compute_end_position(work, sidebar), dict(settings)
    )
    _STORE.insert(work.tx, new)
    work.note("widget", new.id, "created")
    _request_feeds(work, new)
    return new


def update_widget(work: UnitOfWork, widget: SiteWidget, settings: Mapping[str, Any]) -> SiteWidget:
    """Store the settings of a widget."""
    changed = msgspec.structs.replace(widget, settings=dict(settings))
    _STORE.update(work.tx, widget, changed)
    work.note("widget", widget.id, "changed")
    _request_feeds(work, changed)
    return changed


def move_widget(work: UnitOfWork, widget: SiteWidget, sidebar: str) -> SiteWidget:
    """Move a widget to the end of a sidebar; if it is there already, it keeps its position."""
    if widget.sidebar == sidebar:
        return widget
    moved = msgspec.structs.replace(widget, sidebar=sidebar, position=_compute_end_position(work, sidebar))
    _STORE.update(work.tx, widget, moved)
    work.note("widget", widget.id, "changed")
    return moved


def set_sidebar_widgets(work: UnitOfWork, sidebar: str, ids: Sequence[str]) -> None:
    """Set the widgets of a sidebar, in this order; those removed from it become inactive.

    ids: unknown ids are ignored.
    """
    wanted = list(dict.fromkeys(ids))
    for widget in list_sidebar_widgets(work, sidebar):
        if widget.id not in wanted:
            move_widget(work, widget, INACTIVE_SIDEBAR)
    position = 0
    for id in wanted:
        if work.tx.run_and_count(_MOVE, of=id, sidebar=sidebar, position=position):
            position += 1
            work.note("widget", id, "changed")


def delete_widget(work: UnitOfWork, widget: SiteWidget) -> None:
    """Delete a widget for good."""
    _STORE.delete(work.tx, widget.id)
    work.note("widget", widget.id, "removed")


def _request_feeds(work: UnitOfWork, widget: SiteWidget) -> None:
    """Request the feeds that a widget shows."""
    if widget.id_base == "rss":
        feeds.request_feed(work, str(widget.settings.get("url", "")))
    elif widget.id_base == "block":
        feeds.request_feeds(work, str(widget.settings.get("content", "")))


def _compute_end_position(work: UnitOfWork, sidebar: str) -> int:
    last = work.tx.value(_LAST, sidebar=sidebar)
    return 0 if last is None else int(last) + 1


# -- encoded settings


def encode_settings(site: SiteContext, settings: Mapping[str, Any]) -> tuple[str, str]:
    """Return settings encoded as one text, and the hash that authenticates them."""
    word = base64.b64encode(orjson.dumps(dict(settings), option=orjson.OPT_SORT_KEYS)).decode()
    return word, compute_digest(site.settings.secret, f"widget:{word}")


def decode_settings(site: SiteContext, word: Any, hash: Any) -> dict[str, Any]:
    """Return the settings in an encoded text. Raises InvalidWidgetSettings if its hash does not match."""
    if not isinstance(word, str) or not isinstance(hash, str):
        raise InvalidWidgetSettings(reason="Settings in encoded form need their hash.")
    if not is_equal_secret(compute_digest(site.settings.secret, f"widget:{word}"), hash):
        raise InvalidWidgetSettings(reason="The hash is not that of the encoded settings.")
    settings = orjson.loads(base64.b64decode(word))
    assert isinstance(settings, dict)
    return settings

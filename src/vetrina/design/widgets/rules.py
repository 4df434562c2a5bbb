"""Widgets and the places where they stand.

A place is one that the site's profile declares, that of the widgets which stand nowhere, or a name that somebody used:
what is put there waits until the profile knows it. Not here: the kinds of widgets (design/widgets/widget_types.py).
Rules: facts, "Themes, plugins, blocks, widgets, health, helpers, abilities".
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Final

import msgspec
import orjson
from sqlalchemy import bindparam, delete, func, insert, select, update

from vetrina.backends.database import Row, Statement
from vetrina.backends.id_sequences import next_number
from vetrina.backends.tables.core import widget as table
from vetrina.content.feeds import rules as feeds
from vetrina.core.unit_of_work import Frame, Work
from vetrina.design.widgets.widget_types import TYPES, WidgetType
from vetrina.kernel.errors import ApiError
from vetrina.kernel.keys import digest, same

__all__ = [
    "INACTIVE", "InvalidWidget", "Place", "Widget", "by_id", "change", "create", "decoded", "encoded", "every",
    "move", "place", "places", "remove", "rendered", "set_place", "widgets_of",
]  # fmt: skip

INACTIVE: Final = "cms_inactive_widgets"

_COLUMNS = (table.c.id, table.c.id_base, table.c.number, table.c.sidebar, table.c.position, table.c.settings)
_ALL = Statement(select(*_COLUMNS).order_by(table.c.sidebar, table.c.position, table.c.id))
_BY_ID = Statement(select(*_COLUMNS).where(table.c.id == bindparam("id")))
_IN_PLACE = Statement(
    select(*_COLUMNS).where(table.c.sidebar == bindparam("sidebar")).order_by(table.c.position, table.c.id)
)
_LAST = Statement(select(func.max(table.c.position)).where(table.c.sidebar == bindparam("sidebar")))
_INSERT = Statement(insert(table).values({column.name: bindparam(column.name) for column in _COLUMNS}))
_MOVE = Statement(
    update(table)
    .where(table.c.id == bindparam("of"))
    .values(sidebar=bindparam("sidebar"), position=bindparam("position"))
)
_SET = Statement(update(table).where(table.c.id == bindparam("of")).values(settings=bindparam("settings")))
_DELETE = Statement(delete(table).where(table.c.id == bindparam("id")))


class InvalidWidget(ApiError):
    """A widget was given without a kind that is known, or with settings that are not what their digest says."""

    code = "rest_invalid_widget"
    message = "{reason}"


class Widget(msgspec.Struct, frozen=True):
    """A widget. The members are the columns of its table, in their order."""

    id: str
    id_base: str
    number: int
    sidebar: str
    position: int
    settings: dict[str, Any]

    @property
    def type(self) -> WidgetType | None:
        return TYPES.get(self.id_base)


@dataclass(frozen=True, slots=True)
class Place:
    """A place for widgets. The four texts stand around each widget and its title; empty for those of the kind."""

    id: str
    name: str = ""
    description: str = ""
    css_class: str = ""
    before_widget: str = ""
    after_widget: str = ""
    before_title: str = ""
    after_title: str = ""

    @property
    def active(self) -> bool:
        """Say whether readers see what stands here."""
        return self.id != INACTIVE and bool(self.name)


def places(frame: Frame) -> list[Place]:
    """Return the places of a site, that of the inactive widgets first."""
    own = [
        Place(id, one.name, one.description, one.css_class, one.before_widget, one.after_widget, one.before_title,
              one.after_title)
        for id, one in frame.profile.sidebars.items()
    ]  # fmt: skip
    return [Place(INACTIVE, "Inactive widgets"), *own]


def place(frame: Frame, id: str) -> Place | None:
    """Return the place of a name, None where the site has none."""
    return next((one for one in places(frame) if one.id == id), None)


# -- reading


def _of_row(row: Row) -> Widget:
    return Widget(row[0], row[1], row[2], row[3], row[4], orjson.loads(row[5]))


def every(work: Work) -> list[Widget]:
    """Return all widgets, by place and in the order in which they stand there."""
    work.uses("widget")
    return [_of_row(row) for row in work.tx.all(_ALL)]


def widgets_of(work: Work, sidebar: str) -> list[Widget]:
    """Return the widgets of a place in their order."""
    work.uses("widget")
    return [_of_row(row) for row in work.tx.all(_IN_PLACE, sidebar=sidebar)]


def by_id(work: Work, id: str) -> Widget | None:
    """Return the widget of a name."""
    work.uses("widget")
    row = work.tx.first(_BY_ID, id=id)
    return _of_row(row) if row else None


def rendered(work: Work, widget: Widget) -> str:
    """Return what a widget shows its readers; nothing where it stands in no place of the site."""
    type, where = widget.type, place(work.frame, widget.sidebar)
    if type is None or where is None or not where.active:
        return ""
    html = type.markup(work, widget.settings, where.before_title, where.after_title)
    before = where.before_widget or '<div id="%1$s" class="widget %2$s">'
    before = before.replace("%1$s", escape(widget.id)).replace("%2$s", type.css_class)
    return f"{before}{html}{where.after_widget or '</div>'}"


# -- writing


def create(work: Work, type: WidgetType, settings: Mapping[str, Any], sidebar: str) -> Widget:
    """Store a new widget at the end of a place and return it."""
    # Old clients count from 2; the number 1 was that of widgets of which there could be one only.
    number = next_number(work.tx, f"widget:{type.id}") + 1
    new = Widget(f"{type.id}-{number}", type.id, number, sidebar, _end(work, sidebar), dict(settings))
    values = msgspec.structs.asdict(new)
    work.tx.run(_INSERT, **{**values, "settings": orjson.dumps(new.settings).decode()})
    work.note("widget", new.id, "created")
    _have_feeds(work, new)
    return new


def change(work: Work, widget: Widget, settings: Mapping[str, Any]) -> Widget:
    """Store the settings of a widget."""
    work.tx.run(_SET, of=widget.id, settings=orjson.dumps(dict(settings)).decode())
    work.note("widget", widget.id, "changed")
    changed = msgspec.structs.replace(widget, settings=dict(settings))
    _have_feeds(work, changed)
    return changed


def move(work: Work, widget: Widget, sidebar: str) -> Widget:
    """Put a widget at the end of a place; where it stands there already, it stays as it is."""
    if widget.sidebar == sidebar:
        return widget
    position = _end(work, sidebar)
    work.tx.run(_MOVE, of=widget.id, sidebar=sidebar, position=position)
    work.note("widget", widget.id, "changed")
    return msgspec.structs.replace(widget, sidebar=sidebar, position=position)


def set_place(work: Work, sidebar: str, ids: Sequence[str]) -> None:
    """Put exactly these widgets into a place, in this order; those that stood there become inactive.

    ids: names that no widget has are passed over.
    """
    wanted = list(dict.fromkeys(ids))
    for widget in widgets_of(work, sidebar):
        if widget.id not in wanted:
            move(work, widget, INACTIVE)
    position = 0
    for id in wanted:
        if work.tx.run(_MOVE, of=id, sidebar=sidebar, position=position):
            position += 1
            work.note("widget", id, "changed")


def remove(work: Work, widget: Widget) -> None:
    """Remove a widget for good."""
    work.tx.run(_DELETE, id=widget.id)
    work.note("widget", widget.id, "removed")


def _have_feeds(work: Work, widget: Widget) -> None:
    """Have the feeds read that a widget shows."""
    if widget.id_base == "rss":
        feeds.wanted_of(work, str(widget.settings.get("url", "")))
    elif widget.id_base == "block":
        feeds.wanted(work, str(widget.settings.get("content", "")))


def _end(work: Work, sidebar: str) -> int:
    last = work.tx.value(_LAST, sidebar=sidebar)
    return 0 if last is None else int(last) + 1


# -- settings as clients carry them about


def encoded(frame: Frame, settings: Mapping[str, Any]) -> tuple[str, str]:
    """Return settings as one word, and the digest by which they are known as this server's own."""
    word = base64.b64encode(orjson.dumps(dict(settings), option=orjson.OPT_SORT_KEYS)).decode()
    return word, digest(frame.settings.secret, f"widget:{word}")


def decoded(frame: Frame, word: Any, hash: Any) -> dict[str, Any]:
    """Return the settings of a word. Raises InvalidWidget when its digest is another."""
    if not isinstance(word, str) or not isinstance(hash, str):
        raise InvalidWidget(reason="Settings in encoded form need their hash.")
    if not same(digest(frame.settings.secret, f"widget:{word}"), hash):
        raise InvalidWidget(reason="The hash is not that of the encoded settings.")
    settings = orjson.loads(base64.b64decode(word))
    assert isinstance(settings, dict)
    return settings

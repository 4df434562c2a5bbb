"""The tables of options and widgets."""

from __future__ import annotations

from sqlalchemy import (
    Column,
    Index,
    Table,
)

from vetrina.backends.tables.metadata import METADATA, NUMBER, TEXT

option = Table(
    "option",
    METADATA,
    Column("name", TEXT, primary_key=True),
    Column("value", TEXT, nullable=False),
)

# Widgets by position. `id`: id_base and number; `settings`: JSON.
widget = Table(
    "widget",
    METADATA,
    Column("id", TEXT, primary_key=True),
    Column("id_base", TEXT, nullable=False),
    Column("number", NUMBER, nullable=False),
    Column("sidebar", TEXT, nullable=False),
    Column("position", NUMBER, nullable=False),
    Column("settings", TEXT, nullable=False),
    Index("widget_by_sidebar", "sidebar", "position"),
)

"""The audit trail as CSV, for the interface and the command. Rules: docs/rules/audit.md, 6."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from typing import Any, Final, TextIO

import orjson

from vetrina.access.audit.model import AuditEntry
from vetrina.kernel.times import format_iso

COLUMNS: Final = (
    "id", "date_gmt", "account", "login", "source", "credential", "address", "agent", "action", "kind", "item",
    "title", "changes",
)  # fmt: skip
_FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")


def write_entries(out: TextIO, entries: Iterable[AuditEntry]) -> int:
    """Write entries with a heading, and return how many those were."""
    writer, count = csv.writer(out, lineterminator="\r\n"), 0
    writer.writerow(COLUMNS)
    for one in entries:
        writer.writerow([_format_cell(value) for value in _list_values(one)])
        count += 1
    return count


def format_changes(entry: AuditEntry) -> str:
    """Return what changed on one line: `roles: ["author"] → ["editor"]; password`."""
    return "; ".join(
        f"{one['member']}: {_format_value(one['old'])} → {_format_value(one['new'])}" if "new" in one else one["member"]
        for one in entry.changes
    )


def _list_values(one: AuditEntry) -> tuple[Any, ...]:
    return (
        one.id, format_iso(one.at), one.account, one.login, one.source, one.credential, one.address, one.agent,
        one.action, one.kind, one.item, one.title, format_changes(one),
    )  # fmt: skip


def _format_value(value: Any) -> str:
    return value if isinstance(value, str) else orjson.dumps(value).decode()


def _format_cell(value: Any) -> Any:
    """Return a cell that no spreadsheet takes for a formula: agents and titles are written by strangers."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA_STARTS) else value

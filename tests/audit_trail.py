"""What the audit trail of a test site says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import orjson
from sqlalchemy import select

from conftest import Answer, Client, Stand
from vetrina.backends.database import Statement
from vetrina.backends.tables.audit import audit_entry

ENTRIES = "/access/v1/audit-entries"
_ROWS = Statement(select(audit_entry).order_by(audit_entry.c.id))
_NAMES = tuple(audit_entry.c.keys())


def read_trail(site: Stand) -> list[dict[str, Any]]:
    """Return all entries as they are stored, without those that say that an application password was used."""
    with site.site.work(read=True) as work:
        rows = [dict(zip(_NAMES, row, strict=True)) for row in work.tx.all(_ROWS)]
    return [{**row, "changes": orjson.loads(row["changes"])} for row in rows if row["action"] != "used"]


@contextmanager
def watch_trail(site: Stand) -> Iterator[list[dict[str, Any]]]:
    """Yield a list that has the entries of the block once it has ended."""
    before = len(read_trail(site))
    found: list[dict[str, Any]] = []
    yield found
    found += read_trail(site)[before:]


def trail_of(site: Stand, act: Callable[[], Answer]) -> list[dict[str, Any]]:
    """Return the entries of a request that succeeds."""
    with watch_trail(site) as found:
        answer = act()
        assert answer.status < 300, (answer.status, answer.json)
    return found


def say(entry: dict[str, Any]) -> tuple[str, str, str]:
    """Return what an entry is about."""
    return entry["action"], entry["kind"], entry["item"]


def told(entry: dict[str, Any]) -> dict[str, Any]:
    """Return the members that changed, with their values before and after, None where those are not told."""
    return {one["member"]: (one["old"], one["new"]) if "new" in one else None for one in entry["changes"]}


def ask_trail(client: Client, **query: Any) -> Answer:
    return client.get(ENTRIES, query=query)

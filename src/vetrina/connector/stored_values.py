"""Named values that the connector keeps, as JSON; tokens and secrets are sealed with the site's own secret.

A stolen copy of the database signs nothing. Not here: what the values mean (connector/connection/state.py,
connector/sync/queue.py, connector/identity/rules.py).
"""

from __future__ import annotations

from typing import Any, Final

import orjson
from sqlalchemy import bindparam, delete, select

from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import Among, listed, upsert
from vetrina.backends.tables.connector import connector_state as table
from vetrina.core.unit_of_work import Work
from vetrina.kernel.encryption import CannotOpen, opened, sealed

__all__ = ["KIND", "drop", "get", "home", "opened_value", "put", "put_sealed", "read"]

KIND: Final = "connector"  # of the change log

_SEAL: Final = "connector"
_MEMO: Final = "connector state"
# What no anonymous answer shows and what changes with every exchange: not worth a line in the log.
_SILENT: Final = (
    "queue_",
    "sync_settings",
    "sync_health",
    "sync_last",
    "full_sync",
    "secret_",
    "error_",
    "account_",
    "last_heartbeat",
)

_ALL = Statement(select(table.c.name, table.c.value))
_PUT = Statement(
    upsert(
        table,
        keys=("name",),
        values={"name": bindparam("name"), "value": bindparam("value")},
        changes={"value": bindparam("value")},
    )
)
_DROP = Statement(delete(table).where(Among(table.c.name, "names")))


def read(work: Work) -> dict[str, Any]:
    """Return everything that is kept, by its names; sealed values as they lie there."""
    work.uses(KIND)
    found: dict[str, Any] | None = work.memo.get(_MEMO)
    if found is None:
        found = work.memo[_MEMO] = {name: orjson.loads(value) for name, value in work.tx.all(_ALL)}
    return found


def get(work: Work, name: str, default: Any = None) -> Any:
    """Return one value."""
    return read(work).get(name, default)


def put(work: Work, name: str, value: Any) -> None:
    """Keep a value."""
    known = read(work)
    if name in known and known[name] == value:
        return
    work.tx.run(_PUT, name=name, value=orjson.dumps(value).decode())
    known[name] = value
    _note(work, name, "changed")


def drop(work: Work, *names: str) -> None:
    """Forget values."""
    known = read(work)
    gone = [name for name in names if name in known]
    if gone:
        work.tx.run(_DROP, names=listed(gone))
    for name in gone:
        del known[name]
        _note(work, name, "removed")


def _note(work: Work, name: str, action: str) -> None:
    if not name.startswith(_SILENT):
        work.note(KIND, name, action)


# -- sealed values


def put_sealed(work: Work, name: str, value: Any) -> None:
    """Keep a value that only this site can read."""
    put(work, name, sealed(work.frame.settings.secret, f"{_SEAL} {name}", orjson.dumps(value).decode()))


def opened_value(work: Work, name: str, default: Any = None) -> Any:
    """Return a sealed value; the default too where it was sealed with another secret of the site."""
    text = get(work, name)
    if not isinstance(text, str):
        return default
    try:
        return orjson.loads(opened(work.frame.settings.secret, f"{_SEAL} {name}", text))
    except CannotOpen:
        return default


def home(work: Work) -> str:
    """Return the address of the site as its settings say it, in its first language."""
    return f"{work.frame.origin}/{work.frame.profile.default_language}"

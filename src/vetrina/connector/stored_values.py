"""Named values of the connector, stored as JSON; tokens and secrets are encrypted with the site's own secret.

A stolen copy of the database cannot sign anything. Not here: what the values mean (connector/connection/state.py,
connector/sync/queue.py, connector/identity/rules.py).
"""

from __future__ import annotations

from typing import Any, Final

import orjson
from sqlalchemy import bindparam, delete, select

from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, build_upsert, encode_list
from vetrina.backends.tables.connector import connector_state as table
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.encryption import CannotDecrypt, decrypt_text, encrypt_text

KIND: Final = "connector"  # in the change log

_SEAL: Final = "connector"
_MEMO: Final = "connector state"
# In no anonymous response, and changed by every exchange, so not worth an entry in the change log.
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
    build_upsert(
        table,
        keys=("name",),
        values={"name": bindparam("name"), "value": bindparam("value")},
        changes={"value": bindparam("value")},
    )
)
_DROP = Statement(delete(table).where(InList(table.c.name, "names")))


def load_values(work: UnitOfWork) -> dict[str, Any]:
    """Return all values by name; encrypted ones as stored."""
    work.uses(KIND)
    found: dict[str, Any] | None = work.lookups.get(_MEMO)
    if found is None:
        found = work.lookups[_MEMO] = {name: orjson.loads(value) for name, value in work.tx.all(_ALL)}
    return found


def get_value(work: UnitOfWork, name: str, default: Any = None) -> Any:
    """Return one value."""
    return load_values(work).get(name, default)


def save_value(work: UnitOfWork, name: str, value: Any) -> None:
    """Store a value."""
    known = load_values(work)
    if name in known and known[name] == value:
        return
    work.tx.run(_PUT, name=name, value=orjson.dumps(value).decode())
    known[name] = value
    _note_change(work, name, "changed")


def delete_values(work: UnitOfWork, *names: str) -> None:
    """Delete values."""
    known = load_values(work)
    gone = [name for name in names if name in known]
    if gone:
        work.tx.run(_DROP, names=encode_list(gone))
    for name in gone:
        del known[name]
        _note_change(work, name, "removed")


def _note_change(work: UnitOfWork, name: str, action: str) -> None:
    if not name.startswith(_SILENT):
        work.note(KIND, name, action)


# -- encrypted values


def save_encrypted_value(work: UnitOfWork, name: str, value: Any) -> None:
    """Store a value encrypted with the site's secret."""
    save_value(work, name, encrypt_text(work.site.settings.secret, f"{_SEAL} {name}", orjson.dumps(value).decode()))


def get_decrypted_value(work: UnitOfWork, name: str, default: Any = None) -> Any:
    """Return an encrypted value; also the default where it was encrypted with another secret of the site."""
    text = get_value(work, name)
    if not isinstance(text, str):
        return default
    try:
        return orjson.loads(decrypt_text(work.site.settings.secret, f"{_SEAL} {name}", text))
    except CannotDecrypt:
        return default


def build_home_address(work: UnitOfWork) -> str:
    """Return the home URL of the site from its settings, in its first language."""
    return f"{work.site.origin}/{work.site.profile.default_language}"

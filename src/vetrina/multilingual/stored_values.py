"""Stored values of translation other than jobs: settings of strings, data of the remote service, times of last calls.

Secrets are encrypted with the site's own secret (kernel/encryption.py): a copy of the database alone does not reveal
them.
"""

from __future__ import annotations

from typing import Any

import orjson
from sqlalchemy import bindparam, select

from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import build_upsert
from vetrina.backends.tables.strings import mlang_setting
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import encryption

_READ = Statement(select(mlang_setting.c.value).where(mlang_setting.c.name == bindparam("setting")))
_PUT = Statement(
    build_upsert(
        mlang_setting,
        keys=("name",),
        values={"name": bindparam("setting"), "value": bindparam("to")},
        changes={"value": bindparam("to")},
    )
)


def load_setting(work: UnitOfWork, name: str, default: Any = None) -> Any:
    """Return a stored value."""
    text = work.tx.value(_READ, setting=name)
    return default if text is None else orjson.loads(text)


def save_setting(work: UnitOfWork, name: str, value: Any) -> None:
    """Store a value, and log the change."""
    save_progress(work, name, value)
    work.note("mlang_setting", name, "changed")


def save_progress(work: UnitOfWork, name: str, value: Any) -> None:
    """Store progress without logging a change, since no response depends on it."""
    work.tx.run(_PUT, setting=name, to=orjson.dumps(value).decode())


def encrypt_secret(work: UnitOfWork, name: str, text: str) -> str:
    """Return a secret encrypted for the database; name: what it is, which decryption requires too."""
    return encryption.encrypt_text(work.site.settings.secret, name, text)


def decrypt_secret(work: UnitOfWork, name: str, text: str) -> str:
    """Return a decrypted secret; empty where the site's own secret has changed."""
    try:
        return encryption.decrypt_text(work.site.settings.secret, name, text)
    except encryption.CannotDecrypt:
        return ""

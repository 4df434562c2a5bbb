"""What translation keeps beside its jobs: settings of strings, what the outside service told, times of last calls.

Secrets are sealed with the site's own (kernel/encryption.py): a copy of the database alone does not open them.
"""

from __future__ import annotations

from typing import Any

import orjson
from sqlalchemy import bindparam, select

from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import upsert
from vetrina.backends.tables.strings import setting
from vetrina.core.unit_of_work import Work
from vetrina.kernel import encryption

__all__ = ["mark", "opened", "read", "sealed", "write"]

_READ = Statement(select(setting.c.value).where(setting.c.name == bindparam("setting")))
_PUT = Statement(
    upsert(
        setting,
        keys=("name",),
        values={"name": bindparam("setting"), "value": bindparam("to")},
        changes={"value": bindparam("to")},
    )
)


def read(work: Work, name: str, default: Any = None) -> Any:
    """Return a kept value."""
    text = work.tx.value(_READ, setting=name)
    return default if text is None else orjson.loads(text)


def write(work: Work, name: str, value: Any) -> None:
    """Keep a value, and note that it changed."""
    mark(work, name, value)
    work.note("mlang_setting", name, "changed")


def mark(work: Work, name: str, value: Any) -> None:
    """Keep how far something got; nobody is told, for no answer is made from it."""
    work.tx.run(_PUT, setting=name, to=orjson.dumps(value).decode())


def sealed(work: Work, name: str, text: str) -> str:
    """Return a secret as it may lie in the database; name: what it is, without which it cannot be opened."""
    return encryption.sealed(work.frame.settings.secret, name, text)


def opened(work: Work, name: str, text: str) -> str:
    """Return a sealed secret; empty where the site's own secret is another one now."""
    try:
        return encryption.opened(work.frame.settings.secret, name, text)
    except encryption.CannotOpen:
        return ""

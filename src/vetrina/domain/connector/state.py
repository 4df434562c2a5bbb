"""What the connector keeps: number, tokens, owner, secrets, and what follows from them.

Tokens and secrets are sealed with the site's own secret, so that a stolen copy of the database signs nothing.
Not here: marks and locks of the queues (queue.py), the crisis (identity.py). Rules: facts of the connector, 1.
"""

from __future__ import annotations

from typing import Any, Final

import orjson
from sqlalchemy import bindparam, delete, select

from vetrina.backends.database import Statement
from vetrina.backends.shapes import Among, listed, upsert
from vetrina.backends.tables_connector import connector_state as table
from vetrina.domain.access import users
from vetrina.domain.access.user import User
from vetrina.domain.work import Frame, Work
from vetrina.kernel.sealing import CannotOpen, opened, sealed

__all__ = [
    "KIND", "drop", "get", "has_owner", "home", "is_connected", "is_offline", "is_registered", "opened_value", "owner",
    "owner_id", "put", "put_sealed", "read", "set_user_token", "site_id", "site_token", "user_token", "user_tokens",
]  # fmt: skip

KIND: Final = "connector"  # of the change log

_SEAL: Final = "connector"
_MEMO: Final = "connector state"
# What no anonymous answer shows and what changes with every exchange: not worth a line in the log.
_SILENT: Final = ("queue_", "sync_settings", "sync_health", "sync_last", "full_sync", "secret_", "error_")

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


# -- the connection


def is_offline(frame: Frame) -> bool:
    """Say whether the profile names no service."""
    return not frame.profile.connector.service_url


def site_id(work: Work) -> int | None:
    """Return the number that the service gave the site, also after a disconnect."""
    found = get(work, "id")
    return int(found) if found else None


def site_token(work: Work) -> str:
    """Return the site's token, empty for none."""
    found = opened_value(work, "blog_token", "")
    return found if isinstance(found, str) and found.count(".") == 1 else ""


def user_tokens(work: Work) -> dict[int, str]:
    """Return the tokens of accounts, by the account's number; malformed ones are none."""
    kept = opened_value(work, "user_tokens", {})
    return {int(key): token for key, token in kept.items() if _fits(token, int(key))}


def user_token(work: Work, account: int) -> str:
    """Return the token of an account, as `KEY.SECRET.NUMBER`; empty for none."""
    return user_tokens(work).get(account, "")


def set_user_token(work: Work, account: int, token: str) -> None:
    """Keep the token of an account; an empty one forgets it."""
    kept = {**user_tokens(work), account: token}
    put_sealed(work, "user_tokens", {str(key): value for key, value in kept.items() if value})


def _fits(token: object, account: int) -> bool:
    parts = token.split(".") if isinstance(token, str) else []
    return len(parts) == 3 and all(parts) and parts[2] == str(account)


def is_registered(work: Work) -> bool:
    """Say whether the site has a number and a token."""
    return site_id(work) is not None and bool(site_token(work))


def is_connected(work: Work, account: int) -> bool:
    """Say whether an account has a token."""
    return bool(account) and bool(user_token(work, account))


def owner_id(work: Work) -> int:
    """Return the number of the account that owns the connection, 0 for none."""
    return int(get(work, "master_user", 0) or 0)


def owner(work: Work) -> User | None:
    """Return who owns the connection: an account that exists and has a token."""
    found = owner_id(work)
    if not is_connected(work, found):
        return None
    return users.by_id(work.tx, found, users.has_shop(work.frame))


def has_owner(work: Work) -> bool:
    """Say whether the connection has an owner."""
    return owner(work) is not None


def home(work: Work) -> str:
    """Return the address of the site as its settings say it, in its first language."""
    return f"{work.frame.origin}/{work.frame.profile.default_language}"

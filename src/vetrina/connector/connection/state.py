"""What the connector is: its number, tokens and owner, and what follows from them.

Not here: how values are kept (connector/stored_values.py), the lock on tokens (connector/connection/token_lock.py),
marks and locks of the queues (connector/sync/queue.py), the crisis (connector/identity/rules.py). Rules: facts of the
connector, 1.
"""

from __future__ import annotations

from vetrina.access.users import rules as users
from vetrina.access.users.model import User
from vetrina.connector.connection import token_lock
from vetrina.connector.stored_values import KIND, drop, get, home, opened_value, put, put_sealed, read
from vetrina.core.unit_of_work import Frame, Work

__all__ = [
    "KIND", "drop", "get", "has_owner", "home", "is_connected", "is_offline", "is_registered", "opened_value", "owner",
    "owner_id", "put", "put_sealed", "read", "set_user_token", "site_id", "site_token", "token_of", "user_token",
    "user_tokens",
]  # fmt: skip


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
    found = opened_value(work, "blog_token", "") if not token_lock.shuts(work) else ""
    return found if isinstance(found, str) and found.count(".") == 1 else ""


def user_tokens(work: Work) -> dict[int, str]:
    """Return the tokens of accounts, by the account's number; malformed ones are none."""
    return {int(key): token for key, token in _kept_tokens(work).items() if _fits(token, int(key))}


def _kept_tokens(work: Work) -> dict[str, str]:
    found = opened_value(work, "user_tokens", {}) if not token_lock.shuts(work) else {}
    return found if isinstance(found, dict) else {}


def token_of(work: Work, account: int) -> tuple[str, str]:
    """Return the token of an account, of the site for 0, and the service's word for why there is none."""
    if not account:
        found = site_token(work)
        return found, "" if found else "no_possible_tokens"
    kept = _kept_tokens(work)
    token = kept.get(str(account))
    if not kept:
        return "", "no_user_tokens"
    if not token:
        return "", "no_token_for_user"
    parts = token.split(".")
    if len(parts) != 3 or not all(parts):
        return "", "token_malformed"
    return (token, "") if parts[2] == str(account) else ("", "user_id_mismatch")


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

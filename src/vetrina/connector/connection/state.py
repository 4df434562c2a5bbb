"""The state of the connection: the site's id, tokens and owner, and what follows from them.

Not here: how values are stored (connector/stored_values.py), the token lock (connector/connection/token_lock.py), the
state of queues (connector/sync/queue.py), identity crises (connector/identity/rules.py).
Rules: docs/rules/connector.md, 1 and 3.
"""

from __future__ import annotations

from vetrina.access.users import rules as users
from vetrina.connector.connection import token_lock
from vetrina.connector.stored_values import (
    get_decrypted_value,
    get_value,
    save_encrypted_value,
)
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User

# -- the connection


def is_offline(site: SiteContext) -> bool:
    """Say whether the profile names no service."""
    return not site.profile.connector.service_url


def find_site_id(work: UnitOfWork) -> int | None:
    """Return the id that the service gave the site, also after disconnecting."""
    found = get_value(work, "id")
    return int(found) if found else None


def get_site_token(work: UnitOfWork) -> str:
    """Return the site's token, empty for none."""
    found = get_decrypted_value(work, "blog_token", "") if not token_lock.is_locked_elsewhere(work) else ""
    return found if isinstance(found, str) and found.count(".") == 1 else ""


def load_user_tokens(work: UnitOfWork) -> dict[int, str]:
    """Return the tokens of accounts by account id, without malformed ones."""
    return {int(key): token for key, token in _load_kept_tokens(work).items() if _is_well_formed(token, int(key))}


def _load_kept_tokens(work: UnitOfWork) -> dict[str, str]:
    found = get_decrypted_value(work, "user_tokens", {}) if not token_lock.is_locked_elsewhere(work) else {}
    return found if isinstance(found, dict) else {}


def find_token(work: UnitOfWork, account: int) -> tuple[str, str]:
    """Return the token of an account, of the site for 0, and the service's error code where there is none."""
    if not account:
        found = get_site_token(work)
        return found, "" if found else "no_possible_tokens"
    tokens = _load_kept_tokens(work)
    token = tokens.get(str(account))
    if not tokens:
        return "", "no_user_tokens"
    if not token:
        return "", "no_token_for_user"
    parts = token.split(".")
    if len(parts) != 3 or not all(parts):
        return "", "token_malformed"
    return (token, "") if parts[2] == str(account) else ("", "user_id_mismatch")


def get_user_token(work: UnitOfWork, account: int) -> str:
    """Return the token of an account, as `KEY.SECRET.NUMBER`; empty for none."""
    return load_user_tokens(work).get(account, "")


def save_user_token(work: UnitOfWork, account: int, token: str) -> None:
    """Store the token of an account; an empty one deletes it."""
    tokens = {**load_user_tokens(work), account: token}
    save_encrypted_value(work, "user_tokens", {str(key): value for key, value in tokens.items() if value})


def _is_well_formed(token: object, account: int) -> bool:
    parts = token.split(".") if isinstance(token, str) else []
    return len(parts) == 3 and all(parts) and parts[2] == str(account)


def is_registered(work: UnitOfWork) -> bool:
    """Say whether the site has an id and a token."""
    return find_site_id(work) is not None and bool(get_site_token(work))


def is_connected(work: UnitOfWork, account: int) -> bool:
    """Say whether an account has a token."""
    return bool(account) and bool(get_user_token(work, account))


def get_owner_id(work: UnitOfWork) -> int:
    """Return the id of the account that owns the connection, 0 for none."""
    return int(get_value(work, "master_user", 0) or 0)


def find_owner(work: UnitOfWork) -> User | None:
    """Return the owner of the connection: an account that exists and has a token."""
    found = get_owner_id(work)
    if not is_connected(work, found):
        return None
    return users.find_user(work.tx, found, work.site.roles)


def has_owner(work: UnitOfWork) -> bool:
    """Say whether the connection has an owner."""
    return find_owner(work) is not None

"""Sessions: started by signing in, ended by signing out, by a new password or by their time.

What ended is gone in every process at once. Those of browsers: access/sessions/browser_sessions.py. Signing in:
access/sign_in/credentials.py. Rules: docs/rules/sessions.md, 1 and 3.
"""

from __future__ import annotations

from typing import Final

import msgspec

from vetrina.access.sessions import store
from vetrina.access.sessions.model import Session, SessionClient, SessionKind, StartedSession
from vetrina.backends.database import Transaction
from vetrina.core.change_source import Told
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.kernel.keys import compute_digest, generate_key, generate_uuid

_KEY_BYTES: Final = 24
_MAX_AGENT_LENGTH: Final = 250  # characters that are kept of what a client calls itself
_MAX_NAME_LENGTH: Final = 100  # characters


def start_session(
    work: UnitOfWork, user: User, kind: SessionKind, client: SessionClient, *, seconds: int, name: str = "",
    scopes: tuple[str, ...] = (),
) -> StartedSession:  # fmt: skip
    """Start a session for an account whose owner has been proved.

    seconds: until it runs out. name: what its owner calls it. scopes: what it may be used for, none for everything.
    """
    key = generate_key(_KEY_BYTES)
    started = Session(
        generate_uuid(), user.id, kind, name[:_MAX_NAME_LENGTH], work.now, work.now, work.now + seconds, client.address,
        client.agent[:_MAX_AGENT_LENGTH], scopes,
    )  # fmt: skip
    digest = compute_key_digest(work.site, started.id, key) if kind == SessionKind.BROWSER else ""
    store.insert_session(work.tx, started, digest)
    work.note("session", started.id, "created")
    members = {"account": Told(None, user.id), "kind": Told(None, str(kind))}
    work.describe("session", started.id, name, members, by=user)
    return StartedSession(started, key)


def find_session(tx: Transaction, id: str, now: int) -> Session | None:
    """Return the session with an id, None for one that has run out."""
    found = store.select_session(tx, id)
    return found if found is not None and found.until > now else None


def list_sessions(work: UnitOfWork, account: int) -> list[Session]:
    """Return the sessions of an account that have not run out, the latest used first."""
    return store.select_sessions(work.tx, account, work.now)


def extend_session(work: UnitOfWork, session: Session, until: int, client: SessionClient) -> Session:
    """Note that a session was used, and let it run until then. until: seconds since 1970."""
    store.update_end(work.tx, session.id, until)
    store.update_last_use(work.tx, session.id, work.now, client.address)
    return msgspec.structs.replace(session, until=until, last_used=work.now, address=client.address)


def end_session(work: UnitOfWork, session: Session) -> None:
    """End a session; nothing that proved it does so any longer."""
    store.delete_session(work.tx, session.id)
    work.note("session", session.id, "removed")
    work.describe("session", session.id, session.name, {"account": Told(session.account, None)})


def end_sessions(work: UnitOfWork, account: int, keep: str = "") -> int:
    """End the sessions of an account and return how many; keep: the id of one that goes on."""
    ended = [one for one in list_sessions(work, account) if one.id != keep]
    for one in ended:
        end_session(work, one)
    return len(ended)


def delete_expired_sessions(work: UnitOfWork) -> None:
    """Delete the sessions that have run out."""
    store.delete_expired(work.tx, work.now)


def compute_key_digest(site: SiteContext, id: str, key: str) -> str:
    """Return the stored digest of the key of a session's cookie."""
    return compute_digest(site.settings.secret, f"session\n{id}\n{key}")

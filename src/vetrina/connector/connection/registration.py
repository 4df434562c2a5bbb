"""Registering the site with the service, mending the connection, and ending it.

Steps that ask the service run outside every transaction: each is given `open`, reads what it needs, asks, and keeps
what was told. Not here: the calls themselves (connector/connection/remote.py), what the site says of itself
(connector/connection/introduction.py), accounts (connector/connection/authorization.py), who may do it (the namespace).
Rules: facts of the connector, 4, 6 and 10.
"""

from __future__ import annotations

from email.utils import parsedate_to_datetime
from typing import Any, Final

from vetrina.access.users.model import User
from vetrina.backends.http_client import Reply
from vetrina.connector.connection import (
    accounts as connection_accounts,
)
from vetrina.connector.connection import (
    authorization,
    heartbeat,
    introduction,
    remote_errors,
    token_lock,
)
from vetrina.connector.connection import (
    remote as connection_remote,
)
from vetrina.connector.connection import (
    secrets as connection_secrets,
)
from vetrina.connector.connection import (
    signatures as connection_signatures,
)
from vetrina.connector.connection import (
    state as connection_state,
)
from vetrina.connector.connection.remote import Failed, Open
from vetrina.connector.identity import rules as identity
from vetrina.connector.sync import full_sync, site_values
from vetrina.connector.sync import queue as sync_queue
from vetrina.connector.sync import settings as sync_settings
from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel import signing
from vetrina.kernel.errors import ApiError
from vetrina.kernel.integers import whole
from vetrina.kernel.keys import random_letters

__all__ = ["NotRegistered", "deregister", "disconnect", "reconnect", "register", "start_fresh"]

_REGISTER_SECONDS: Final = 600
_DRIFT: Final = 10  # seconds by which the clocks must move apart before that is kept anew


class NotRegistered(ApiError):
    """The site has no connection that could be used or ended."""

    code = "site_not_registered"
    message = "The site is not registered with the service."


# -- the site


def register(frame: Frame, open: Open, account: User, *, source: str = "", plugin: str = "") -> None:
    """Register the site, as an account, and keep its number and token. Raises Failed."""
    with open(False) as work:
        connection_state.put(work, "tos_agreed", True)
        token_lock.release(work)
        _forget_tokens(work)
        first, second = connection_secrets.made(work, connection_secrets.REGISTER, account.id, _REGISTER_SECONDS)
        body = introduction.of(work, account, first, second, source, plugin)
    reply = connection_remote.post(frame, open, "/register", body)
    told = connection_remote.refused(reply)
    number, token = told.get("connector_id"), told.get("connector_secret")
    number = whole(str(number)) if isinstance(number, (int, str)) and not isinstance(number, bool) else None
    if number is None:
        raise Failed("connector_id", "The service gave the site no number.", reply.status)
    if not isinstance(token, str) or token.count(".") != 1:
        raise Failed("connector_secret", "The service gave the site no token.", reply.status)
    with open(False) as work:
        connection_state.put(work, "id", number)
        connection_state.put(work, "persistent_blog_id", number)
        connection_state.put(work, "public", int(bool(told.get("connector_public"))))
        connection_state.put(work, "alternate_url", str(told.get("alternate_authorization_url") or ""))
        connection_state.put_sealed(work, "blog_token", token)
        _set_time(work, reply)
        identity.forget(work)
        identity.register_home(work)
        remote_errors.clear(work)
        _count(work, "connected")
        sync_queue.begin(work)
        site_values.remember(work)
        full_sync.start(work, {"options": 1, "functions": 1, "constants": 1, "users": [account.id]}, "initial_sync")


def _set_time(work: Work, reply: Reply) -> None:
    try:
        there = int(parsedate_to_datetime(reply.headers.get("date", "")).timestamp())
    except (TypeError, ValueError, OverflowError):
        return
    if abs(there - work.now - int(connection_state.get(work, "time_diff", 0))) > _DRIFT:
        connection_state.put(work, "time_diff", there - work.now)


def _count(work: Work, what: str) -> None:
    """Count how often the site was connected and disconnected."""
    known = connection_state.get(work, "unique_connection", {"connected": 0, "disconnected": 0})
    connection_state.put(work, "unique_connection", {**known, what: known[what] + 1})


def _forget_tokens(work: Work) -> None:
    connection_state.drop(work, "blog_token", "user_tokens", "master_user")
    connection_secrets.drop_all(work)


def deregister(frame: Frame, open: Open) -> None:
    """Tell the service that the site leaves, unless it would believe that of another site."""
    with open(True) as work:
        tell = (
            connection_state.is_registered(work)
            and not identity.in_crisis(work)
            and not connection_state.is_offline(frame)
        )
    if tell:
        try:
            connection_remote.post(frame, open, "/deregister", {}, user=0)
        except Failed:
            return  # leaving needs nobody's consent; the service sees it by the next unanswered call


def disconnect(work: Work) -> None:
    """Forget tokens, owner, secrets, what is known of accounts, and all of sync; the site's number stays."""
    if connection_state.is_registered(work):
        _count(work, "disconnected")
    _forget_tokens(work)
    remote_errors.clear(work)
    connection_accounts.forget(work)
    connection_signatures.forget_nonces(work)
    connection_state.drop(work, "time_diff", "registered_home", heartbeat.LAST)
    sync_queue.clear(work)
    full_sync.clear(work)
    site_values.forget(work)
    sync_settings.forget(work)


def start_fresh(frame: Frame, open: Open, account: User, redirect: str) -> str:
    """Leave, forget who the site was, register anew; return where the account authorises itself. Raises Failed."""
    deregister(frame, open)
    with open(False) as work:
        disconnect(work)
        identity.forget(work)
        connection_state.drop(work, "persistent_blog_id")
    register(frame, open, account)
    with open(False) as work:
        return authorization.authorize_url(work, account, redirect)


def reconnect(frame: Frame, open: Open, account: User) -> dict[str, Any]:
    """Mend the connection and say whether the account has to authorise itself again. Raises Failed, NotRegistered."""
    with open(True) as work:
        alone = (
            connection_state.is_registered(work)
            and not connection_state.user_tokens(work)
            and not connection_state.owner_id(work)
        )
        site, own = connection_state.site_token(work), connection_state.user_token(work, account.id)
        now = work.now + int(connection_state.get(work, "time_diff", 0))
    if alone:
        return _anew(frame, open, account, done=True)
    proofs = {
        name: signing.proof(token, user, timestamp=now, nonce=random_letters(10)) if token else ""
        for name, token, user in (("blog_token", site, 0), ("user_token", own, account.id))
    }
    try:
        told = connection_remote.ask(frame, open, "/token-health", proofs)
    except Failed:
        told = {}
    site_good, own_good = (bool((told.get(name) or {}).get("is_healthy")) for name in ("blog_token", "user_token"))
    if site_good == own_good:
        return _anew(frame, open, account, done=False)
    if own_good:
        with open(True) as work:
            if connection_state.site_id(work) is None:
                raise NotRegistered
        told = connection_remote.ask(
            frame, open, "/refresh-blog-token", {}, user=account.id,
            unreachable="refresh_blog_token_http_request_failed",
        )  # fmt: skip
        token = told.get("connector_secret")
        if not isinstance(token, str) or token.count(".") != 1:
            raise Failed("connector_secret", "The service gave the site no token.")
        with open(False) as work:
            connection_state.put_sealed(work, "blog_token", token)
        return {"status": "completed"}
    with open(False) as work:
        connection_state.set_user_token(work, account.id, "")
        return {"status": "in_progress", "authorizeUrl": authorization.authorize_url(work, account, "")}


def _anew(frame: Frame, open: Open, account: User, done: bool) -> dict[str, Any]:
    deregister(frame, open)
    with open(False) as work:
        disconnect(work)
    register(frame, open, account)
    if done:
        return {"status": "completed"}
    with open(False) as work:
        return {"status": "in_progress", "authorizeUrl": authorization.authorize_url(work, account, "")}

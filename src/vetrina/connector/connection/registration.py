"""Registration of the site with the service: register, reconnect, disconnect, start fresh.

Steps that call the service run outside every transaction: each opens units of work with `open` to read what it needs
and to store the result. Not here: the calls themselves (connector/connection/remote.py), the data sent
(connector/connection/introduction.py), accounts (connector/connection/authorization.py).
Rules: docs/rules/connector.md, 10 and docs/rules/connector_registration.md, 1, 4, 9 and 11.
"""

from __future__ import annotations

from email.utils import parsedate_to_datetime
from typing import Any, Final

import orjson

from vetrina.backends.http_client import OutboundResponse
from vetrina.connector import stored_values
from vetrina.connector.connection import (
    account_details,
    authorization,
    heartbeat,
    introduction,
    remote as connection_remote,
    secrets as connection_secrets,
    signature_checks,
    signature_errors,
    signing,
    state as connection_state,
    token_lock,
)
from vetrina.connector.connection.handshake_errors import HandshakeStepRefused
from vetrina.connector.connection.remote import ConnectorServiceFailed, OpenUnitOfWork
from vetrina.connector.identity import rules as identity
from vetrina.connector.sync import full_sync, health, queue as sync_queue, settings as sync_settings, site_values
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.kernel.errors import ApiError
from vetrina.kernel.integers import parse_digits
from vetrina.kernel.keys import generate_letters

_REGISTER_SECONDS: Final = 600
_DRIFT: Final = 10  # seconds of clock drift before a new time difference is stored


class SiteNotRegistered(ApiError):
    """The site has no connection to use or end."""

    code = "site_not_registered"
    message = "The site is not registered with the service."


# -- the site


def register_site(
    site: SiteContext, open: OpenUnitOfWork, account: User, *, source: str = "", plugin: str = ""
) -> None:
    """Register the site in the name of an account, and store its id and token. Raises ConnectorServiceFailed."""
    with open(False) as work:
        stored_values.save_value(work, "tos_agreed", True)
        token_lock.unlock_tokens(work)
        _forget_tokens(work)
        first, second = connection_secrets.ensure_secret_pair(
            work, connection_secrets.REGISTER, account.id, _REGISTER_SECONDS
        )
        body = introduction.build_introduction(work, account, first, second, source, plugin)
    reply = connection_remote.send_request(site, open, "/register", body)
    answer = connection_remote.parse_reply(reply)
    number, token = answer.get("connector_id"), answer.get("connector_secret")
    number = parse_digits(str(number)) if isinstance(number, (int, str)) and not isinstance(number, bool) else None
    if number is None:
        raise ConnectorServiceFailed("connector_id", "The service gave the site no number.", reply.status)
    if not isinstance(token, str) or token.count(".") != 1:
        raise ConnectorServiceFailed("connector_secret", "The service gave the site no token.", reply.status)
    with open(False) as work:
        stored_values.save_value(work, "id", number)
        stored_values.save_value(work, "persistent_blog_id", number)
        stored_values.save_value(work, "public", int(bool(answer.get("connector_public"))))
        stored_values.save_value(work, "alternate_url", str(answer.get("alternate_authorization_url") or ""))
        stored_values.save_encrypted_value(work, "blog_token", token)
        _save_time_difference(work, reply)
        identity.forget_crisis(work)
        identity.save_registered_home(work)
        signature_errors.clear_errors(work)
        _count_connection(work, "connected")
        sync_queue.begin_queue(work)
        site_values.save_checksums(work)
        full_sync.start_full_sync(
            work, {"options": 1, "functions": 1, "constants": 1, "users": [account.id]}, "initial_sync"
        )


def register_as_requested(
    site: SiteContext, open: OpenUnitOfWork, account: User, nonce: Any, *, again: bool, source: str
) -> int | None:
    """Register the site as the service asks, once it has confirmed the request's nonce, and return the site's id.

    again: also where the site is registered. Raises HandshakeStepRefused, ConnectorServiceFailed.
    """
    if not nonce:
        raise HandshakeStepRefused("nonce_missing", "nonce is missing.")
    if not isinstance(nonce, str) or not _is_valid_nonce(site, open, nonce):
        raise HandshakeStepRefused("invalid_nonce", "The service does not know this nonce.")
    with open(True) as work:
        known = connection_state.is_registered(work)
    if not known or again:
        register_site(site, open, account, source=source)
    with open(True) as work:
        return connection_state.find_site_id(work)


def _is_valid_nonce(site: SiteContext, open: OpenUnitOfWork, nonce: str) -> bool:
    """Ask the service whether it issued the nonce of a request."""
    try:
        reply = connection_remote.send_request(
            site, open, "/partner_provision_nonce_check", method="GET", query={"nonce": nonce}
        )  # fmt: skip
    except ConnectorServiceFailed:
        return False
    text = reply.body.strip()
    return reply.status == 200 and (text == b"OK" or text == orjson.dumps("OK"))


def _save_time_difference(work: UnitOfWork, reply: OutboundResponse) -> None:
    try:
        there = int(parsedate_to_datetime(reply.headers.get("date", "")).timestamp())
    except (TypeError, ValueError, OverflowError):
        return
    if abs(there - work.now - int(stored_values.get_value(work, "time_diff", 0))) > _DRIFT:
        stored_values.save_value(work, "time_diff", there - work.now)


def _count_connection(work: UnitOfWork, what: str) -> None:
    """Count how often the site was connected or disconnected."""
    known = stored_values.get_value(work, "unique_connection", {"connected": 0, "disconnected": 0})
    stored_values.save_value(work, "unique_connection", {**known, what: known[what] + 1})


def _forget_tokens(work: UnitOfWork) -> None:
    stored_values.delete_values(work, "blog_token", "user_tokens", "master_user")
    connection_secrets.delete_secret_pairs(work)


def deregister_site(site: SiteContext, open: OpenUnitOfWork) -> None:
    """Tell the service that the site disconnects, unless this would disconnect another site in its place."""
    with open(True) as work:
        tell = (
            connection_state.is_registered(work)
            and not identity.is_in_crisis(work)
            and not connection_state.is_offline(site)
        )
    if tell:
        try:
            connection_remote.send_request(site, open, "/deregister", {}, user=0)
        except ConnectorServiceFailed:
            return  # disconnecting needs no consent; the service notices when its next call fails


def disconnect_site(work: UnitOfWork) -> None:
    """Delete tokens, owner, secrets, account details and all state of sync; the site's id stays."""
    if connection_state.is_registered(work):
        _count_connection(work, "disconnected")
    _forget_tokens(work)
    signature_errors.clear_errors(work)
    account_details.forget_account_details(work)
    signature_checks.forget_nonces(work)
    stored_values.delete_values(work, "time_diff", "registered_home", heartbeat.LAST)
    sync_queue.clear_queue(work)
    full_sync.clear_full_sync(work)
    site_values.forget_checksums(work)
    sync_settings.reset_sync_settings(work)
    health.forget_sync_health(work)


def reconnect_site(site: SiteContext, open: OpenUnitOfWork, account: User) -> dict[str, Any]:
    """Repair the connection, and return whether the account must authorize the service again.

    Raises ConnectorServiceFailed, SiteNotRegistered.
    """
    with open(True) as work:
        alone = (
            connection_state.is_registered(work)
            and not connection_state.load_user_tokens(work)
            and not connection_state.get_owner_id(work)
        )
        of_site, own = connection_state.get_site_token(work), connection_state.get_user_token(work, account.id)
        now = work.now + int(stored_values.get_value(work, "time_diff", 0))
    if alone:
        return _register_again(site, open, account, done=True)
    proofs = {
        name: signing.build_token_proof(token, user, timestamp=now, nonce=generate_letters(10)) if token else ""
        for name, token, user in (("blog_token", of_site, 0), ("user_token", own, account.id))
    }
    try:
        answer = connection_remote.request_object(site, open, "/token-health", proofs)
    except ConnectorServiceFailed:
        answer = {}
    site_good, own_good = (bool((answer.get(name) or {}).get("is_healthy")) for name in ("blog_token", "user_token"))
    if site_good == own_good:
        return _register_again(site, open, account, done=False)
    if own_good:
        with open(True) as work:
            if connection_state.find_site_id(work) is None:
                raise SiteNotRegistered
        answer = connection_remote.request_object(
            site, open, "/refresh-blog-token", {}, user=account.id,
            unreachable="refresh_blog_token_http_request_failed",
        )  # fmt: skip
        token = answer.get("connector_secret")
        if not isinstance(token, str) or token.count(".") != 1:
            raise ConnectorServiceFailed("connector_secret", "The service gave the site no token.")
        with open(False) as work:
            stored_values.save_encrypted_value(work, "blog_token", token)
        return {"status": "completed"}
    with open(False) as work:
        connection_state.save_user_token(work, account.id, "")
        return {"status": "in_progress", "authorizeUrl": authorization.build_authorize_url(work, account, "")}


def _register_again(site: SiteContext, open: OpenUnitOfWork, account: User, done: bool) -> dict[str, Any]:
    deregister_site(site, open)
    with open(False) as work:
        disconnect_site(work)
    register_site(site, open, account)
    if done:
        return {"status": "completed"}
    with open(False) as work:
        return {"status": "in_progress", "authorizeUrl": authorization.build_authorize_url(work, account, "")}

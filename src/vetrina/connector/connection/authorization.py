"""Accounts that authorize the service to act for them: the authorize URL, and the exchange of codes for tokens.

The first account with a token owns the connection. Not here: the site's own registration
(connector/connection/registration.py), owner and unlinking (connector/connection/accounts.py).
Rules: docs/rules/connector_registration.md, 6, 7, 8 and 9.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote, urlencode, urljoin, urlsplit

from vetrina.access.users import rules as users
from vetrina.connector import stored_values
from vetrina.connector.connection import (
    introduction,
    remote as connection_remote,
    secrets as connection_secrets,
    signing,
    state as connection_state,
)
from vetrina.connector.connection.accounts import save_account_token
from vetrina.connector.connection.handshake_errors import HandshakeStepRefused
from vetrina.connector.connection.introduction import VERSION
from vetrina.connector.connection.remote import ConnectorServiceFailed, OpenUnitOfWork
from vetrina.connector.connection.secrets import SecretRefused
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.kernel.errors import Failure

_PROVISION_SECONDS: Final = 600
_AUTHORIZE_SECONDS: Final = 2 * 3600
_ROLES: Final = {
    "administrator": "manage_options", "editor": "edit_others_posts", "author": "publish_posts",
    "contributor": "edit_posts", "subscriber": "read",
}  # fmt: skip


def get_account_role(account: User) -> str:
    """Return the first role known to the service that the account has, by name or by capability; empty for none."""
    for name, capability in _ROLES.items():
        if name in account.roles or account.can(capability):
            return name
    return ""


def build_scope(work: UnitOfWork, account: User) -> str:
    """Return the account's role, signed with the site's token; empty without one."""
    token, known = connection_state.get_site_token(work), get_account_role(account)
    return signing.build_role_scope(token, known, account.id) if token and known else ""


def _build_admin_address(work: UnitOfWork) -> str:
    return f"{work.origin}/admin/"


def _resolve_redirect(work: UnitOfWork, wanted: str) -> str:
    """Return the URL to return to, restricted to this site."""
    page = _build_admin_address(work) + "admin.php?page=connector"
    found = urljoin(_build_admin_address(work), wanted) if wanted else page
    return found if urlsplit(found).netloc == urlsplit(work.origin).netloc else page


def build_authorize_url(work: UnitOfWork, account: User, redirect: str, source: str = "") -> str:
    """Return the URL at which an account authorizes the service."""
    first, _ = connection_secrets.ensure_secret_pair(work, connection_secrets.AUTHORIZE, account.id, _AUTHORIZE_SECONDS)
    profile = work.site.profile
    back = (
        _build_admin_address(work)
        + "admin.php?"
        + urlencode(
            {
                "handler": "connector-connection-webhooks",
                "action": "authorize",
                "redirect": _resolve_redirect(work, redirect),
            }
        )
    )
    members: dict[str, Any] = {
        "response_type": "code",
        "client_id": connection_state.find_site_id(work) or "",
        "redirect_uri": back,
        "state": account.id,
        "scope": build_scope(work, account),
        "user_email": account.email,
        "user_login": account.login,
        "is_active": "1" if connection_state.has_owner(work) else "",
        "jp_version": VERSION,
        "auth_type": "calypso",
        "secret": first,
        "blogname": work.option("title"),
        "site_url": stored_values.build_home_address(work),
        "home_url": stored_values.build_home_address(work),
        "site_icon": introduction.find_site_icon(work),
        "site_lang": profile.default_language,
        "site_created": introduction.find_creation_date(work),
        "allow_site_connection": "" if connection_state.has_owner(work) else "1",
        "calypso_env": "",
        "source": "",
    }
    if source:
        members["from"] = source
    parts = [f"{name}={quote(str(value), safe='')}" if value != "" else name for name, value in members.items()]
    return f"{connection_remote.get_service_address(work.site)}/authorize/1/?{'&'.join(parts)}"


def find_account(work: UnitOfWork, named: Any) -> User | None:
    """Return an account by login, e-mail address or id."""
    if isinstance(named, bool) or not isinstance(named, (str, int)):
        return None
    roles = work.site.roles
    found = users.find_user_by_login(work.tx, str(named), roles)
    if found is None and str(named).isdecimal() and len(str(named)) < 16:
        found = users.find_user(work.tx, int(named), roles)
    return found


def get_named_account(open: OpenUnitOfWork, named: Any) -> User:
    """Return the account that a request of the service names. Raises HandshakeStepRefused."""
    if named in (None, ""):
        raise HandshakeStepRefused("local_user_missing", "Name an account in local_user.")
    with open(True) as work:
        found = find_account(work, named)
    if found is None:
        raise HandshakeStepRefused("input_error", "There is no such account.")
    return found


def build_provision_data(work: UnitOfWork, account: User) -> dict[str, Any]:
    """Return what the service needs to authorize an account by itself."""
    first, _ = connection_secrets.ensure_secret_pair(work, connection_secrets.AUTHORIZE, account.id, _PROVISION_SECONDS)
    icon = introduction.find_site_icon(work)
    return {
        "jp_version": VERSION,
        "redirect_uri": _build_admin_address(work),
        "user_id": account.id,
        "user_email": account.email,
        "user_login": account.login,
        "scope": build_scope(work, account) or False,
        "secret": first,
        "is_active": connection_state.has_owner(work),
        **({"site_icon": icon} if icon else {}),
    }


def accept_authorization(site: SiteContext, open: OpenUnitOfWork, given: Mapping[str, Any]) -> str:
    """Return `authorized` or `linked` for an account that the service says has authorized it, by the site's own secret.

    given: secret, state (the account), redirect_uri, code, error. Raises HandshakeStepRefused, ConnectorServiceFailed.
    """
    for name in ("secret", "state", "redirect_uri", "code"):
        if not given.get(name):
            raise HandshakeStepRefused("missing_parameter", f"{name} is missing.")
    with open(True) as work:
        number = str(given["state"])
        account = find_account(work, int(number)) if number.isdecimal() and len(number) < 16 else None
        connected = account is not None and connection_state.is_connected(work, account.id)
    if account is None:
        raise HandshakeStepRefused("user_unknown", "There is no such account.", Failure.NOT_FOUND)
    if connected:
        raise HandshakeStepRefused("already_connected", "The account is connected already.")
    with open(False) as work:
        found = connection_secrets.verify_secret_pair(
            work, connection_secrets.AUTHORIZE, given["secret"], given["state"]
        )
    if isinstance(found, SecretRefused):
        raise HandshakeStepRefused(found.told, found.text)
    if given.get("error"):
        raise HandshakeStepRefused(str(given["error"])[:100], "The account was not authorised.")
    return authorize_account(site, open, account, str(given["code"]), str(given["redirect_uri"]))


def authorize_account(site: SiteContext, open: OpenUnitOfWork, account: User, code: str, redirect: str) -> str:
    """Exchange a code for the account's token, and return `authorized` or `linked`. Raises ConnectorServiceFailed."""
    with open(True) as work:
        if not get_account_role(account):
            raise ConnectorServiceFailed("no_role", "The account has no role that the service knows.")
        body = {
            "client_id": connection_state.find_site_id(work),
            "client_secret": connection_state.get_site_token(work),
            "code": code,
            "grant_type": "authorization_code",
            "redirect_uri": redirect,
        }
        wanted = build_scope(work, account)
    answer = connection_remote.request_object(site, open, "/token", body)
    token = answer.get("access_token")
    if not isinstance(token, str) or token.count(".") != 1:
        raise ConnectorServiceFailed("access_token", "The service gave the account no token.")
    if str(answer.get("token_type", "")).upper() != "X_CONNECTOR":
        raise ConnectorServiceFailed("token_type", "The service gave a token of another kind.")
    if answer.get("scope") != wanted:
        raise ConnectorServiceFailed("scope", "The service gave a token for another role.")
    return save_account_token(open, account, f"{token}.{account.id}")


def connect_named_account(site: SiteContext, open: OpenUnitOfWork, named: Any, nonce: Any) -> None:
    """Make an account that the service names the owner, where there is none. Raises HandshakeStepRefused."""
    with open(True) as work:
        if connection_state.has_owner(work):
            raise HandshakeStepRefused("already_connected", "The connection has an owner already.")
    account = get_named_account(open, named)
    if not isinstance(nonce, str) or not nonce:
        raise HandshakeStepRefused("input_error", "nonce is missing.")
    connect_by_nonce(site, open, account, nonce)


def connect_by_nonce(site: SiteContext, open: OpenUnitOfWork, account: User, nonce: str) -> None:
    """Fetch the token of an account from the service, and make it the owner. Raises ConnectorServiceFailed."""
    reply = connection_remote.send_request(
        site, open, "/user-access-token", {"nonce": nonce, "user": account.id}, user=0
    )
    token = connection_remote.parse_reply(reply).get("token")
    if not isinstance(token, str) or token.count(".") != 2:
        raise ConnectorServiceFailed("token_fetch_failed", "The service gave the account no token.")
    save_account_token(open, account, token)

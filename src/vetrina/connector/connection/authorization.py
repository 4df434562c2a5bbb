"""Accounts that let the service act for them: where they do so, codes exchanged for tokens, the first one owns.

Not here: the site's own registration (connector/connection/registration.py), what is kept of accounts of the service
(connector/connection/accounts.py). Rules: facts of the connector, 7, 8 and 9.
"""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import quote, urlencode, urljoin, urlsplit

import orjson

from vetrina.access.users import rules as users
from vetrina.access.users.model import User
from vetrina.connector.connection import (
    accounts as connection_accounts,
)
from vetrina.connector.connection import (
    introduction,
    remote_errors,
)
from vetrina.connector.connection import (
    remote as connection_remote,
)
from vetrina.connector.connection import (
    secrets as connection_secrets,
)
from vetrina.connector.connection import (
    state as connection_state,
)
from vetrina.connector.connection.introduction import VERSION
from vetrina.connector.connection.remote import Failed, Open
from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel import signing

__all__ = [
    "authorize", "authorize_url", "connect_by_nonce", "nonce_is_good", "provision", "role", "scope", "take_token",
    "unlink", "wanted_account",
]  # fmt: skip

_PROVISION_SECONDS: Final = 600
_AUTHORIZE_SECONDS: Final = 2 * 3600
_ROLES: Final = {
    "administrator": "manage_options", "editor": "edit_others_posts", "author": "publish_posts",
    "contributor": "edit_posts", "subscriber": "read",
}  # fmt: skip


def role(account: User) -> str:
    """Return the first role that the service knows and the account has, by name or by right; empty for none."""
    for name, capability in _ROLES.items():
        if name in account.roles or account.can(capability):
            return name
    return ""


def scope(work: Work, account: User) -> str:
    """Return the account's role, signed with the site's token; empty without one."""
    token, known = connection_state.site_token(work), role(account)
    return signing.role_scope(token, known, account.id) if token and known else ""


def _admin(work: Work) -> str:
    return f"{work.origin}/admin/"


def _redirect(work: Work, wanted: str) -> str:
    """Return where a browser goes afterwards: an address of this site only."""
    page = _admin(work) + "admin.php?page=connector"
    found = urljoin(_admin(work), wanted) if wanted else page
    return found if urlsplit(found).netloc == urlsplit(work.origin).netloc else page


def authorize_url(work: Work, account: User, redirect: str, source: str = "") -> str:
    """Return where an account lets the service act for it."""
    first, _ = connection_secrets.made(work, connection_secrets.AUTHORIZE, account.id, _AUTHORIZE_SECONDS)
    profile = work.frame.profile
    back = _admin(work) + "admin.php?" + urlencode({
        "handler": "connector-connection-webhooks", "action": "authorize", "redirect": _redirect(work, redirect),
    })  # fmt: skip
    members: dict[str, Any] = {
        "response_type": "code",
        "client_id": connection_state.site_id(work) or "",
        "redirect_uri": back,
        "state": account.id,
        "scope": scope(work, account),
        "user_email": account.email,
        "user_login": account.login,
        "is_active": "1" if connection_state.has_owner(work) else "",
        "jp_version": VERSION,
        "auth_type": "calypso",
        "secret": first,
        "blogname": work.option("title"),
        "site_url": connection_state.home(work),
        "home_url": connection_state.home(work),
        "site_icon": introduction.icon(work),
        "site_lang": profile.default_language,
        "site_created": introduction.created(work),
        "allow_site_connection": "" if connection_state.has_owner(work) else "1",
        "calypso_env": "",
        "source": "",
    }
    if source:
        members["from"] = source
    parts = [f"{name}={quote(str(value), safe='')}" if value != "" else name for name, value in members.items()]
    return f"{connection_remote.base(work.frame)}/authorize/1/?{'&'.join(parts)}"


def wanted_account(work: Work, named: Any) -> User | None:
    """Return the account that a login, an e-mail address or a number names."""
    if isinstance(named, bool) or not isinstance(named, (str, int)):
        return None
    shop = users.has_shop(work.frame)
    found = users.by_login_or_email(work.tx, str(named), shop)
    if found is None and str(named).isdecimal() and len(str(named)) < 16:
        found = users.by_id(work.tx, int(named), shop)
    return found


def provision(work: Work, account: User) -> dict[str, Any]:
    """Return what the service needs to authorise an account by itself."""
    first, _ = connection_secrets.made(work, connection_secrets.AUTHORIZE, account.id, _PROVISION_SECONDS)
    icon = introduction.icon(work)
    return {
        "jp_version": VERSION, "redirect_uri": _admin(work), "user_id": account.id, "user_email": account.email,
        "user_login": account.login, "scope": scope(work, account) or False, "secret": first,
        "is_active": connection_state.has_owner(work), **({"site_icon": icon} if icon else {}),
    }  # fmt: skip


def authorize(frame: Frame, open: Open, account: User, code: str, redirect: str) -> str:
    """Exchange a code for the account's token, and return what became of it: authorized or linked. Raises Failed."""
    with open(True) as work:
        if not role(account):
            raise Failed("no_role", "The account has no role that the service knows.")
        body = {
            "client_id": connection_state.site_id(work),
            "client_secret": connection_state.site_token(work),
            "code": code,
            "grant_type": "authorization_code",
            "redirect_uri": redirect,
        }
        wanted = scope(work, account)
    told = connection_remote.ask(frame, open, "/token", body)
    token = told.get("access_token")
    if not isinstance(token, str) or token.count(".") != 1:
        raise Failed("access_token", "The service gave the account no token.")
    if str(told.get("token_type", "")).upper() != "X_CONNECTOR":
        raise Failed("token_type", "The service gave a token of another kind.")
    if told.get("scope") != wanted:
        raise Failed("scope", "The service gave a token for another role.")
    return take_token(open, account, f"{token}.{account.id}")


def take_token(open: Open, account: User, token: str) -> str:
    """Keep the token of an account; the first to have one owns the connection."""
    with open(False) as work:
        first = not connection_state.has_owner(work)
        connection_state.set_user_token(work, account.id, token)
        connection_accounts.forget(work, account.id)
        if first:
            connection_state.put(work, "master_user", account.id)
        remote_errors.clear(work)
    return "authorized" if first else "linked"


def connect_by_nonce(frame: Frame, open: Open, account: User, nonce: str) -> None:
    """Fetch the token of an account from the service and make it the owner. Raises Failed."""
    reply = connection_remote.post(frame, open, "/user-access-token", {"nonce": nonce, "user": account.id}, user=0)
    token = connection_remote.refused(reply).get("token")
    if not isinstance(token, str) or token.count(".") != 2:
        raise Failed("token_fetch_failed", "The service gave the account no token.")
    take_token(open, account, token)


def nonce_is_good(frame: Frame, open: Open, nonce: str) -> bool:
    """Ask the service whether a nonce that came with a request is its own."""
    try:
        reply = connection_remote.post(
            frame, open, "/partner_provision_nonce_check", method="GET", query={"nonce": nonce}
        )  # fmt: skip
    except Failed:
        return False
    text = reply.body.strip()
    return reply.status == 200 and (text == b"OK" or text == orjson.dumps("OK"))


def unlink(work: Work, account: int, everybody: bool = False) -> None:
    """Forget the token of an account; everybody: those of all accounts, and who owns the connection."""
    for one in connection_state.user_tokens(work) if everybody else (account,):
        connection_state.set_user_token(work, one, "")
        connection_accounts.forget(work, one)
    if everybody:
        connection_state.drop(work, "master_user")
    remote_errors.clear(work)

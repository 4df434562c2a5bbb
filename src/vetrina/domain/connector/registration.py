"""Registering the site with the service, connecting accounts, and ending both.

Steps that ask the service run outside every transaction: each is given `open`, reads what it needs, asks, and keeps
what was told. Not here: the calls themselves (remote.py), secrets (secrets.py), who may do it (the namespace).
Rules: facts of the connector, 4, 6, 7, 9 and 10.
"""

from __future__ import annotations

from email.utils import parsedate_to_datetime
from typing import Any, Final
from urllib.parse import quote, urlencode, urljoin, urlsplit

import orjson

from vetrina.backends.outbound import Reply
from vetrina.domain.access import users
from vetrina.domain.access.user import User
from vetrina.domain.work import Frame, Work
from vetrina.kernel import signing
from vetrina.kernel.errors import ApiError
from vetrina.kernel.ids import random_letters

from . import full_sync, identity, queue, remote, remote_errors, secrets, state
from .remote import Failed, Open

__all__ = [
    "PACKAGES", "PLUGINS", "VERSION", "NotRegistered", "authorize", "authorize_url", "connect_by_nonce", "deregister",
    "disconnect", "nonce_is_good", "provision", "reconnect", "register", "scope", "start_fresh", "take_token",
    "wanted_account",
]  # fmt: skip

VERSION: Final = "6.19.12"
PACKAGES: Final = {"connection": VERSION, "sync": "4.24.1"}
# In the order in which they took the connection into use.
PLUGINS: Final = (("shop-payments", "Payments"), ("shop", "Shop"))

_REGISTER_SECONDS: Final = 600
_AUTHORIZE_SECONDS: Final = 2 * 3600
_ROLES: Final = {
    "administrator": "manage_options", "editor": "edit_others_posts", "author": "publish_posts",
    "contributor": "edit_posts", "subscriber": "read",
}  # fmt: skip
_DRIFT: Final = 10  # seconds by which the clocks must move apart before that is kept anew


class NotRegistered(ApiError):
    """The site has no connection that could be used or ended."""

    code = "site_not_registered"
    message = "The site is not registered with the service."


# -- the site


def register(frame: Frame, open: Open, account: User, *, source: str = "", plugin: str = "") -> None:
    """Register the site, as an account, and keep its number and token. Raises Failed."""
    with open(False) as work:
        state.put(work, "tos_agreed", True)
        _forget_tokens(work)
        first, second = secrets.made(work, secrets.REGISTER, account.id, _REGISTER_SECONDS)
        body = _introduction(work, account, first, second, source, plugin)
    reply = remote.post(frame, open, "/register", body)
    told = remote.refused(reply)
    number, token = told.get("connector_id"), told.get("connector_secret")
    if isinstance(number, bool) or not isinstance(number, (int, str)) or not str(number).isdecimal():
        raise Failed("connector_id", "The service gave the site no number.", reply.status)
    if not isinstance(token, str) or token.count(".") != 1:
        raise Failed("connector_secret", "The service gave the site no token.", reply.status)
    with open(False) as work:
        state.put(work, "id", int(number))
        state.put(work, "persistent_blog_id", int(number))
        state.put(work, "public", int(bool(told.get("connector_public"))))
        state.put(work, "alternate_url", str(told.get("alternate_authorization_url") or ""))
        state.put_sealed(work, "blog_token", token)
        _set_time(work, reply)
        identity.forget(work)
        identity.register_home(work)
        remote_errors.clear(work)
        queue.begin(work)
        full_sync.start(work, {"options": 1, "functions": 1, "constants": 1, "users": [account.id]}, "initial_sync")


def _introduction(work: Work, account: User, first: str, second: str, source: str, plugin: str) -> dict[str, Any]:
    profile = work.frame.profile
    body: dict[str, Any] = {
        "siteurl": state.home(work), "home": state.home(work), "gmt_offset": work.zone.offset(work.now) / 3600,
        "timezone_string": work.option("timezone"), "site_name": work.option("title"), "secret_1": first,
        "secret_2": second, "site_lang": profile.default_language, "timeout": 30, "stats_id": None,
        "state": account.id, "api_root": work.root, "connector_version": VERSION, "current_user_email": account.email,
        "package_versions": PACKAGES, "active_connected_plugins": {slug: {"name": name} for slug, name in PLUGINS},
    }  # fmt: skip
    if plugin in dict(PLUGINS):
        body["connect_plugin"] = plugin
    if source:
        body["from"] = source
    if before := state.get(work, "persistent_blog_id"):
        body |= {"persistent_blog_id": before, "url_secret": identity.new_secret(work)}
    return body


def _set_time(work: Work, reply: Reply) -> None:
    try:
        there = int(parsedate_to_datetime(reply.headers.get("date", "")).timestamp())
    except (TypeError, ValueError):
        return
    if abs(there - work.now - int(state.get(work, "time_diff", 0))) > _DRIFT:
        state.put(work, "time_diff", there - work.now)


def _forget_tokens(work: Work) -> None:
    state.drop(work, "blog_token", "user_tokens", "master_user")
    secrets.drop_all(work)


def deregister(frame: Frame, open: Open) -> None:
    """Tell the service that the site leaves, unless it would believe that of another site."""
    with open(True) as work:
        tell = state.is_registered(work) and not identity.in_crisis(work) and not state.is_offline(frame)
    if tell:
        try:
            remote.post(frame, open, "/deregister", {}, user=0)
        except Failed:
            return  # leaving needs nobody's consent; the service sees it by the next unanswered call


def disconnect(work: Work) -> None:
    """Forget tokens, owner, secrets and the state of sync; the site's number stays."""
    _forget_tokens(work)
    remote_errors.clear(work)
    state.drop(work, "time_diff", "registered_home")
    queue.clear(work)
    full_sync.clear(work)


def start_fresh(frame: Frame, open: Open, account: User, redirect: str) -> str:
    """Leave, forget who the site was, register anew; return where the account authorises itself. Raises Failed."""
    deregister(frame, open)
    with open(False) as work:
        disconnect(work)
        identity.forget(work)
        state.drop(work, "persistent_blog_id", "sync_settings", "sync_health")
    register(frame, open, account)
    with open(False) as work:
        return authorize_url(work, account, redirect)


def reconnect(frame: Frame, open: Open, account: User) -> dict[str, Any]:
    """Mend the connection and say whether the account has to authorise itself again. Raises Failed, NotRegistered."""
    with open(True) as work:
        if not state.is_registered(work) and state.site_id(work) is None:
            raise NotRegistered
        alone = not state.user_tokens(work) and not state.owner_id(work)
        site, own = state.site_token(work), state.user_token(work, account.id)
        now = work.now + int(state.get(work, "time_diff", 0))
    if alone:
        return _anew(frame, open, account, done=True)
    proofs = {
        name: signing.proof(token, user, timestamp=now, nonce=random_letters(10)) if token else ""
        for name, token, user in (("blog_token", site, 0), ("user_token", own, account.id))
    }
    try:
        told = remote.ask(frame, open, "/token-health", proofs)
    except Failed:
        told = {}
    site_good, own_good = (bool((told.get(name) or {}).get("is_healthy")) for name in ("blog_token", "user_token"))
    if site_good == own_good:
        return _anew(frame, open, account, done=False)
    if own_good:
        told = remote.ask(
            frame, open, "/refresh-blog-token", {}, user=account.id,
            unreachable="refresh_blog_token_http_request_failed",
        )  # fmt: skip
        token = told.get("connector_secret")
        if not isinstance(token, str) or token.count(".") != 1:
            raise Failed("connector_secret", "The service gave the site no token.")
        with open(False) as work:
            state.put_sealed(work, "blog_token", token)
        return {"status": "completed"}
    with open(False) as work:
        state.set_user_token(work, account.id, "")
        return {"status": "in_progress", "authorizeUrl": authorize_url(work, account, "")}


def _anew(frame: Frame, open: Open, account: User, done: bool) -> dict[str, Any]:
    deregister(frame, open)
    with open(False) as work:
        disconnect(work)
    register(frame, open, account)
    if done:
        return {"status": "completed"}
    with open(False) as work:
        return {"status": "in_progress", "authorizeUrl": authorize_url(work, account, "")}


# -- accounts


def _role(account: User) -> str:
    for role, capability in _ROLES.items():
        if role in account.roles or account.can(capability):
            return role
    return ""


def scope(work: Work, account: User) -> str:
    """Return the account's role, signed with the site's token; empty without one."""
    token, role = state.site_token(work), _role(account)
    return signing.role_scope(token, role, account.id) if token and role else ""


def _admin(work: Work) -> str:
    return f"{work.origin}/admin/"


def _redirect(work: Work, wanted: str) -> str:
    """Return where a browser goes afterwards: an address of this site only."""
    page = _admin(work) + "admin.php?page=connector"
    found = urljoin(_admin(work), wanted) if wanted else page
    return found if urlsplit(found).netloc == urlsplit(work.origin).netloc else page


def authorize_url(work: Work, account: User, redirect: str, source: str = "") -> str:
    """Return where an account lets the service act for it."""
    first, _ = secrets.made(work, secrets.AUTHORIZE, account.id, _AUTHORIZE_SECONDS)
    profile = work.frame.profile
    back = _admin(work) + "admin.php?" + urlencode({
        "handler": "connector-connection-webhooks", "action": "authorize", "redirect": _redirect(work, redirect),
    })  # fmt: skip
    members: dict[str, Any] = {
        "response_type": "code", "client_id": state.site_id(work) or "", "redirect_uri": back, "state": account.id,
        "scope": scope(work, account), "user_email": account.email, "user_login": account.login,
        "is_active": "1" if state.has_owner(work) else "", "jp_version": VERSION, "auth_type": "calypso",
        "secret": first, "blogname": work.option("title"), "site_url": state.home(work), "home_url": state.home(work),
        "site_icon": "", "site_lang": profile.default_language, "site_created": "",
        "allow_site_connection": "" if state.has_owner(work) else "1", "calypso_env": "", "source": "",
    }  # fmt: skip
    if source:
        members["from"] = source
    parts = [f"{name}={quote(str(value), safe='')}" if value != "" else name for name, value in members.items()]
    return f"{remote.base(work.frame)}/authorize/1/?{'&'.join(parts)}"


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
    first, _ = secrets.made(work, secrets.AUTHORIZE, account.id, _REGISTER_SECONDS)
    return {
        "jp_version": VERSION, "redirect_uri": _admin(work), "user_id": account.id, "user_email": account.email,
        "user_login": account.login, "scope": scope(work, account) or False, "secret": first,
        "is_active": state.has_owner(work),
    }  # fmt: skip


def authorize(frame: Frame, open: Open, account: User, code: str, redirect: str) -> str:
    """Exchange a code for the account's token, and return what became of it: authorized or linked. Raises Failed."""
    with open(True) as work:
        if not _role(account):
            raise Failed("no_role", "The account has no role that the service knows.")
        body = {
            "client_id": state.site_id(work), "client_secret": state.site_token(work), "code": code,
            "grant_type": "authorization_code", "redirect_uri": redirect,
        }  # fmt: skip
        wanted = scope(work, account)
    told = remote.ask(frame, open, "/token", body)
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
        first = not state.has_owner(work)
        state.set_user_token(work, account.id, token)
        if first:
            state.put(work, "master_user", account.id)
        remote_errors.clear(work)
    return "authorized" if first else "linked"


def connect_by_nonce(frame: Frame, open: Open, account: User, nonce: str) -> None:
    """Fetch the token of an account from the service and make it the owner. Raises Failed."""
    reply = remote.post(frame, open, "/user-access-token", {"nonce": nonce, "user": account.id}, user=0)
    token = remote.refused(reply).get("token")
    if not isinstance(token, str) or token.count(".") != 2:
        raise Failed("token_fetch_failed", "The service gave the account no token.")
    take_token(open, account, token)


def nonce_is_good(frame: Frame, open: Open, nonce: str) -> bool:
    """Ask the service whether a nonce that came with a request is its own."""
    try:
        reply = remote.post(
            frame, open, "/partner_provision_nonce_check", method="GET", query={"nonce": nonce}
        )  # fmt: skip
    except Failed:
        return False
    text = reply.body.strip()
    return reply.status == 200 and (text == b"OK" or text == orjson.dumps("OK"))

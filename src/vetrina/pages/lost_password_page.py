"""Two pages for who lost a password: one that takes a name and sends a link, one behind the link that takes a new one.

The first says the same whatever name it takes. Not here: the link (access/passwords/reset.py), the mail
(access/passwords/reset_mail.py).
"""

from __future__ import annotations

from typing import Final

from vetrina.access.passwords import hashing as password_hashing
from vetrina.access.passwords import reset as password_reset
from vetrina.access.passwords.hashing import Hashed
from vetrina.access.sessions import rules as sessions
from vetrina.access.sign_in.guess_limiter import TooManyGuesses
from vetrina.access.users.model import NOBODY
from vetrina.kernel.integers import whole
from vetrina.kernel.keys import random_key
from vetrina.pages.page_context import Desk, inner, text_of
from vetrina.pages.page_texts import words
from vetrina.pages.sign_in_page import COOKIE, FORM, hidden
from vetrina.rest.call import Answer, Request

from .markup import Html, button, element, field, join, link

__all__ = ["lost_password", "new_password"]

_LOST: Final = "lost password"
_NEW: Final = "new password"


def lost_password(desk: Desk, request: Request) -> Answer:
    """Show the form that takes a name, or note that somebody lost a password."""
    said = words(request.language)
    if request.method != "POST":
        return _lost_form(desk, request)
    if not _is_own(desk, request, _LOST):
        return _lost_form(desk, request, 403, said["stale"])
    login = text_of(request.form, "login")
    if not login:
        return _lost_form(desk, request, 400, said["lost_empty"])
    try:
        with desk.open_work(request, NOBODY, False) as work:
            password_reset.ask(work, login)
    except TooManyGuesses as error:
        return _lost_form(desk, request, 429, said["lost_wait"].format(wait=error.wait), dict(error.headers))
    return inner(request, 200, said["lost_sent"], element("p", said["lost_sent_text"]))


def new_password(desk: Desk, request: Request) -> Answer:
    """Show the form that takes a new password, or change it."""
    said, posted = words(request.language), request.method == "POST"
    given = request.form if posted else request.query
    account, key, password = whole(text_of(given, "account")) or 0, text_of(given, "key"), given.get("password")
    error, chosen = "", None
    if posted and not _is_own(desk, request, _NEW):
        error = said["stale"]
    elif posted and not (isinstance(password, str) and password_hashing.is_usable(password)):
        error = said["password_unusable"]
    elif posted:
        # Hashed before the transaction, in which others would wait for it.
        chosen = Hashed(password_hashing.hashed(str(password)))
    try:
        with desk.open_work(request, NOBODY, chosen is None) as work:
            user = password_reset.opened_by(work, account, key)
            if user is not None and chosen is not None:
                password_reset.change(work, user, chosen)
    except TooManyGuesses as refused:
        text = said["lost_wait"].format(wait=refused.wait)
        return inner(request, 429, said["new_password"], _alert(text), headers=dict(refused.headers))
    if user is None:
        again = link("lost-password", said["lost_again"])
        return inner(request, 404, said["link_over"], element("p", said["link_over_text"]), element("p", again))
    if chosen is None:
        return _new_form(desk, request, user.login, account, key, error)
    return inner(request, 200, said["password_saved"], element("p", said["password_saved_text"]),
                 element("p", link("sign-in", said["sign_in"])))  # fmt: skip


def _lost_form(
    desk: Desk, request: Request, status: int = 200, error: str = "", headers: dict[str, str] | None = None
) -> Answer:
    said = words(request.language)
    fields = field(said["login"], "login", type="text", autocomplete="username", required=True, autofocus=not error,
                   autocapitalize="none", value=text_of(request.form, "login"))  # fmt: skip
    parts = (element("p", said["lost_text"]), fields)
    return _form(desk, request, status, said["lost"], error, parts, _LOST, said["send_link"], headers)


def _new_form(desk: Desk, request: Request, login: str, account: int, key: str, error: str) -> Answer:
    said = words(request.language)
    parts = (
        element("p", said["new_password_text"].format(login=login)),
        field(said["new_password"], "password", type="password", autocomplete="new-password", required=True,
              autofocus=not error),
        hidden("account", str(account)),
        hidden("key", key),
    )  # fmt: skip
    return _form(desk, request, 400 if error else 200, said["new_password"], error, parts, _NEW, said["save_password"])


def _form(
    desk: Desk, request: Request, status: int, title: str, error: str, parts: tuple[Html, ...], action: str, label: str,
    headers: dict[str, str] | None = None,
) -> Answer:  # fmt: skip
    """Return a page with a form whose nonce belongs to a cookie that is set with it."""
    key = request.cookie(sessions.named(request, COOKIE)) or random_key(12)
    nonce = hidden(FORM, sessions.nonce(desk.frame, key, action))
    form = element("form", join(parts), nonce, button(label, class_="first"), method="post")
    cookies = {"Set-Cookie": [sessions.cookie(request, COOKIE, key)]}
    return inner(request, status, title, _alert(error), form, headers={**cookies, **(headers or {})})


def _alert(text: str) -> Html:
    return element("p", text, class_="error", role="alert") if text else join(())


def _is_own(desk: Desk, request: Request, action: str) -> bool:
    """Say whether a form comes from a page of this site."""
    key = request.cookie(sessions.named(request, COOKIE))
    return bool(key) and sessions.is_nonce(desk.frame, key, request.form.get(FORM), action)

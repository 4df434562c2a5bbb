"""Signing in and out with a person's own password, and the nonce by which scripts of a page call the interface.

The form's own nonce belongs to a cookie that is set with it, so that no other site can sign somebody in as another.
Not here: what a session is (access/sessions/rules.py), how guesses are counted (access/sign_in/guess_limiter.py).
"""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

from vetrina.access.sessions import rules as sessions
from vetrina.access.sign_in.guess_limiter import TooManyFailures
from vetrina.access.sign_in.rules import IncorrectPassword
from vetrina.kernel.keys import random_key
from vetrina.pages.page_context import Desk, inner, moved, own_address, plainly, text_of
from vetrina.pages.page_texts import words
from vetrina.rest.call import Answer, Request

from .markup import Html, button, element, field, join, link

__all__ = ["COOKIE", "FORM", "address", "hidden", "nonce", "sign_in", "sign_out"]

FORM: Final = "_cmsnonce"  # the field that holds a form's nonce
COOKIE: Final = "cms_form"  # to which the nonces of forms belong that anybody may send
_ACTION: Final = "sign in"
_OUT: Final = "sign out"


def address(admin: str, back: str) -> str:
    """Return the address that signs somebody in and leads back; admin: the first segment of such addresses."""
    return f"/{admin}/sign-in?redirect_to={quote(back, safe='')}"


def sign_in(desk: Desk, request: Request) -> Answer:
    """Show the form, or begin a session and lead back to where it was asked for."""
    if request.method != "POST":
        back = own_address(text_of(request.query, "redirect_to"))
        return moved(back) if desk.session(request) else _form(desk, request, back)
    back = own_address(text_of(request.form, "redirect_to"))
    said = words(request.language)
    key = request.cookie(sessions.named(request, COOKIE))
    if not key or not sessions.is_nonce(desk.frame, key, request.form.get(FORM), _ACTION):
        return _form(desk, request, back, 403, said["stale"])
    password = request.form.get("password")
    try:
        begun = desk.enter(request, text_of(request.form, "login"), password if isinstance(password, str) else "")
    except IncorrectPassword:
        return _form(desk, request, back, 403, said["wrong"])
    except TooManyFailures as error:
        return _form(desk, request, back, 429, said["wait"].format(wait=error.wait), dict(error.headers))
    return moved(back, cookies=(begun, sessions.cookie(request, COOKIE, "", 0)))


def sign_out(desk: Desk, request: Request) -> Answer:
    """Ask whether to end the session, or end it."""
    session = desk.session(request)
    if session is None:
        return moved("/")
    said = words(request.language)
    if request.method == "POST" and sessions.is_nonce(desk.frame, session.key, request.form.get(FORM), _OUT):
        return moved("/", cookies=(desk.leave(request, session),))
    text = said["sign_out_text"].format(name=session.user.name)
    form = element("form", hidden(FORM, sessions.nonce(desk.frame, session.key, _OUT)),
                   button(said["sign_out"], class_="first"), method="post")  # fmt: skip
    return inner(request, 403 if request.method == "POST" else 200, said["sign_out"], element("p", text), form)


def nonce(desk: Desk, request: Request) -> Answer:
    """Give the session's nonce for the interface; no page of another origin can read it."""
    session = desk.session(request)
    if session is None:
        return plainly(401, "")
    return plainly(200, sessions.nonce(desk.frame, session.key), {"Cross-Origin-Resource-Policy": "same-origin"})


def hidden(name: str, value: str) -> Html:
    """Return a field of a form that nobody sees."""
    return element("input", type="hidden", name=name, value=value)


def _form(
    desk: Desk, request: Request, back: str, status: int = 200, error: str = "", headers: dict[str, str] | None = None
) -> Answer:
    said = words(request.language)
    key = request.cookie(sessions.named(request, COOKIE)) or random_key(12)
    told = element("p", error, class_="error", role="alert") if error else ""
    form = element(
        "form",
        field(said["login"], "login", type="text", autocomplete="username", required=True, autofocus=not error,
              autocapitalize="none", value=text_of(request.form, "login")),
        field(said["password"], "password", type="password", autocomplete="current-password", required=True),
        join((hidden("redirect_to", back), hidden(FORM, sessions.nonce(desk.frame, key, _ACTION)))),
        button(said["sign_in"], class_="first"),
        method="post",
    )  # fmt: skip
    cookies = {"Set-Cookie": [sessions.cookie(request, COOKIE, key)]}
    lost = element("p", link("lost-password", said["lost_link"]))
    return inner(request, status, said["sign_in"], told, form, lost, headers={**cookies, **(headers or {})})

"""The authorise-application flow: a program sends somebody here, who signs in and gives it a password of its own.

What the program asked for is part of the form's nonce: a form with another address to return to is refused.
Not here: which addresses to return to are good (pages/return_urls.py), signing in (pages/sign_in_page.py).
Rules: interface.md, "Authentication"; the names of the parameters are those that clients send and expect back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import quote_plus
from uuid import UUID

from vetrina.access.app_passwords import rules as app_passwords
from vetrina.access.app_passwords.rules import EmptyName
from vetrina.access.sessions import rules as sessions
from vetrina.access.sessions.rules import Session
from vetrina.content.text import sanitizing
from vetrina.pages import return_urls
from vetrina.pages.page_context import Desk, inner, moved, text_of
from vetrina.pages.page_texts import words
from vetrina.pages.sign_in_page import FORM, address, hidden
from vetrina.rest.call import Answer, Request

from .markup import button, element, field, join

__all__ = ["authorise"]

_LONGEST_NAME: Final = 200  # signs


@dataclass(frozen=True)
class _Wish:
    """What a program asks for. app_id: a UUID, or empty. success_url, reject_url: empty for none."""

    app_name: str
    app_id: str
    success_url: str
    reject_url: str

    @property
    def action(self) -> str:
        """Return what the form's nonce is for; the name may be changed by who approves."""
        return f"authorise\n{self.app_id}\n{self.success_url}\n{self.reject_url}"

    @property
    def fault(self) -> str:
        """Return which word tells what is wrong, empty for nothing."""
        for name in ("success_url", "reject_url"):
            given = getattr(self, name)
            if given and not return_urls.is_good(given):
                return f"bad_{name}"
        try:
            return "bad_app_id" if self.app_id and str(UUID(self.app_id)) != self.app_id.lower() else ""
        except ValueError:
            return "bad_app_id"


def authorise(desk: Desk, request: Request) -> Answer:
    """Ask whether a program may have a password, and give it one or refuse."""
    posted = request.method == "POST"
    given = request.form if posted else request.query
    texts = (text_of(given, name) for name in ("app_name", "app_id", "success_url", "reject_url"))
    wish = _Wish(*texts)
    said = words(request.language)
    if wish.fault:
        return inner(request, 400, said["bad_address"], element("p", said[wish.fault], class_="error", role="alert"))
    session = desk.session(request)
    if session is None:
        return moved(address(request.path.split("/")[1], _again(request, wish)))
    if not posted:
        return _question(desk, request, session, wish)
    if not sessions.is_nonce(desk.frame, session.key, given.get(FORM), wish.action):
        return _question(desk, request, session, wish, 403, said["stale"])
    if given.get("decision") != "approve":
        return _refused(request, wish)
    return _approved(desk, request, session, wish)


def _again(request: Request, wish: _Wish) -> str:
    """Return the address that asks the same again, as a path with a query."""
    names = ("app_name", "app_id", "success_url", "reject_url")
    query = "&".join(f"{name}={quote_plus(value)}" for name in names if (value := getattr(wish, name)))
    return request.path + (f"?{query}" if query else "")


def _question(
    desk: Desk, request: Request, session: Session, wish: _Wish, status: int = 200, error: str = ""
) -> Answer:
    said, user = words(request.language), session.user
    asks = said["asks" if wish.app_name else "asks_unnamed"].format(name=wish.app_name[:_LONGEST_NAME], user=user.login)
    returns = said["returns"].format(address=return_urls.shown(wish.success_url)) if wish.success_url else ""
    form = element(
        "form",
        field(said["app_name"], "app_name", type="text", required=True, maxlength=_LONGEST_NAME,
              value=wish.app_name[:_LONGEST_NAME]),
        join(hidden(name, getattr(wish, name)) for name in ("app_id", "success_url", "reject_url")),
        hidden(FORM, sessions.nonce(desk.frame, session.key, wish.action)),
        button(said["approve"], class_="first", name="decision", value="approve"),
        button(said["reject"], name="decision", value="reject", formnovalidate=True),
        method="post", action=request.path,
    )  # fmt: skip
    told = element("p", error, class_="error", role="alert") if error else ""
    # Browsers hold the redirect after a form to the same policy as the form itself.
    sources = " ".join(dict.fromkeys(filter(None, map(return_urls.source, (wish.success_url, wish.reject_url)))))
    texts = (element("p", text) for text in (asks, said["gets"], returns or said["shows"]))
    return inner(request, status, said["authorise"], told, *texts, form, forms=sources)


def _refused(request: Request, wish: _Wish) -> Answer:
    said = words(request.language)
    if wish.reject_url:
        return moved(wish.reject_url)
    if wish.success_url:
        return moved(return_urls.with_answer(wish.success_url, {"success": "false"}))
    return inner(request, 200, said["refused"], element("p", said["refused_text"]))


def _approved(desk: Desk, request: Request, session: Session, wish: _Wish) -> Answer:
    said, user = words(request.language), session.user
    name = sanitizing.plain(wish.app_name)[:_LONGEST_NAME]
    try:
        with desk.open_work(request, user, False) as work:
            _, password = app_passwords.create(work, user.id, name, wish.app_id)
            origin = work.origin
    except EmptyName:
        return _question(desk, request, session, wish, 400, said["empty_name"])
    if wish.success_url:
        answer = {"site_url": origin, "user_login": user.login, "password": "".join(password.split())}
        return moved(return_urls.with_answer(wish.success_url, answer))
    return inner(
        request, 200, said["made"], element("p", said["made_text"].format(name=name)),
        element("p", element("code", password, class_="key", id="application-password")),
    )  # fmt: skip

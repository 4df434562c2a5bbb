"""Two pages for lost passwords: one takes a login and sends a link, the link's page takes a new password.

The first responds the same to every login. The link: access/passwords/reset.py; the mail:
access/passwords/reset_mail.py.
"""

from __future__ import annotations

from typing import Final

from vetrina.access.passwords import hashing as password_hashing, reset as password_reset
from vetrina.access.passwords.hashing import HashedPassword
from vetrina.access.sign_in.guess_limiter import TooManyGuesses
from vetrina.core.user import NOBODY
from vetrina.kernel.integers import parse_digits
from vetrina.pages.cookie_forms import is_own_form, render_alert, render_cookie_form
from vetrina.pages.page_context import PageContext, build_own_page, get_text
from vetrina.pages.page_texts import get_phrases
from vetrina.pages.sign_in_page import render_hidden_field
from vetrina.rest.call import Request, Response

from .markup import render_element, render_field, render_link

_LOST_ACTION: Final = "lost password"
_NEW_ACTION: Final = "new password"


def handle_lost_password(context: PageContext, request: Request) -> Response:
    """Show the form that takes a login, or record that its password was lost."""
    phrases = get_phrases(request.language)
    if request.method != "POST":
        return _render_lost_form(context, request)
    if not is_own_form(context, request, _LOST_ACTION):
        return _render_lost_form(context, request, 403, phrases["stale"])
    login = get_text(request.form, "login")
    if not login:
        return _render_lost_form(context, request, 400, phrases["lost_empty"])
    try:
        with context.open_work(request, NOBODY, False) as work:
            password_reset.request_password_reset(work, login)
    except TooManyGuesses as error:
        return _render_lost_form(
            context, request, 429, phrases["lost_wait"].format(wait=error.wait), dict(error.headers)
        )
    return build_own_page(request, 200, phrases["lost_sent"], render_element("p", phrases["lost_sent_text"]))


def handle_new_password(context: PageContext, request: Request) -> Response:
    """Show the form that takes a new password, or change it."""
    phrases, posted = get_phrases(request.language), request.method == "POST"
    given = request.form if posted else request.query
    account, key, password = (
        parse_digits(get_text(given, "account")) or 0,
        get_text(given, "key"),
        given.get("password"),
    )
    error, chosen = "", None
    if posted and not is_own_form(context, request, _NEW_ACTION):
        error = phrases["stale"]
    elif posted and not (isinstance(password, str) and password_hashing.is_usable_password(password)):
        error = phrases["password_unusable"]
    elif posted:
        # Hashed before the transaction, in which other writers would wait for it.
        chosen = HashedPassword(password_hashing.hash_password(str(password)))
    try:
        with context.open_work(request, NOBODY, chosen is None) as work:
            user = password_reset.find_reset_account(work, account, key)
            if user is not None and chosen is not None:
                password_reset.reset_password(work, user, chosen)
    except TooManyGuesses as refused:
        text = phrases["lost_wait"].format(wait=refused.wait)
        return build_own_page(request, 429, phrases["new_password"], render_alert(text), headers=dict(refused.headers))
    if user is None:
        again = render_link("lost-password", phrases["lost_again"])
        return build_own_page(
            request,
            404,
            phrases["link_over"],
            render_element("p", phrases["link_over_text"]),
            render_element("p", again),
        )
    if chosen is None:
        return _render_new_form(context, request, user.login, account, key, error)
    return build_own_page(request, 200, phrases["password_saved"], render_element("p", phrases["password_saved_text"]),
                 render_element("p", render_link("sign-in", phrases["sign_in"])))  # fmt: skip


def _render_lost_form(
    context: PageContext, request: Request, status: int = 200, error: str = "", headers: dict[str, str] | None = None
) -> Response:
    phrases = get_phrases(request.language)
    fields = render_field(
        phrases["login"],
        "login",
        type="text",
        autocomplete="username",
        required=True,
        autofocus=not error,
        autocapitalize="none",
        value=get_text(request.form, "login"),
    )
    parts = (render_element("p", phrases["lost_text"]), fields)
    return render_cookie_form(
        context, request, title=phrases["lost"], parts=parts, action=_LOST_ACTION, label=phrases["send_link"],
        status=status, error=error, headers=headers,
    )  # fmt: skip


def _render_new_form(
    context: PageContext, request: Request, login: str, account: int, key: str, error: str
) -> Response:
    phrases = get_phrases(request.language)
    parts = (
        render_element("p", phrases["new_password_text"].format(login=login)),
        render_field(phrases["new_password"], "password", type="password", autocomplete="new-password", required=True,
              autofocus=not error),
        render_hidden_field("account", str(account)),
        render_hidden_field("key", key),
    )  # fmt: skip
    return render_cookie_form(
        context, request, title=phrases["new_password"], parts=parts, action=_NEW_ACTION,
        label=phrases["save_password"], status=400 if error else 200, error=error,
    )  # fmt: skip

"""Two pages for lost passwords: one takes a login and sends a link, the link's page takes a new password.

The first responds the same to every login. The link: access/passwords/reset.py; the mail:
access/passwords/reset_mail.py.
"""

from __future__ import annotations

from typing import Final

from vetrina.access.passwords import hashing as password_hashing, reset as password_reset
from vetrina.access.passwords.hashing import HashedPassword
from vetrina.access.sessions import cookies as session_cookies, nonces
from vetrina.access.sign_in.guess_limiter import TooManyGuesses
from vetrina.core.user import NOBODY
from vetrina.kernel.integers import parse_digits
from vetrina.kernel.keys import generate_key
from vetrina.pages.page_context import PageContext, build_own_page, get_text
from vetrina.pages.page_texts import get_phrases
from vetrina.pages.sign_in_page import FORM_COOKIE, FORM_NONCE_FIELD, render_hidden_field
from vetrina.rest.call import Request, Response

from .markup import Html, join_markup, render_button, render_element, render_field, render_link

_LOST_ACTION: Final = "lost password"
_NEW_ACTION: Final = "new password"


def handle_lost_password(context: PageContext, request: Request) -> Response:
    """Show the form that takes a login, or record that its password was lost."""
    phrases = get_phrases(request.language)
    if request.method != "POST":
        return _render_lost_form(context, request)
    if not _is_own_form(context, request, _LOST_ACTION):
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
    if posted and not _is_own_form(context, request, _NEW_ACTION):
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
        return build_own_page(request, 429, phrases["new_password"], _render_alert(text), headers=dict(refused.headers))
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
    return _render_form(
        context, request, status, phrases["lost"], error, parts, _LOST_ACTION, phrases["send_link"], headers
    )


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
    return _render_form(
        context,
        request,
        400 if error else 200,
        phrases["new_password"],
        error,
        parts,
        _NEW_ACTION,
        phrases["save_password"],
    )


def _render_form(
    context: PageContext,
    request: Request,
    status: int,
    title: str,
    error: str,
    parts: tuple[Html, ...],
    action: str,
    label: str,
    headers: dict[str, str] | None = None,
) -> Response:
    """Return a page with a form whose nonce belongs to a cookie that is set with it."""
    key = request.cookie(session_cookies.format_cookie_name(request.origin, FORM_COOKIE)) or generate_key(12)
    nonce = render_hidden_field(FORM_NONCE_FIELD, nonces.create_nonce(context.site, key, action))
    form = render_element("form", join_markup(parts), nonce, render_button(label, class_="first"), method="post")
    cookies = {"Set-Cookie": [session_cookies.format_cookie(request.origin, FORM_COOKIE, key)]}
    return build_own_page(request, status, title, _render_alert(error), form, headers={**cookies, **(headers or {})})


def _render_alert(text: str) -> Html:
    return render_element("p", text, class_="error", role="alert") if text else join_markup(())


def _is_own_form(context: PageContext, request: Request, action: str) -> bool:
    """Return whether a form comes from a page of this site."""
    key = request.cookie(session_cookies.format_cookie_name(request.origin, FORM_COOKIE))
    return bool(key) and nonces.is_valid_nonce(context.site, key, request.form.get(FORM_NONCE_FIELD), action)

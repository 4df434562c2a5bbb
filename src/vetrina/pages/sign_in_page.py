"""Signing in and out with a person's own password, and the nonce with which scripts of a page call the interface.

The form's own nonce belongs to a cookie that is set with it, so that no other site can sign a visitor in as somebody
else. Sessions: access/sessions/rules.py; counting of failures: access/sign_in/guess_limiter.py.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

from vetrina.access.passkeys.model import PasskeyRefused, PasskeysUnavailable
from vetrina.access.roles import capabilities
from vetrina.access.second_factors.rules import SETUP_PATH
from vetrina.access.sessions import cookies as session_cookies, nonces
from vetrina.access.sign_in.credentials import IncorrectPassword
from vetrina.access.sign_in.guess_limiter import TooManyFailedSignIns
from vetrina.core.user import NOBODY, User
from vetrina.kernel.keys import generate_key
from vetrina.kernel.site_paths import get_base_path
from vetrina.pages.own_account.registration_link import render_registration_link
from vetrina.pages.page_context import (
    PageContext,
    build_own_page,
    build_redirect,
    build_text_response,
    get_text,
    sanitize_local_url,
)
from vetrina.pages.page_texts import get_phrases
from vetrina.pages.passkey_form import PASSKEY_FIELD, authenticate_form, build_script_source, render_passkey_form
from vetrina.pages.provider_links import render_provider_links
from vetrina.pages.provider_sign_out import build_farewell, find_farewell_origin
from vetrina.pages.sign_in_completion import SignInOutcome, continue_sign_in, lead_on
from vetrina.rest.call import Request, Response

from .markup import Html, join_markup, render_button, render_element, render_field, render_link

FORM_NONCE_FIELD: Final = "_cmsnonce"  # the field of a form that holds its nonce
FORM_COOKIE: Final = "cms_form"  # cookie that the nonces of anonymous forms belong to
_SIGN_IN_ACTION: Final = "sign in"
_SIGN_OUT_ACTION: Final = "sign out"


def build_sign_in_url(admin: str, back: str) -> str:
    """Return the URL that signs a user in and leads back; admin: the first segment of such URLs."""
    return f"/{admin}/sign-in?redirect_to={quote(back, safe='')}"


def handle_sign_in(context: PageContext, request: Request) -> Response:
    """Show the form, or begin a session and redirect to where the user came from."""
    back = get_text(request.query if request.method != "POST" else request.form, "redirect_to")
    back = sanitize_local_url(back) if back else ""
    if request.method != "POST":
        session = context.setup_session(request)
        if session is None:
            return _render_form(context, request, back)
        # Of an account that lacks a required factor, pages know no other session.
        ready = context.session(request) is not None
        return build_redirect(back or find_start(session.user)) if ready else build_setup_redirect(request, back)
    phrases = get_phrases(request.language)
    key = request.cookie(session_cookies.format_cookie_name(request.origin, FORM_COOKIE))
    if not key or not nonces.is_valid_nonce(context.site, key, request.form.get(FORM_NONCE_FIELD), _SIGN_IN_ACTION):
        return _render_form(context, request, back, 403, phrases["stale"])
    try:
        outcome, user = _authenticate(context, request, key)
    except IncorrectPassword:
        return _render_form(context, request, back, 403, phrases["wrong"])
    except (PasskeyRefused, PasskeysUnavailable):
        return _render_form(context, request, back, 403, phrases["passkey_failed"])
    except TooManyFailedSignIns as error:
        return _render_form(context, request, back, 429, phrases["wait"].format(wait=error.wait), dict(error.headers))
    kept = () if not outcome.complete else (session_cookies.format_cookie(request.origin, FORM_COOKIE, "", 0),)
    return lead_on(request, outcome, back or find_start(user), *kept)


def _authenticate(context: PageContext, request: Request, browser: str) -> tuple[SignInOutcome, User]:
    """Return what a passkey or a password led to, and whose it is. browser: what only this browser has.

    Raises IncorrectPassword, PasskeyRefused, PasskeysUnavailable, TooManyFailedSignIns.
    """
    if PASSKEY_FIELD in request.form:
        with context.open_work(request, NOBODY, False) as work:
            user = authenticate_form(work, request, browser)
        return SignInOutcome(context.start_session(request, user), True), user
    password = request.form.get("password")
    user = context.check_password(
        request, get_text(request.form, "login"), password if isinstance(password, str) else ""
    )
    return continue_sign_in(context, request, user), user


def find_start(user: User) -> str:
    """Return where somebody begins who came from nowhere: at the administration, or at the site for mere readers."""
    return "/admin/" if capabilities.may_change_site(user) else "/"


def build_setup_redirect(request: Request, back: str) -> Response:
    """Return the redirect to the page on which a required second factor is set up. back: where that leads then."""
    return build_redirect(f"{request.origin}{SETUP_PATH}?redirect_to={quote(back, safe='')}")


def handle_sign_out(context: PageContext, request: Request) -> Response:
    """Ask whether to end the session, or end it."""
    session = context.setup_session(request)
    if session is None:
        return build_redirect("/")
    phrases = get_phrases(request.language)
    if request.method == "POST" and nonces.is_valid_nonce(
        context.site, session.key, request.form.get(FORM_NONCE_FIELD), _SIGN_OUT_ACTION
    ):
        return build_farewell(context, request, context.leave(request, session))
    text = phrases["sign_out_text"].format(name=session.user.name)
    form = render_element(
        "form",
        render_hidden_field(FORM_NONCE_FIELD, nonces.create_nonce(context.site, session.key, _SIGN_OUT_ACTION)),
        render_button(phrases["sign_out"], class_="first"),
        method="post",
    )
    return build_own_page(
        request, 403 if request.method == "POST" else 200, phrases["sign_out"], render_element("p", text), form,
        forms=find_farewell_origin(context, request),
    )  # fmt: skip


def handle_nonce(context: PageContext, request: Request) -> Response:
    """Return the session's nonce for the interface; no page of another origin can read it."""
    session = context.setup_session(request)
    if session is None:
        return build_text_response(401, "")
    return build_text_response(
        200, nonces.create_nonce(context.site, session.key), {"Cross-Origin-Resource-Policy": "same-origin"}
    )


def render_hidden_field(name: str, value: str) -> Html:
    """Return a hidden field of a form."""
    return render_element("input", type="hidden", name=name, value=value)


def _render_form(
    context: PageContext,
    request: Request,
    back: str,
    status: int = 200,
    error: str = "",
    headers: dict[str, str] | None = None,
) -> Response:
    phrases = get_phrases(request.language)
    key = request.cookie(session_cookies.format_cookie_name(request.origin, FORM_COOKIE)) or generate_key(12)
    alert = render_element("p", error, class_="error", role="alert") if error else ""
    form = render_element(
        "form",
        render_field(
            phrases["login"],
            "login",
            type="text",
            autocomplete="username",
            required=True,
            autofocus=not error,
            autocapitalize="none",
            value=get_text(request.form, "login"),
        ),
        render_field(phrases["password"], "password", type="password", autocomplete="current-password", required=True),
        join_markup(
            (
                render_hidden_field("redirect_to", back),
                render_hidden_field(FORM_NONCE_FIELD, nonces.create_nonce(context.site, key, _SIGN_IN_ACTION)),
            )
        ),
        render_button(phrases["sign_in"], class_="first"),
        method="post",
    )
    cookies = {"Set-Cookie": [session_cookies.format_cookie(request.origin, FORM_COOKIE, key)]}
    lost = render_element("p", render_link("lost-password", phrases["lost_link"]))
    with context.open_work(request, NOBODY, True) as work:
        nonce = render_hidden_field(FORM_NONCE_FIELD, nonces.create_nonce(context.site, key, _SIGN_IN_ACTION))
        passkey = render_passkey_form(work, request, key, render_hidden_field("redirect_to", back), nonce, user=None)
    base = get_base_path(request.origin)
    register = render_registration_link(context.site, request.language, base)
    providers = render_provider_links(context.site, request.language, base, back)
    return build_own_page(
        request, status, phrases["sign_in"], alert, form, passkey, lost, register, providers,
        headers={**cookies, **(headers or {})}, scripts=build_script_source(request) if passkey else "",
    )  # fmt: skip

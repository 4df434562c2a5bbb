"""The page after a right password that asks for the second factor: a one-time code, a recovery code, or a passkey.

Who may see it: pages/sign_in_completion.py. Wrong codes are counted by account. Rules: docs/rules/second_factors.md, 3.
"""

from __future__ import annotations

from typing import Final

from vetrina.access.passkeys.model import PasskeyRefused, PasskeysUnavailable
from vetrina.access.second_factors import pending_step, rules as second_factors
from vetrina.access.second_factors.model import FactorSummary, IncorrectCode, SecondFactorRequired
from vetrina.access.sessions import cookies as session_cookies, nonces
from vetrina.access.sign_in.guess_limiter import TooManyGuesses
from vetrina.core.user import NOBODY, User
from vetrina.kernel.keys import generate_key
from vetrina.pages.forms import SubmittedForm
from vetrina.pages.page_context import PageContext, build_own_page, build_redirect, get_text, sanitize_local_url
from vetrina.pages.page_texts import get_phrases
from vetrina.pages.passkey_form import PASSKEY_FIELD, authenticate_form, build_script_source, render_passkey_form
from vetrina.pages.sign_in_completion import STEP_COOKIE
from vetrina.pages.sign_in_page import (
    FORM_COOKIE,
    FORM_NONCE_FIELD,
    build_sign_in_url,
    find_start,
    render_hidden_field,
)
from vetrina.pages.visitor_sign_in.sign_in_form import run_after_sign_in
from vetrina.rest.call import Request, Response

from .markup import Html, join_markup, render_button, render_element, render_field, render_link

_ACTION: Final = "second step"


def handle_second_step(context: PageContext, request: Request) -> Response:
    """Ask for the second factor, or begin the session and redirect to where the user came from."""
    back = get_text(request.query if request.method != "POST" else request.form, "redirect_to")
    back = sanitize_local_url(back) if back else ""
    user, factors = _find_pending(context, request)
    if user is None:
        return build_redirect(build_sign_in_url(request.path.split("/")[1], back))
    if request.method != "POST":
        return _render_page(context, request, user, factors, back)
    phrases = get_phrases(request.language)
    browser = request.cookie(session_cookies.format_cookie_name(request.origin, FORM_COOKIE))
    if not browser or not nonces.is_valid_nonce(context.site, browser, request.form.get(FORM_NONCE_FIELD), _ACTION):
        return _render_page(context, request, user, factors, back, 403, phrases["stale"])
    try:
        _check_factor(context, request, user, browser)
    except (IncorrectCode, SecondFactorRequired):
        return _render_page(context, request, user, factors, back, 403, phrases["wrong_code"])
    except (PasskeyRefused, PasskeysUnavailable):
        return _render_page(context, request, user, factors, back, 403, phrases["passkey_failed"])
    except TooManyGuesses as error:
        text = phrases["wait_code"].format(wait=error.wait)
        return _render_page(context, request, user, factors, back, 429, text, dict(error.headers))
    begun = context.start_session(request, user)
    run_after_sign_in(SubmittedForm(context, request, None, ()), user)
    over = (session_cookies.format_cookie(request.origin, name, "", 0) for name in (STEP_COOKIE, FORM_COOKIE))
    return build_redirect(back or find_start(user), cookies=(begun, *over))


def _find_pending(context: PageContext, request: Request) -> tuple[User | None, FactorSummary]:
    """Return the account that waits for its second factor in this browser, and which factors it has."""
    value = request.cookie(session_cookies.format_cookie_name(request.origin, STEP_COOKIE))
    with context.open_work(request, NOBODY, True) as work:
        user = pending_step.find_pending_user(work, value) if value else None
        return user, second_factors.summarize_factors(work, user or NOBODY)


def _check_factor(context: PageContext, request: Request, user: User, browser: str) -> None:
    """Use up the second factor that was sent.

    Raises IncorrectCode, SecondFactorRequired, PasskeyRefused, PasskeysUnavailable, TooManyGuesses.
    """
    with context.open_work(request, NOBODY, False) as work:
        if PASSKEY_FIELD not in request.form:
            second_factors.require_second_factor(work, user, get_text(request.form, "code"))
        elif authenticate_form(work, request, browser).id != user.id:
            raise PasskeyRefused


def _render_page(
    context: PageContext, request: Request, user: User, factors: FactorSummary, back: str, status: int = 200,
    error: str = "", headers: dict[str, str] | None = None,
) -> Response:  # fmt: skip
    phrases = get_phrases(request.language)
    browser = request.cookie(session_cookies.format_cookie_name(request.origin, FORM_COOKIE)) or generate_key(12)
    hidden = (
        render_hidden_field("redirect_to", back),
        render_hidden_field(FORM_NONCE_FIELD, nonces.create_nonce(context.site, browser, _ACTION)),
    )
    passkey: Html = join_markup(())
    if factors.passkeys:
        with context.open_work(request, NOBODY, True) as work:
            passkey = render_passkey_form(work, request, browser, *hidden, user=user)
    form = render_element(
        "form",
        render_field(
            phrases["code"], "code", type="text", autocomplete="one-time-code", required=True, autofocus=not error,
            autocapitalize="none", spellcheck="false", maxlength=100,
        ),
        *hidden,
        render_button(phrases["go_on"], class_="first"),
        method="post",
    )  # fmt: skip
    alert = render_element("p", error, class_="error", role="alert") if error else ""
    text = phrases["second_step_text" if factors.confirmed is not None else "second_step_passkey"]
    again = build_sign_in_url(request.path.split("/")[1], back)
    cookies = {"Set-Cookie": [session_cookies.format_cookie(request.origin, FORM_COOKIE, browser)]}
    return build_own_page(
        request, status, phrases["second_step"], alert, render_element("p", text), passkey, form,
        render_element("p", render_link(again, phrases["start_again"])), headers={**cookies, **(headers or {})},
        scripts=build_script_source(request) if passkey else "",
    )  # fmt: skip

"""The page on which somebody sets up one-time codes: what an account reaches that lacks a required second factor.

Forms alone, no scripts: it is for every role, whether or not it sees the administration. Rules:
docs/rules/second_factors.md, 1, 5 and 6.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

from vetrina.access.second_factors import one_time_codes, rules as second_factors
from vetrina.access.second_factors.model import Enrolment, IncorrectCode, NoEnrolment, OneTimeCodesInUse
from vetrina.access.sessions import nonces
from vetrina.access.sessions.model import BrowserSession
from vetrina.access.sign_in.credentials import IncorrectPassword
from vetrina.access.sign_in.guess_limiter import TooManyGuesses
from vetrina.pages.page_context import PageContext, build_own_page, build_redirect, get_text, sanitize_local_url
from vetrina.pages.page_texts import get_phrases
from vetrina.pages.sign_in_page import FORM_NONCE_FIELD, build_sign_in_url, find_start, render_hidden_field
from vetrina.rest.call import Request, Response

from .markup import Html, render_button, render_element, render_field, render_link

_ACTION: Final = "second factor"
_CONFIRM: Final = "confirm"


def handle_factor_setup(context: PageContext, request: Request) -> Response:
    """Set up one-time codes in two steps: the password, then a first code; the recovery codes follow."""
    back = get_text(request.query if request.method != "POST" else request.form, "redirect_to")
    back = sanitize_local_url(back) if back else ""
    session = context.setup_session(request)
    if session is None:
        return build_redirect(build_sign_in_url(request.path.split("/")[1], request.path))
    with context.open_work(request, session.user, True) as work:
        done = second_factors.has_second_factor(work, session.user)
    if done:
        return build_redirect(back or find_start(session.user))
    if request.method != "POST":
        return _render_beginning(context, request, session, back)
    if not nonces.is_valid_nonce(context.site, session.key, request.form.get(FORM_NONCE_FIELD), _ACTION):
        return _render_beginning(context, request, session, back, 403, get_phrases(request.language)["stale"])
    if get_text(request.form, "step") == _CONFIRM:
        return _confirm(context, request, session, back)
    return _begin(context, request, session, back)


def _begin(context: PageContext, request: Request, session: BrowserSession, back: str) -> Response:
    phrases, password = get_phrases(request.language), request.form.get("password")
    try:
        context.check_password(request, session.user.login, password if isinstance(password, str) else "")
        with context.open_work(request, session.user, False) as work:
            enrolment = second_factors.begin_one_time_codes(work, session.user)
    except IncorrectPassword:
        return _render_beginning(context, request, session, back, 403, phrases["factor_wrong_password"])
    except OneTimeCodesInUse:
        return build_redirect(back or find_start(session.user))
    except TooManyGuesses as error:
        text = phrases["wait"].format(wait=error.wait)
        return _render_beginning(context, request, session, back, 429, text, dict(error.headers))
    return _render_confirmation(context, request, session, back, enrolment)


def _confirm(context: PageContext, request: Request, session: BrowserSession, back: str) -> Response:
    phrases = get_phrases(request.language)
    try:
        with context.open_work(request, session.user, False) as work:
            codes = second_factors.confirm_one_time_codes(work, session.user, get_text(request.form, "code"))
    except NoEnrolment:
        return _render_beginning(context, request, session, back, 409)
    except IncorrectCode:
        return _render_confirmation(context, request, session, back, None, 403, phrases["wrong_code"])
    except TooManyGuesses as error:
        text = phrases["wait_code"].format(wait=error.wait)
        return _render_confirmation(context, request, session, back, None, 429, text, dict(error.headers))
    shown = render_element("ul", *(render_element("li", render_element("code", one)) for one in codes))
    return build_own_page(
        request, 200, phrases["factor_done"], render_element("p", phrases["factor_codes"]), shown,
        render_element("p", render_link(back or find_start(session.user), phrases["go_on"])),
    )  # fmt: skip


def _render_beginning(
    context: PageContext, request: Request, session: BrowserSession, back: str, status: int = 200, error: str = "",
    headers: dict[str, str] | None = None,
) -> Response:  # fmt: skip
    phrases = get_phrases(request.language)
    form = render_element(
        "form",
        render_field(phrases["password"], "password", type="password", autocomplete="current-password", required=True),
        *_render_hidden(context, session, back),
        render_button(phrases["factor_begin"], class_="first"),
        method="post",
    )
    return build_own_page(
        request, status, phrases["factor_setup"], _render_alert(error),
        render_element("p", phrases["factor_setup_text"]), form,
        render_element("p", render_link("sign-out", phrases["sign_out"])), headers=headers,
    )  # fmt: skip


def _render_confirmation(
    context: PageContext, request: Request, session: BrowserSession, back: str, enrolment: Enrolment | None,
    status: int = 200, error: str = "", headers: dict[str, str] | None = None,
) -> Response:  # fmt: skip
    """Return the page that asks for the first code.

    enrolment: what the app needs; None after a wrong code, since only the password shows it.
    """
    phrases, parts = get_phrases(request.language), list[str]()
    if enrolment is None:
        parts.append(render_element("p", phrases["factor_scanned"]))
    else:
        picture = f"data:image/svg+xml,{quote(one_time_codes.draw_qr_code(enrolment.uri))}"
        key = render_element("code", enrolment.secret, class_="key", id="key")
        parts += [
            render_element("p", phrases["factor_scan"]),
            render_element("p", render_element("img", src=picture, alt="", width=220, height=220)),
            render_element("p", phrases["factor_key"], ": ", key),
        ]
    form = render_element(
        "form",
        render_field(
            phrases["code"], "code", type="text", inputmode="numeric", autocomplete="one-time-code", required=True,
            maxlength=20,
        ),
        render_hidden_field("step", _CONFIRM),
        *_render_hidden(context, session, back),
        render_button(phrases["go_on"], class_="first"),
        method="post",
    )  # fmt: skip
    again = f"second-factor?redirect_to={quote(back, safe='')}"
    return build_own_page(
        request, status, phrases["factor_setup"], _render_alert(error), *parts, form,
        render_element("p", render_link(again, phrases["factor_again"])), headers=headers,
    )  # fmt: skip


def _render_hidden(context: PageContext, session: BrowserSession, back: str) -> tuple[Html, Html]:
    return (
        render_hidden_field("redirect_to", back),
        render_hidden_field(FORM_NONCE_FIELD, nonces.create_nonce(context.site, session.key, _ACTION)),
    )


def _render_alert(error: str) -> str:
    return render_element("p", error, class_="error", role="alert") if error else ""

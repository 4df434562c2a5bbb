"""The form with which people sign in on a public page; they return to it, or to where a link came from.

Not here: the site's own page for it (pages/sign_in_page.py). Rules: docs/rules/account_pages.md, 2.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

from vetrina.access.sign_in.credentials import IncorrectPassword
from vetrina.access.sign_in.guess_limiter import TooManyFailedSignIns
from vetrina.core.user import User
from vetrina.pages.forms import (
    RefusedForm,
    SubmittedForm,
    get_sent,
    render_form,
    render_hidden,
    render_input,
    render_labelled,
    render_refusal,
)
from vetrina.pages.markup import Html, join_markup, render_button, render_element, render_link
from vetrina.pages.own_account.registration_link import render_registration_link
from vetrina.pages.page_context import get_text, sanitize_local_url
from vetrina.pages.page_features import list_page_features
from vetrina.pages.page_request import PageRequest
from vetrina.pages.page_texts import get_phrases
from vetrina.pages.provider_links import render_provider_links
from vetrina.pages.sign_in_completion import SignInOutcome, continue_sign_in, lead_on
from vetrina.rest.call import Request, Response

SIGN_IN_FORM: Final = "sign-in"
RETURN_FIELD: Final = "redirect_to"


def render_sign_in_form(page: PageRequest, back: str = "", lost_url: str = "") -> Html:
    """Return the form.

    back: the local URL that it leads to, empty for its page. lost_url: where a new password is asked for.
    """
    phrases, name = page.phrases, SIGN_IN_FORM
    providers = render_provider_links(
        page.work.site, page.request.language, page.work.origin, back or build_local_url(page.request)
    )
    lost = lost_url or f"{page.work.origin}/admin/lost-password"
    register = render_registration_link(page.work.site, page.request.language, page.work.origin)
    form = render_form(
        page, name,
        render_refusal(page, name),
        render_hidden(RETURN_FIELD, get_sent(page, name, RETURN_FIELD, back)),
        render_input(
            page, name, "login", phrases["login"], type="text", autocomplete="username", required=True,
            autocapitalize="none",
        ),
        render_password(page, name, "password", phrases["password"], "current-password"),
        render_element(
            "p", render_button(phrases["sign_in"], class_="wp-element-button"), " ",
            render_link(lost, phrases["lost_link"]),
        ),
        kept=True, class_="sign-in-form",
    )  # fmt: skip
    return join_markup((form, register, providers))


def render_password(page: PageRequest, form: str, name: str, label: str, kind: str, *, required: bool = True) -> Html:
    """Return the field of a password, which never shows what was sent. kind: its `autocomplete`."""
    attributes: dict[str, str | bool] = {"type": "password", "autocomplete": kind, "required": required}
    return render_labelled(page, form, name, label, lambda given: render_element("input", **given), attributes)


def handle_sign_in_form(sent: SubmittedForm) -> Response | RefusedForm:
    """Begin a session and return to where the form says."""
    password, phrases = sent.request.form.get("password"), get_phrases(sent.language)
    try:
        outcome = begin_session(sent, sent.get("login"), password if isinstance(password, str) else "")
    except IncorrectPassword:
        return RefusedForm(SIGN_IN_FORM, phrases["wrong"], status=403)
    except TooManyFailedSignIns as error:
        return RefusedForm(
            SIGN_IN_FORM, phrases["wait"].format(wait=error.wait), status=429, headers=dict(error.headers)
        )
    back = sent.get(RETURN_FIELD)
    local = sanitize_local_url(back) if back else build_local_url(sent.request)
    return lead_on(sent.request, outcome, f"{sent.request.origin}{local}")


def begin_session(sent: SubmittedForm, login: str, password: str) -> SignInOutcome:
    """Begin a session, or the second step before it. Raises IncorrectPassword, TooManyFailedSignIns."""
    user = sent.context.check_password(sent.request, login, password)
    outcome = continue_sign_in(sent.context, sent.request, user)
    if outcome.complete:
        run_after_sign_in(sent, user)
    return outcome


def run_after_sign_in(sent: SubmittedForm, user: User) -> None:
    """Let modules do what follows when a visitor has signed in, as merging the cart."""
    for one in list_page_features(sent.site):
        if one.after_sign_in is not None:
            one.after_sign_in(sent, user)


def build_local_url(request: Request) -> str:
    """Return the path of a request as it is written in a URL."""
    return quote(request.path)


def read_return_url(page: PageRequest) -> str:
    """Return where an address says that signing in leads to, empty for nowhere."""
    asked = get_text(page.request.query, RETURN_FIELD)
    return sanitize_local_url(asked) if asked else ""

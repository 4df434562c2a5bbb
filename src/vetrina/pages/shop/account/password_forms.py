"""A lost password: the form that asks for a link by mail, and the one that its link leads to.

The same rules as on the site's own pages (pages/lost_password_page.py), and who chose a password is signed in. Rules:
docs/rules/account_pages.md, 2.
"""

from __future__ import annotations

from typing import Final

from vetrina.access.passwords import hashing as password_hashing, reset as password_reset
from vetrina.access.passwords.hashing import HashedPassword
from vetrina.access.sign_in.credentials import IncorrectPassword
from vetrina.access.sign_in.guess_limiter import TooManyGuesses
from vetrina.core.user import NOBODY
from vetrina.kernel.integers import parse_digits
from vetrina.pages.forms import (
    RefusedForm,
    SubmittedForm,
    build_notice_url,
    redirect_with_notice,
    render_form,
    render_hidden,
    render_input,
    render_refusal,
)
from vetrina.pages.markup import Html, join_markup, render_button, render_element, render_link
from vetrina.pages.page_context import get_text
from vetrina.pages.page_request import PageRequest
from vetrina.pages.page_texts import get_phrases
from vetrina.pages.shop.account.account_requests import build_form_url, build_own_url, refuse_too_many
from vetrina.pages.sign_in_completion import lead_on
from vetrina.pages.visitor_sign_in.sign_in_form import begin_session, render_password
from vetrina.rest.call import Response
from vetrina.shop.customers import account_endpoints as endpoints

LOST_FORM: Final = "account-lost-password"
NEW_FORM: Final = "account-new-password"


def render_password_form(page: PageRequest, value: str) -> Html:
    """Return the form that the address asks for: that of a link in a mail, or that which sends one."""
    account, key = parse_digits(get_text(page.request.query, "account")), get_text(page.request.query, "key")
    if account is None or not key:
        return _render_lost_form(page)
    try:
        user = password_reset.find_reset_account(page.work, account, key)
    except TooManyGuesses as error:
        return render_element("p", page.phrases["lost_wait"].format(wait=error.wait), class_="form-error", role="alert")
    if user is None:
        lost = endpoints.build_account_url(page.work, endpoints.PASSWORD_RESET)
        return join_markup((
            render_element("p", render_element("strong", page.phrases["link_over"])),
            render_element("p", page.phrases["link_over_text"]),
            render_element("p", render_link(lost, page.phrases["lost_again"])),
        ))  # fmt: skip
    return render_form(
        page, NEW_FORM,
        render_refusal(page, NEW_FORM),
        render_element("p", page.phrases["new_password_text"].format(login=user.login)),
        # Managers of passwords store it with this name.
        render_element("input", type="hidden", autocomplete="username", value=user.login),
        render_hidden("account", account),
        render_hidden("key", key),
        render_password(page, NEW_FORM, "password", page.phrases["new_password"], "new-password"),
        render_element("p", render_button(page.phrases["save_password"], class_="wp-element-button")),
    )  # fmt: skip


def get_form_status(page: PageRequest) -> int:
    """Return the status of the page of a form: 404 for a link that is over, 429 where others must wait."""
    account, key = parse_digits(get_text(page.request.query, "account")), get_text(page.request.query, "key")
    if account is None or not key:
        return 200
    try:
        return 200 if password_reset.find_reset_account(page.work, account, key) is not None else 404
    except TooManyGuesses:
        return 429


def _render_lost_form(page: PageRequest) -> Html:
    phrases = page.phrases
    return render_form(
        page, LOST_FORM,
        render_refusal(page, LOST_FORM),
        render_element("p", phrases["lost_text"]),
        render_input(
            page, LOST_FORM, "login", phrases["login"], type="text", autocomplete="username", required=True,
            autocapitalize="none",
        ),
        render_element("p", render_button(phrases["send_link"], class_="wp-element-button")),
    )  # fmt: skip


def handle_lost_form(sent: SubmittedForm) -> Response | RefusedForm:
    """Send a link to the owner of an account; the answer is the same for every login."""
    login = sent.get("login")
    if not login:
        return RefusedForm(LOST_FORM, faults={"login": get_phrases(sent.language)["lost_empty"]})
    try:
        with sent.context.open_work(sent.request, NOBODY, False) as work:
            password_reset.request_password_reset(work, login)
    except TooManyGuesses as error:
        return refuse_too_many(sent, LOST_FORM, error.wait, dict(error.headers))
    return redirect_with_notice(build_form_url(sent), "link-sent")


def handle_new_form(sent: SubmittedForm) -> Response | RefusedForm:
    """Store the password that the owner of an account chose, and sign them in."""
    account, key, given = parse_digits(sent.get("account")) or 0, sent.get("key"), sent.request.form.get("password")
    phrases = get_phrases(sent.language)
    if not isinstance(given, str) or not password_hashing.is_usable_password(given):
        return RefusedForm(NEW_FORM, faults={"password": phrases["password_unusable"]})
    # Hashed before the transaction, in which other writers would wait for it.
    chosen = HashedPassword(password_hashing.hash_password(given))
    try:
        with sent.context.open_work(sent.request, NOBODY, False) as work:
            user = password_reset.find_reset_account(work, account, key)
            if user is not None:
                password_reset.reset_password(work, user, chosen)
    except TooManyGuesses as error:
        return refuse_too_many(sent, NEW_FORM, error.wait, dict(error.headers))
    if user is None:
        return RefusedForm(NEW_FORM, phrases["link_over"], status=404)
    try:
        outcome = begin_session(sent, user.login, given)
    except (IncorrectPassword, TooManyGuesses):  # who must wait signs in later
        return redirect_with_notice(build_own_url(sent), "password-saved")
    return lead_on(sent.request, outcome, build_notice_url(build_own_url(sent), "password-saved"))

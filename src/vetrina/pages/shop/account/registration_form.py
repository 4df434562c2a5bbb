"""The form with which customers make an account. Rules: docs/rules/account_pages.md, 3.

Not here: what follows from it (shop/customers/registration.py).
"""

from __future__ import annotations

from typing import Final

from vetrina.access.passwords import hashing as password_hashing
from vetrina.access.passwords.hashing import HashedPassword
from vetrina.access.sign_in.guess_limiter import TooManyGuesses
from vetrina.core.user import NOBODY
from vetrina.pages.forms import (
    RefusedForm,
    SubmittedForm,
    build_notice_url,
    redirect_with_notice,
    render_form,
    render_input,
    render_refusal,
    render_trap,
)
from vetrina.pages.markup import Html, render_button, render_element
from vetrina.pages.page_request import PageRequest, strip_markup
from vetrina.pages.page_texts import get_phrases
from vetrina.pages.shop.account.account_requests import build_form_url, build_own_url, refuse_too_many
from vetrina.pages.shop.account.texts import PHRASES, translate
from vetrina.pages.sign_in_completion import lead_on
from vetrina.pages.visitor_sign_in.sign_in_form import begin_session, render_password
from vetrina.rest.call import Response
from vetrina.shop.customers import registration
from vetrina.shop.customers.rules import CustomerEmailExists, InvalidCustomerEmail
from vetrina.shop.settings import rules as settings

REGISTRATION_FORM: Final = "account-register"
_TRAP: Final = "website"  # a field that people do not see, and programs fill in
_PRIVACY_PLACEHOLDER: Final = "[privacy_policy]"


def render_registration_form(page: PageRequest) -> Html:
    """Return the form."""
    name, work = REGISTRATION_FORM, page.work
    later = registration.is_password_chosen_later(work)
    privacy = strip_markup(str(settings.get_shop_option(work, "shop_registration_privacy_policy_text") or ""))
    privacy = privacy.replace(_PRIVACY_PLACEHOLDER, translate(page, "privacy policy"))
    return render_form(
        page, name,
        render_refusal(page, name),
        render_input(
            page, name, "email", translate(page, "E-mail address"), type="email", autocomplete="email", required=True
        ),
        render_element("p", translate(page, "A mail will bring you a link to choose your password.")) if later else
        render_password(page, name, "password", page.phrases["password"], "new-password"),
        render_trap(page, name, _TRAP),
        render_element("p", privacy, class_="form-hint") if privacy else "",
        render_element("p", render_button(translate(page, "Register"), class_="wp-element-button")),
    )  # fmt: skip


def handle_registration_form(sent: SubmittedForm) -> Response | RefusedForm:
    """Make an account, and sign the new customer in where the password is known."""
    name, given, email = REGISTRATION_FORM, sent.request.form.get("password"), sent.get("email")
    password = given if isinstance(given, str) else ""
    if sent.get(_TRAP):
        return redirect_with_notice(build_own_url(sent), "check-mail")
    try:
        with sent.context.open_work(sent.request, NOBODY, True) as work:
            chosen = registration.check_registration(work, email, password)
        # Hashed before the transaction, in which other writers would wait for it.
        hashed = HashedPassword(password_hashing.hash_password(password)) if chosen else ""
        with sent.context.open_work(sent.request, NOBODY, False) as work:
            made = registration.register_customer(work, email, hashed)
    except registration.RegistrationClosed:
        return RefusedForm(
            name, PHRASES.translate(sent.language, "This shop makes no accounts on request."), status=403
        )
    except InvalidCustomerEmail:
        return RefusedForm(name, faults={"email": PHRASES.translate(sent.language, "This is no e-mail address.")})
    except registration.UnusablePassword:
        return RefusedForm(name, faults={"password": get_phrases(sent.language)["password_unusable"]})
    except CustomerEmailExists:
        text = PHRASES.translate(
            sent.language, "There is an account with this address. Sign in, or ask for a new password."
        )
        return RefusedForm(name, faults={"email": text}, status=409)
    except TooManyGuesses as error:
        return refuse_too_many(sent, name, error.wait, dict(error.headers))
    if made is None:
        return redirect_with_notice(build_own_url(sent), "check-mail")
    try:
        outcome = begin_session(sent, made.user.login, password)
    except TooManyGuesses:  # who must wait signs in later
        return redirect_with_notice(build_form_url(sent), "account-ready")
    return lead_on(sent.request, outcome, build_notice_url(build_form_url(sent), "account-made"))

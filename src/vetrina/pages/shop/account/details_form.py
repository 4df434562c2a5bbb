"""The form with which customers change names, mail address and password of their account.

A new mail address and a new password need the current password; a new password ends all other sessions. Rules:
docs/rules/account_pages.md, 4.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.access.passwords import hashing as password_hashing
from vetrina.access.passwords.hashing import HashedPassword
from vetrina.access.sign_in.credentials import IncorrectPassword
from vetrina.access.sign_in.guess_limiter import TooManyGuesses
from vetrina.pages.forms import (
    RefusedForm,
    SubmittedForm,
    redirect_with_notice,
    render_form,
    render_input,
    render_refusal,
)
from vetrina.pages.markup import Html, join_markup, render_button, render_element, render_link
from vetrina.pages.page_request import PageRequest
from vetrina.pages.page_texts import get_phrases
from vetrina.pages.shop.account.account_requests import build_form_url, refuse_too_many, refuse_visitor
from vetrina.pages.shop.account.texts import PHRASES, get_field_label, translate
from vetrina.pages.visitor_sign_in.sign_in_form import render_password
from vetrina.rest.call import Response
from vetrina.shop.customers import own_account, rules as customers
from vetrina.shop.customers.rules import CustomerEmailTaken, InvalidCustomerEmail

DETAILS_FORM: Final = "account-details"
_CURRENT: Final = "current_password"
_NEW: Final = "new_password"


def render_details_form(page: PageRequest, value: str) -> Html:
    """Return the form."""
    name, user = DETAILS_FORM, page.user
    password = render_element(
        "fieldset",
        render_element("legend", translate(page, "Change the password or the e-mail address")),
        render_element("p", translate(page, "Both need the current password."), class_="form-hint"),
        render_password(
            page, name, _CURRENT, translate(page, "Current password"), "current-password", required=False
        ),
        render_password(page, name, _NEW, translate(page, "New password (empty: no change)"), "new-password",
                        required=False),
    )  # fmt: skip
    form = render_form(
        page, name,
        render_refusal(page, name),
        render_input(
            page, name, "first_name", get_field_label(page, "first_name"), user.first_name, autocomplete="given-name",
            maxlength=250,
        ),
        render_input(
            page, name, "last_name", get_field_label(page, "last_name"), user.last_name, autocomplete="family-name",
            maxlength=250,
        ),
        render_input(
            page, name, "display_name", translate(page, "Displayed name"), user.name, autocomplete="nickname",
            maxlength=250, required=True, hint=translate(page, "So you are called in your account and in reviews."),
        ),
        render_input(
            page, name, "email", get_field_label(page, "email"), user.email, type="email", autocomplete="email",
            required=True,
        ),
        password,
        render_element("p", render_button(translate(page, "Save the details"), class_="wp-element-button")),
    )  # fmt: skip
    about = translate(page, "Get a copy of your data, or close your account")
    return join_markup((form, render_element("p", render_link(f"{page.work.origin}/admin/my-data", about))))


def handle_details_form(sent: SubmittedForm) -> Response | RefusedForm:
    """Change the account of the visitor."""
    if sent.session is None:
        return refuse_visitor(sent, DETAILS_FORM)
    user, form = sent.user, sent.request.form
    current, new = (str(form[name]) if isinstance(form.get(name), str) else "" for name in (_CURRENT, _NEW))
    given: dict[str, Any] = {name: sent.get(name) for name in ("first_name", "last_name", "display_name")}
    email, cookies = sent.get("email"), tuple[str, ...]()
    if not given["display_name"]:
        return _refuse("display_name", PHRASES.translate(sent.language, "Write a name."))
    if new and not password_hashing.is_usable_password(new):
        return _refuse(_NEW, get_phrases(sent.language)["password_unusable"])
    if not email:
        return _refuse("email", PHRASES.translate(sent.language, "This is no e-mail address."))
    if email.lower() != user.email.lower():
        given["email"] = email
    try:
        if new or "email" in given:
            # Counts what is wrong, as signing in does.
            sent.context.check_password(sent.request, user.login, current)
        if new:
            given["password"] = HashedPassword(password_hashing.hash_password(new))
        with sent.context.open_work(sent.request, user, False) as work:
            own_account.update_own_account(work, customers.get_customer(work, user.id), given)
            waits = "email" in given and own_account.is_email_confirmed_first(work)
        if new:
            # The session ended with the password that it began with.
            cookies = (sent.context.start_session(sent.request, user),)
    except IncorrectPassword:
        return _refuse(_CURRENT, PHRASES.translate(sent.language, "This is not the current password."), 403)
    except InvalidCustomerEmail:
        return _refuse("email", PHRASES.translate(sent.language, "This is no e-mail address."))
    except CustomerEmailTaken:
        return _refuse("email", PHRASES.translate(sent.language, "Another account has this address."), 409)
    except TooManyGuesses as error:
        return refuse_too_many(sent, DETAILS_FORM, error.wait, dict(error.headers))
    return redirect_with_notice(build_form_url(sent), "email-asked" if waits else "details-saved", cookies)


def _refuse(field: str, text: str, status: int = 400) -> RefusedForm:
    return RefusedForm(DETAILS_FORM, faults={field: text}, status=status)

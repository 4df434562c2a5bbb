"""Two pages for registering: one takes name and address and sends a link, the link's page takes the password.

The password is chosen by who reads the address, so that nobody makes an account for somebody else. The rules:
access/registration/rules.py (docs/rules/registration.md, 4). A shop has a form on its page of accounts.
"""

from __future__ import annotations

from typing import Final

from vetrina.access.passwords import hashing
from vetrina.access.registration import rules as registrations
from vetrina.access.registration.model import EmailDomainRefused, InvalidRegistrationEmail, RegistrationLinkOver
from vetrina.access.registration.rules import NewRegistration
from vetrina.access.sign_in.guess_limiter import TooManyGuesses
from vetrina.core.user import NOBODY
from vetrina.pages.cookie_forms import is_own_form, is_trapped, render_alert, render_cookie_form, render_trap
from vetrina.pages.markup import Html, render_element, render_field, render_link
from vetrina.pages.own_account.texts import translate
from vetrina.pages.page_context import PageContext, build_own_page, get_text
from vetrina.pages.page_texts import get_phrases
from vetrina.pages.sign_in_page import render_hidden_field
from vetrina.rest.call import Request, Response

_ACTION: Final = "register"
_CONFIRM_ACTION: Final = "confirm registration"


def handle_registration(context: PageContext, request: Request) -> Response:
    """Show the form that takes an address, or send the link to it."""
    if not registrations.is_registration_possible(context.site):
        text = render_element("p", translate(request, "Accounts are made by those who run the site."))
        return build_own_page(request, 404, translate(request, "This site takes no registrations"), text)
    if request.method != "POST":
        return _render_registration(context, request)
    if not is_own_form(context, request, _ACTION):
        return _render_registration(context, request, 403, get_phrases(request.language)["stale"])
    email = get_text(request.form, "email").strip()
    if not is_trapped(request):
        try:
            with context.open_work(request, NOBODY, False) as work:
                name = get_text(request.form, "name").strip()[: registrations.MAX_NAME_LENGTH]
                registrations.register(work, NewRegistration(email, name=name.replace("<", "")))
        except (InvalidRegistrationEmail, EmailDomainRefused):
            return _render_registration(context, request, 400, translate(request, "This address cannot register here."))
        except TooManyGuesses as error:
            return _refuse_too_many(request, error)
    sent = translate(request, "A mail is on its way. Its link is good for a day.")
    return build_own_page(request, 200, get_phrases(request.language)["lost_sent"], render_element("p", sent))


def handle_confirmation(context: PageContext, request: Request) -> Response:
    """Show the form that takes the password of a new account, or make the account."""
    posted = request.method == "POST"
    key, password = get_text(request.form if posted else request.query, "key"), request.form.get("password")
    error, chosen = "", ""
    if posted and not is_own_form(context, request, _CONFIRM_ACTION):
        error = get_phrases(request.language)["stale"]
    elif posted and not (isinstance(password, str) and hashing.is_usable_password(password)):
        error = get_phrases(request.language)["password_unusable"]
    elif posted:
        # Hashed before the transaction, in which other writers would wait for it.
        chosen = hashing.hash_password(str(password))
    try:
        with context.open_work(request, NOBODY, not chosen) as work:
            if chosen:
                login = registrations.confirm_registration(work, key, chosen).login
            else:
                email = registrations.find_registration(work, key).email
    except RegistrationLinkOver:
        again = render_element("p", render_link("register", translate(request, "Register again")))
        return build_own_page(request, 404, get_phrases(request.language)["link_over"], again)
    except TooManyGuesses as refused:
        return _refuse_too_many(request, refused)
    if not chosen:
        return _render_confirmation(context, request, email, key, error)
    told = render_element("p", translate(request, "Your user name is {login}.", login=login))
    sign_in = render_element("p", render_link("sign-in", get_phrases(request.language)["sign_in"]))
    return build_own_page(request, 200, translate(request, "Your account is there"), told, sign_in)


def _render_registration(context: PageContext, request: Request, status: int = 200, error: str = "") -> Response:
    parts: tuple[Html, ...] = (
        render_element("p", translate(request, "A mail brings you a link, by which you choose a password.")),
        render_field(translate(request, "Name to show"), "name", type="text", autocomplete="name",
                     value=get_text(request.form, "name")),
        render_field(translate(request, "E-mail address"), "email", type="email", autocomplete="email", required=True,
                     value=get_text(request.form, "email")),
        render_trap(request),
    )  # fmt: skip
    return render_cookie_form(
        context, request, title=translate(request, "Register"), parts=parts, action=_ACTION,
        label=get_phrases(request.language)["send_link"], status=status, error=error,
    )  # fmt: skip


def _render_confirmation(context: PageContext, request: Request, email: str, key: str, error: str) -> Response:
    phrases = get_phrases(request.language)
    told = translate(request, "Choose the password of the account with the address {email}.", email=email)
    parts = (
        render_element("p", told),
        render_field(phrases["new_password"], "password", type="password", autocomplete="new-password", required=True),
        render_hidden_field("key", key),
    )  # fmt: skip
    return render_cookie_form(
        context, request, title=translate(request, "Confirm your account"), parts=parts, action=_CONFIRM_ACTION,
        label=phrases["save_password"], status=400 if error else 200, error=error,
    )  # fmt: skip


def _refuse_too_many(request: Request, error: TooManyGuesses) -> Response:
    text = get_phrases(request.language)["lost_wait"].format(wait=error.wait)
    return build_own_page(
        request, 429, translate(request, "Register"), render_alert(text), headers=dict(error.headers)
    )  # fmt: skip

"""The page on which people ask for a copy of their data, or for its erasure: members, and guests by their address.

Nothing happens before the link in the mail that follows is used (pages/own_account/link_pages.py). The rules:
access/personal_data/rules.py (docs/rules/registration.md, 4).
"""

from __future__ import annotations

from typing import Final

from vetrina.access.personal_data import rules as personal_data
from vetrina.access.personal_data.model import NoClosing, PersonalDataRequest, PersonalDataRequestOver, RequestKind
from vetrina.access.registration.rules import MAX_EMAIL_LENGTH
from vetrina.access.sign_in.guess_limiter import TooManyGuesses
from vetrina.core.user import NOBODY, User
from vetrina.kernel.date_format import format_date
from vetrina.kernel.email_addresses import is_email_address
from vetrina.pages.cookie_forms import is_own_form, is_trapped, render_alert, render_cookie_form, render_trap
from vetrina.pages.markup import Html, render_element, render_field
from vetrina.pages.own_account.texts import translate
from vetrina.pages.page_context import PageContext, build_own_page, get_text
from vetrina.pages.page_texts import get_phrases
from vetrina.pages.sign_in_page import render_hidden_field
from vetrina.rest.call import Request, Response

_ACTION: Final = "ask about personal data"
_KEEP: Final = "keep"  # the field of the button that takes the closing of the own account back


def handle_data_request(context: PageContext, request: Request) -> Response:
    """Show the form, or send the mail by which the request is confirmed."""
    session = context.session(request)
    user = session.user if session else NOBODY
    if request.method != "POST":
        return _render_form(context, request, user)
    if not is_own_form(context, request, _ACTION):
        return _render_form(context, request, user, 403, get_phrases(request.language)["stale"])
    if user and get_text(request.form, _KEEP):
        return _keep_account(context, request, user)
    email = user.email or get_text(request.form, "email").strip()
    if not user.email and (len(email) > MAX_EMAIL_LENGTH or not is_email_address(email)):
        return _render_form(context, request, user, 400, translate(request, "This is no e-mail address."))
    erases = get_text(request.form, "kind") == RequestKind.ERASURE
    try:
        if not is_trapped(request):
            with context.open_work(request, user, False) as work:
                personal_data.create_request(work, RequestKind.ERASURE if erases else RequestKind.EXPORT, email)
    except TooManyGuesses as error:
        wait = get_phrases(request.language)["lost_wait"].format(wait=error.wait)
        title = translate(request, "Your data")
        return build_own_page(request, 429, title, render_alert(wait), headers=dict(error.headers))
    sent = translate(request, "A mail is on its way. Its link is good for a day.")
    return build_own_page(request, 200, get_phrases(request.language)["lost_sent"], render_element("p", sent))


def _render_form(
    context: PageContext, request: Request, user: User, status: int = 200, error: str = ""
) -> Response:  # fmt: skip
    about = translate(request, "A mail to the address asks whether it was you; nothing happens before.")
    choices = render_element(
        "fieldset",
        render_element("legend", translate(request, "What do you want?")),
        _render_choice(translate(request, "A copy of all that is stored about me"), RequestKind.EXPORT, checked=True),
        _render_choice(translate(request, "Erase it, and close my account"), RequestKind.ERASURE, checked=False),
    )
    closing = _find_closing(context, request, user)
    if closing is not None:
        return _render_closing(context, request, closing, status, error)
    parts = (render_element("p", about), _render_email(request, user), choices, render_trap(request))
    return render_cookie_form(
        context, request, title=translate(request, "Your data"), parts=parts, action=_ACTION,
        label=get_phrases(request.language)["send_link"], status=status, error=error,
    )  # fmt: skip


def _find_closing(context: PageContext, request: Request, user: User) -> PersonalDataRequest | None:
    """Return the request by which the visitor's account will be closed, None for none."""
    if not user:
        return None
    with context.open_work(request, user, True) as work:
        try:
            return personal_data.get_closing(work, user)
        except NoClosing:
            return None


def _render_closing(
    context: PageContext, request: Request, closing: PersonalDataRequest, status: int, error: str
) -> Response:
    """Return the page of somebody whose account is about to be closed: until when, and the button that keeps it."""
    with context.open_work(request, NOBODY, True) as work:
        local = work.zone.to_local(closing.due or closing.created)
        day = format_date(work.option("date_format"), local, language=request.language)
    told = translate(request, "Your account is closed and erased on {date}. Until then you can keep it.", date=day)
    return render_cookie_form(
        context, request, title=translate(request, "Your data"),
        parts=(render_element("p", told), render_hidden_field(_KEEP, "1")), action=_ACTION,
        label=translate(request, "Keep my account"), status=status, error=error,
    )  # fmt: skip


def _keep_account(context: PageContext, request: Request, user: User) -> Response:
    with context.open_work(request, user, False) as work:
        try:
            personal_data.withdraw_request(work, personal_data.get_closing(work, user))
        except (NoClosing, PersonalDataRequestOver):
            said = translate(request, "This account is not about to be closed.")
        else:
            said = translate(request, "Your account stays.")
    return build_own_page(request, 200, translate(request, "Your data"), render_element("p", said))


def _render_email(request: Request, user: User) -> Html:
    if user.email:
        return render_element("p", translate(request, "Your address is {email}.", email=user.email))
    return render_field(
        translate(request, "E-mail address"), "email", type="email", autocomplete="email", required=True,
        value=get_text(request.form, "email"),
    )  # fmt: skip


def _render_choice(label: str, kind: RequestKind, *, checked: bool) -> Html:
    box = render_element("input", type="radio", name="kind", value=kind.value, id=f"kind-{kind.value}", checked=checked)
    return render_element("p", box, " ", render_element("label", label, for_=f"kind-{kind.value}"), class_="choice")

"""What the links in mails about accounts lead to: a new address, a request about personal data, the copy of it.

A page that a link opens only shows a form: programs that look at links in mails confirm nothing. The rules:
access/own_account/email_changes.py, access/personal_data/rules.py (docs/rules/registration.md, 4).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from vetrina.access.own_account import email_changes
from vetrina.access.own_account.model import EmailChangeLinkOver
from vetrina.access.personal_data import rules as personal_data
from vetrina.access.personal_data.model import (
    ManagersStay,
    NoPersonalDataFile,
    PersonalDataLinkOver,
    PersonalDataRequestNotFound,
)
from vetrina.access.sign_in.guess_limiter import TooManyGuesses
from vetrina.access.users.rules import ChangedEmailTaken
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import NOBODY
from vetrina.pages.cookie_forms import is_own_form, render_alert, render_cookie_form
from vetrina.pages.inline_style import build_content_policy
from vetrina.pages.markup import Html, render_button, render_element
from vetrina.pages.own_account.texts import translate
from vetrina.pages.page_context import PageContext, build_bytes_response, build_own_page, get_text
from vetrina.pages.page_texts import get_phrases
from vetrina.pages.sign_in_page import render_hidden_field
from vetrina.rest.call import Request, Response

_EMAIL_ACTION: Final = "confirm e-mail address"
_DATA_ACTION: Final = "confirm request about personal data"
_REFUSE: Final = "refuse"
_OVER: Final = (
    EmailChangeLinkOver, PersonalDataLinkOver, PersonalDataRequestNotFound, NoPersonalDataFile, ManagersStay,
    ChangedEmailTaken,
)  # fmt: skip


def handle_email_confirmation(context: PageContext, request: Request) -> Response:
    """Show the form by which an address agrees to a change or refuses it, or do that."""
    key = get_text(request.form if request.method == "POST" else request.query, "key")
    if request.method == "POST" and is_own_form(context, request, _EMAIL_ACTION):
        refused = bool(get_text(request.form, _REFUSE))

        def answer(work: UnitOfWork) -> str:
            change = email_changes.answer_email_change(work, key, refused=refused)
            if refused:
                return translate(request, "Refused: the address stays as it is.")
            if email_changes.is_finished(change):
                return translate(request, "The account has the new address now.")
            return translate(request, "Agreed. The other address must agree, too.")

        return _answer(context, request, answer)

    def find(work: UnitOfWork) -> str:
        change, _ = email_changes.find_email_change(work, key)
        return translate(request, "The account is to have the address {email}.", email=change.email)

    refuse = render_button(translate(request, "Refuse"), name=_REFUSE, value="1")
    return _show_form(context, request, find, {"key": key}, _EMAIL_ACTION, translate(request, "Agree"), refuse)


def handle_data_confirmation(context: PageContext, request: Request) -> Response:
    """Show the form by which somebody confirms a request about their data, or do that."""
    given = request.form if request.method == "POST" else request.query
    id, key = get_text(given, "request"), get_text(given, "key")
    if request.method == "POST" and is_own_form(context, request, _DATA_ACTION):

        def confirm(work: UnitOfWork) -> str:
            personal_data.confirm_by_key(work, id, key)
            return translate(request, "Confirmed. A mail tells you when it is done.")

        return _answer(context, request, confirm)
    text = translate(request, "You asked for a copy of your data, or for its erasure. Confirm it here.")
    label = translate(request, "Confirm")
    return _show_form(context, request, lambda work: text, {"request": id, "key": key}, _DATA_ACTION, label)


def handle_data_file(context: PageContext, request: Request) -> Response:
    """Send the copy of personal data that a link in a mail opens."""
    session = context.session(request)
    user = session.user if session else NOBODY
    try:
        with context.open_work(request, user, True) as work:
            id, key = get_text(request.query, "request"), get_text(request.query, "key")
            content = personal_data.read_file(work, id, key)
    except _OVER as error:
        return _refuse(request, error)
    except TooManyGuesses as error:
        return _refuse_too_many(request, error)
    headers = {"Content-Disposition": 'attachment; filename="personal-data.zip"', "X-Robots-Tag": "noindex"}
    return build_bytes_response(200, "application/zip", content, build_content_policy(), headers=headers)


def _answer(context: PageContext, request: Request, do: Callable[[UnitOfWork], str]) -> Response:
    try:
        with context.open_work(request, NOBODY, False) as work:
            text = do(work)
    except _OVER as error:
        return _refuse(request, error)
    except TooManyGuesses as error:
        return _refuse_too_many(request, error)
    return build_own_page(request, 200, get_phrases(request.language)["your_account"], render_element("p", text))


def _show_form(
    context: PageContext, request: Request, find: Callable[[UnitOfWork], str], fields: dict[str, str], action: str,
    label: str, *buttons: Html,
) -> Response:  # fmt: skip
    try:
        with context.open_work(request, NOBODY, True) as work:
            text = find(work)
    except _OVER as error:
        return _refuse(request, error)
    except TooManyGuesses as error:
        return _refuse_too_many(request, error)
    stale = request.method == "POST"
    parts = (render_element("p", text), *(render_hidden_field(name, value) for name, value in fields.items()))
    return render_cookie_form(
        context, request, title=get_phrases(request.language)["your_account"], parts=parts, action=action, label=label,
        buttons=buttons, status=403 if stale else 200, error=get_phrases(request.language)["stale"] if stale else "",
    )  # fmt: skip


def _refuse(request: Request, error: Exception) -> Response:
    """Return the page of a link that opens nothing, or of an account that must stay."""
    if isinstance(error, ManagersStay):
        text = translate(request, "This account manages others, and is removed by another one that does.")
        return build_own_page(request, 409, get_phrases(request.language)["your_account"], render_element("p", text))
    text = translate(request, "It was used, withdrawn, or is too old.")
    return build_own_page(request, 404, get_phrases(request.language)["link_over"], render_element("p", text))


def _refuse_too_many(request: Request, error: TooManyGuesses) -> Response:
    text = get_phrases(request.language)["lost_wait"].format(wait=error.wait)
    title = get_phrases(request.language)["your_account"]
    return build_own_page(request, 429, title, render_alert(text), headers=dict(error.headers))

"""Signing out of an account. Rules: docs/rules/account_pages.md, 2."""

from __future__ import annotations

from typing import Final

from vetrina.pages.forms import RefusedForm, SubmittedForm, redirect_with_notice, render_form
from vetrina.pages.markup import Html, render_button, render_element
from vetrina.pages.page_request import PageRequest
from vetrina.pages.shop.account.account_requests import build_own_url
from vetrina.rest.call import Response

SIGN_OUT_FORM: Final = "account-sign-out"


def render_sign_out_form(page: PageRequest, value: str) -> Html:
    """Return the question whether to sign out."""
    text = page.phrases["sign_out_text"].format(name=page.user.name)
    button = render_button(page.phrases["sign_out"], class_="wp-element-button")
    return render_form(page, SIGN_OUT_FORM, render_element("p", text), render_element("p", button))


def handle_sign_out_form(sent: SubmittedForm) -> Response | RefusedForm:
    """End the session of the visitor."""
    cookies = (sent.context.leave(sent.request, sent.session),) if sent.session is not None else ()
    return redirect_with_notice(build_own_url(sent), "signed-out", cookies)

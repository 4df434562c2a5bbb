"""What forms of an account have in common: whose they are, and where they lead."""

from __future__ import annotations

from dataclasses import replace

from vetrina.access.sessions.cookies import format_cookie_name
from vetrina.access.sessions.model import BrowserSession
from vetrina.core.user import User
from vetrina.pages.forms import RefusedForm, SubmittedForm
from vetrina.pages.page_texts import get_phrases
from vetrina.pages.shop.store_requests import call_store
from vetrina.pages.visitor_sign_in.sign_in_form import build_local_url
from vetrina.shop.customers import account_endpoints as endpoints
from vetrina.shop.storefront.cart_session import CART_COOKIE


def build_own_url(sent: SubmittedForm, endpoint: str | None = None, *values: str | int) -> str:
    """Return the URL of the page of accounts, of an address beneath it, or of the form where there is none.

    endpoint: None for the page itself.
    """
    with sent.context.open_work(sent.request, sent.user, True) as work:
        return endpoints.build_account_url(work, endpoint or "", *values) or build_form_url(sent)


def build_form_url(sent: SubmittedForm) -> str:
    """Return the URL that a form was posted to, without its query."""
    return f"{sent.request.origin}{build_local_url(sent.request)}"


def merge_visitor_cart(sent: SubmittedForm, user: User) -> None:
    """Merge the cart of a visitor who has signed in into that of the account, as the next request to the store does."""
    request = sent.request
    if request.cookie(format_cookie_name(request.origin, CART_COOKIE)):
        call_store(replace(sent, session=BrowserSession(user, "")), "GET", "/cart")


def refuse_visitor(sent: SubmittedForm, form: str) -> RefusedForm:
    """Return the refusal of a form that needs a session; its page shows how to sign in."""
    return RefusedForm(form, get_phrases(sent.language)["stale"], status=403)


def refuse_too_many(sent: SubmittedForm, form: str, wait: int, headers: dict[str, str]) -> RefusedForm:
    """Return the refusal of a form that was sent too often; wait: seconds."""
    return RefusedForm(form, get_phrases(sent.language)["lost_wait"].format(wait=wait), status=429, headers=headers)

"""What leads into an account: the form to sign in and, where the shop lets people make one, that to register."""

from __future__ import annotations

from vetrina.pages.markup import Html, join_markup, render_element
from vetrina.pages.page_request import PageRequest
from vetrina.pages.shop.account.registration_form import render_registration_form
from vetrina.pages.shop.account.texts import translate
from vetrina.pages.visitor_sign_in.sign_in_form import read_return_url, render_sign_in_form
from vetrina.shop.customers import account_endpoints as endpoints
from vetrina.shop.customers.registration import is_registration_open


def render_entry(page: PageRequest) -> Html:
    """Return the forms."""
    lost = endpoints.build_account_url(page.work, endpoints.PASSWORD_RESET)
    form = render_sign_in_form(page, read_return_url(page), lost)
    parts = [_render_section(page.phrases["sign_in"], form)]
    if is_registration_open(page.work):
        parts.append(_render_section(translate(page, "Register"), render_registration_form(page)))
    return join_markup(parts)


def _render_section(title: str, *inside: Html) -> Html:
    return render_element("section", render_element("h2", title), *inside, class_="shop-account__section")

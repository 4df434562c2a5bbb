"""Forms of the site's own pages for people who are not signed in: their nonce belongs to a cookie that comes with them.

The forms of public pages: pages/forms.py. Signing in has one of its own (pages/sign_in_page.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from vetrina.access.sessions import cookies as session_cookies, nonces
from vetrina.kernel.keys import generate_key
from vetrina.pages.page_context import PageContext, build_own_page, get_text
from vetrina.pages.page_texts import get_phrases
from vetrina.pages.sign_in_page import FORM_COOKIE, FORM_NONCE_FIELD, render_hidden_field
from vetrina.rest.call import Request, Response

from .markup import Html, join_markup, render_button, render_element, render_field

_TRAP: Final = "website"  # a field that people do not see, and programs fill in


def render_cookie_form(
    context: PageContext, request: Request, *, title: str, parts: tuple[Html, ...], action: str, label: str,
    status: int = 200, error: str = "", buttons: tuple[Html, ...] = (), headers: Mapping[str, str] | None = None,
) -> Response:  # fmt: skip
    """Return a page with a form. action: what its nonce allows. label: of its button; buttons: further ones."""
    key = request.cookie(session_cookies.format_cookie_name(request.origin, FORM_COOKIE)) or generate_key(12)
    nonce = render_hidden_field(FORM_NONCE_FIELD, nonces.create_nonce(context.site, key, action))
    button = render_button(label, class_="first")
    form = render_element("form", join_markup(parts), nonce, button, join_markup(buttons), method="post")
    cookies = {"Set-Cookie": [session_cookies.format_cookie(request.origin, FORM_COOKIE, key)]}
    return build_own_page(request, status, title, render_alert(error), form, headers={**cookies, **(headers or {})})


def render_alert(text: str) -> Html:
    """Return what is wrong with a form; nothing for an empty text."""
    return render_element("p", text, class_="error", role="alert") if text else join_markup(())


def is_own_form(context: PageContext, request: Request, action: str) -> bool:
    """Return whether a form comes from a page of this site."""
    key = request.cookie(session_cookies.format_cookie_name(request.origin, FORM_COOKIE))
    return bool(key) and nonces.is_valid_nonce(context.site, key, request.form.get(FORM_NONCE_FIELD), action)


def render_trap(request: Request) -> Html:
    """Return a field that people do not see, and programs fill in."""
    label = get_phrases(request.language)["trap"]
    return render_element("p", render_field(label, _TRAP, type="text", autocomplete="off", tabindex="-1"), hidden=True)


def is_trapped(request: Request) -> bool:
    """Return whether a program filled in the field that people do not see."""
    return bool(get_text(request.form, _TRAP))

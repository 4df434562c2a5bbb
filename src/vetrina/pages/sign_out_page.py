"""Signing out of the site: the page asks first, unless the form with its proof was sent.

Not here: how a session ends (access/sessions/rules.py).
"""

from __future__ import annotations

from typing import Final

from vetrina.access.sessions import nonces
from vetrina.pages.page_context import (
    PageContext,
    build_own_page,
    build_redirect,
)
from vetrina.pages.page_texts import get_phrases
from vetrina.pages.provider_sign_out import build_farewell, find_farewell_origin
from vetrina.pages.sign_in_page import FORM_NONCE_FIELD, render_hidden_field
from vetrina.rest.call import Request, Response

from .markup import render_button, render_element

_SIGN_OUT_ACTION: Final = "sign out"


def handle_sign_out(context: PageContext, request: Request) -> Response:
    """Ask whether to end the session, or end it."""
    session = context.setup_session(request)
    if session is None:
        return build_redirect("/")
    phrases = get_phrases(request.language)
    if request.method == "POST" and nonces.is_valid_nonce(
        context.site, session.key, request.form.get(FORM_NONCE_FIELD), _SIGN_OUT_ACTION
    ):
        return build_farewell(context, request, context.leave(request, session))
    text = phrases["sign_out_text"].format(name=session.user.name)
    form = render_element(
        "form",
        render_hidden_field(FORM_NONCE_FIELD, nonces.create_nonce(context.site, session.key, _SIGN_OUT_ACTION)),
        render_button(phrases["sign_out"], class_="first"),
        method="post",
    )
    return build_own_page(
        request, 403 if request.method == "POST" else 200, phrases["sign_out"], render_element("p", text), form,
        forms=find_farewell_origin(context, request),
    )  # fmt: skip

"""The page at the URLs of administration screens, which this site does not have.

Responses of the interface contain such URLs (a task, a report, a connection), since clients know them; a person who
follows one is told what it is.
"""

from __future__ import annotations

from urllib.parse import urlencode

from vetrina.pages import sign_in_page
from vetrina.pages.page_context import PageContext, build_own_page, build_redirect, get_text
from vetrina.pages.page_texts import get_phrases
from vetrina.rest.call import Request, Response

from .markup import render_element, render_link

_CONNECTS_PAYMENTS = "shoppay-connect"
_MAX_URL_LENGTH = 2000  # characters of a URL that is returned to


def handle_administration(context: PageContext, request: Request) -> Response:
    """Say that the administration's own pages are elsewhere; without a session, redirect to the sign-in page."""
    if context.session(request) is None:
        query = {name: value for name in request.query if isinstance(value := request.query[name], str)}
        back = f"{request.path}?{urlencode(query)}" if query else request.path
        admin = request.path.split("/")[1]
        return build_redirect(
            sign_in_page.build_sign_in_url(admin, back if len(back) <= _MAX_URL_LENGTH else request.path), 302
        )
    phrases = get_phrases(request.language)
    text = phrases["no_payments"] if get_text(request.query, _CONNECTS_PAYMENTS) else phrases["administered"]
    return build_own_page(
        request, 200, phrases["administration"], render_element("p", text), render_link(request.origin, phrases["home"])
    )

"""The page at the addresses of administrations: what is done there is done by a program of the owner's choice.

Answers of the interface lead to such addresses (a task, a report, a connection), since programs know them; who follows
one by himself is told where he is. Not here: signing in (pages/sign_in_page.py).
"""

from __future__ import annotations

from urllib.parse import urlencode

from vetrina.pages import sign_in_page
from vetrina.pages.page_context import Desk, inner, moved, text_of
from vetrina.pages.page_texts import words
from vetrina.rest.call import Answer, Request

from .markup import element, link

__all__ = ["administration"]

_CONNECTS_PAYMENTS = "shoppay-connect"
_LONGEST = 2000  # letters of an address that is led back to


def administration(desk: Desk, request: Request) -> Answer:
    """Say that the administration's own pages are elsewhere; whoever is not signed in signs in first."""
    if desk.session(request) is None:
        told = {name: value for name in request.query if isinstance(value := request.query[name], str)}
        back = f"{request.path}?{urlencode(told)}" if told else request.path
        admin = request.path.split("/")[1]
        return moved(sign_in_page.address(admin, back if len(back) <= _LONGEST else request.path), 302)
    said = words(request.language)
    text = said["no_payments"] if text_of(request.query, _CONNECTS_PAYMENTS) else said["administered"]
    return inner(request, 200, said["administration"], element("p", text), link(request.origin, said["home"]))

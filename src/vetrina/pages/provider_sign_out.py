"""Signing out by way of the provider that signed somebody in, where its session ends as well.

Not here: the end of the session here (pages/sign_in_page.py). Rules: docs/rules/single_sign_on.md, 10.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

from vetrina.access.sessions import cookies as session_cookies
from vetrina.access.single_sign_on.flow import read_sign_out_url
from vetrina.pages.page_context import PageContext, build_redirect
from vetrina.rest.call import Request, Response

SIGN_OUT_COOKIE: Final = "cms_provider_session"  # where the provider's own session ends


def build_farewell(context: PageContext, request: Request, removal: str) -> Response:
    """Lead whoever signed out home, by way of the provider where its session ends as well.

    removal: the header that removes the cookie of the session.
    """
    end = _find_provider_end(context, request)
    if not end:
        return build_redirect("/", cookies=(removal,))
    return build_redirect(end, cookies=(removal, session_cookies.format_cookie(request.origin, SIGN_OUT_COOKIE, "", 0)))


def find_farewell_origin(context: PageContext, request: Request) -> str:
    """Return the origin of the provider that signing out leads to, empty for none."""
    parts = urlsplit(_find_provider_end(context, request))
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""


def _find_provider_end(context: PageContext, request: Request) -> str:
    """Return the URL at which a provider ends the session that signed somebody in here, empty for none."""
    kept = request.cookie(session_cookies.format_cookie_name(request.origin, SIGN_OUT_COOKIE))
    return read_sign_out_url(context.site, kept, f"{request.origin}/")

"""The cookie that keeps a refresh token from the scripts of a page.

Rules: docs/rules/tokens.md, 5; RFC 6265 and its successor's draft for `__Host-` and SameSite.
"""

from __future__ import annotations

from typing import Final

from vetrina.access.sessions.cookies import format_cookie, format_cookie_name

REFRESH_COOKIE: Final = "cms_refresh"


def format_refresh_cookie(origin: str, token: str, seconds: int) -> str:
    """Return the Set-Cookie header of a refresh token; browsers never send it along from a page of another site."""
    return format_cookie(origin, REFRESH_COOKIE, token, seconds).replace("; SameSite=Lax", "; SameSite=Strict")


def get_refresh_cookie_name(origin: str) -> str:
    """Return the name of the cookie."""
    return format_cookie_name(origin, REFRESH_COOKIE)

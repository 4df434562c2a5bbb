"""Cookies of the site: how they are named and sent.

Rules: RFC 6265, and its successor's draft for `__Host-` and Lax.
"""

from __future__ import annotations

from typing import Final

from vetrina.kernel.site_paths import get_base_path

SESSION_COOKIE: Final = "cms_session"


def format_cookie_name(origin: str, name: str) -> str:
    """Return the name of a cookie: over HTTPS one that no other host can set, or no page without HTTPS.

    The former is only for cookies of a whole host.
    """
    if not origin.startswith("https:"):
        return name
    return f"__Secure-{name}" if get_base_path(origin) else f"__Host-{name}"


def format_cookie(origin: str, name: str, value: str, seconds: int | None = None) -> str:
    """Return a Set-Cookie header; seconds: its lifetime, None until the browser is closed."""
    age = "" if seconds is None else f"; Max-Age={seconds}"
    path = get_base_path(origin) or "/"
    secure = "; Secure" if origin.startswith("https:") else ""
    return f"{format_cookie_name(origin, name)}={value}; Path={path}; HttpOnly; SameSite=Lax{secure}{age}"

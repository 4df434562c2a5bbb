"""What follows a right password, or the word of a provider: the session, or the page that asks for the second factor.

Every way by which somebody signs in on a page without a passkey goes through here. The page:
pages/second_factor_page.py. Rules: docs/rules/second_factors.md, 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, urlsplit

from vetrina.access.second_factors import pending_step, rules as second_factors
from vetrina.access.sessions import cookies as session_cookies
from vetrina.core.user import User
from vetrina.pages.page_context import PageContext, build_redirect, sanitize_local_url
from vetrina.rest.call import Request, Response

STEP_COOKIE: Final = "cms_second_step"


@dataclass(frozen=True)
class SignInOutcome:
    """What a proof led to. cookie: the header that the response has. complete: whether a session began."""

    cookie: str
    complete: bool


def continue_sign_in(context: PageContext, request: Request, user: User, *, is_vouched: bool = False) -> SignInOutcome:
    """Begin the session of an account that is proved, or its second step where it has a second factor.

    is_vouched: whether a provider proved it, which answers for the factor, too, unless a role requires an own one.
    """
    with context.open_work(request, user, True) as work:
        is_asked = not is_vouched or second_factors.requires_second_factor(work.site, user)
        if is_asked and second_factors.has_second_factor(work, user):
            value = pending_step.create_pending_step(work, user)
            seconds = pending_step.PENDING_SECONDS
            return SignInOutcome(session_cookies.format_cookie(request.origin, STEP_COOKIE, value, seconds), False)
    return SignInOutcome(context.start_session(request, user), True)


def lead_on(request: Request, outcome: SignInOutcome, address: str, *cookies: str) -> Response:
    """Return the redirect to an address of this site, by way of the second step where the sign-in needs it."""
    if not outcome.complete:
        address = build_second_step_url(request, _make_local(address))
    return build_redirect(address, cookies=(outcome.cookie, *cookies))


def build_second_step_url(request: Request, back: str) -> str:
    """Return the URL of the page that asks for the second factor. back: where it leads, empty for the start."""
    return f"{request.origin}/admin/second-step?redirect_to={quote(back, safe='')}"


def _make_local(address: str) -> str:
    """Return an address of this site as path and query."""
    parts = urlsplit(address)
    return sanitize_local_url(parts.path + (f"?{parts.query}" if parts.query else "")) if address else ""

"""Signing in by a provider: the page that leads to it, the page that it leads back to, and connecting an account.

The second one waits for the provider, so both run in threads; nothing is asked inside a transaction. What is asked and
checked: access/single_sign_on/flow.py; who somebody is then: access/single_sign_on/rules.py. Rules:
docs/rules/single_sign_on.md, 1, 6 and 9.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Final
from urllib.parse import quote, urlencode, urlsplit

from vetrina.access.roles import capabilities
from vetrina.access.sessions import cookies as session_cookies, nonces
from vetrina.access.sessions.model import BrowserSession
from vetrina.access.sign_in.guess_limiter import SecretKind, TooManyGuesses
from vetrina.access.single_sign_on import flow, rules
from vetrina.access.single_sign_on.flow import BegunSignIn
from vetrina.access.single_sign_on.model import ProvedPerson
from vetrina.access.single_sign_on.refusals import Refusal, SignInRefused
from vetrina.account_settings import SignInProvider
from vetrina.core.user import NOBODY, User
from vetrina.pages.forms import SubmittedForm
from vetrina.pages.page_context import PageContext, build_own_page, build_redirect, get_text, sanitize_local_url
from vetrina.pages.page_texts import get_phrases
from vetrina.pages.provider_sign_out import SIGN_OUT_COOKIE
from vetrina.pages.provider_texts import get_provider_texts
from vetrina.pages.sign_in_completion import continue_sign_in, lead_on
from vetrina.pages.visitor_sign_in.sign_in_form import run_after_sign_in
from vetrina.rest.call import Request, Response

from .markup import render_element, render_link

BEGUN_COOKIE: Final = "cms_provider_sign_in"  # what the browser keeps while its owner is at the provider
_LINK_ACTION: Final = "connect provider"
_DAY_SECONDS: Final = 86400
_ANSWERED: Final = ("state", "code", "error", "iss")
_STATUSES: Final = {
    Refusal.REFUSED_THERE: 502,
    Refusal.UNTRUSTED: 502,
    Refusal.AWAY: 503,
    Refusal.EMAIL_TAKEN: 409,
    Refusal.IDENTITY_TAKEN: 409,
}  # of the other refusals: 403
_LOG = logging.getLogger("vetrina.single_sign_on")


def handle_provider(context: PageContext, request: Request) -> Response:
    """Lead to a provider, to sign in there; or, with `link`, to connect it with the account that is signed in."""
    provider = _find_provider(context, request)
    if provider is None:
        return _build_missing_page(request)
    back = get_text(request.query, "redirect_to")
    back, link = sanitize_local_url(back) if back else "", 0
    if get_text(request.query, "link"):
        session = context.session(request)
        if session is None:
            here = f"{request.path}?{urlencode({'link': 1, 'redirect_to': back})}"
            return build_redirect(f"/{request.path.split('/')[1]}/sign-in?redirect_to={quote(here, safe='')}")
        if not nonces.is_valid_nonce(context.site, session.key, request.query.get("_cmsnonce"), _LINK_ACTION):
            return _render_connection(context, request, provider, session, back)
        link = session.user.id
    try:
        url, sealed = flow.begin_sign_in(context.site, provider, request.origin, back, link)
    except SignInRefused as error:
        return _render_refusal(request, provider, error, back)
    return build_redirect(
        url, cookies=(session_cookies.format_cookie(request.origin, BEGUN_COOKIE, sealed, flow.LIFETIME_SECONDS),)
    )


def handle_provider_callback(context: PageContext, request: Request) -> Response:
    """Begin a session for who comes back from a provider, or connect that account with the one that is signed in."""
    provider = _find_provider(context, request)
    if provider is None:
        return _build_missing_page(request)
    answer = {name: text for name in _ANSWERED if isinstance(text := request.query.get(name), str)}
    sealed = request.cookie(session_cookies.format_cookie_name(request.origin, BEGUN_COOKIE))
    begun: BegunSignIn | None = None
    try:
        begun = flow.read_begun(context.site, provider, sealed, answer.get("state", ""))
        person, end_session = _prove_person(context, request, provider, begun, answer)
        if begun.link:
            return _finish_connection(context, request, provider, begun, person)
        return _finish_sign_in(context, request, provider, begun, person, end_session)
    except SignInRefused as error:
        _LOG.warning("a sign-in by %s was refused (%s): %s", provider.name, error.reason, error)
        # Who was led here by somebody else's link keeps the own sign-in that is under way.
        return _render_refusal(request, provider, error, begun.back if begun else "", is_over=begun is not None)
    except TooManyGuesses as error:
        said = get_phrases(request.language)["lost_wait"].format(wait=error.wait)
        return _render_failure(request, 429, said, headers=dict(error.headers))


def _find_provider(context: PageContext, request: Request) -> SignInProvider | None:
    return flow.find_provider(context.site, request.path.split("/")[3])


def _prove_person(
    context: PageContext, request: Request, provider: SignInProvider, begun: BegunSignIn, answer: dict[str, str]
) -> tuple[ProvedPerson, str]:
    """Return what the provider says. Codes that it refuses count as guesses. Raises SignInRefused, TooManyGuesses."""
    with context.open_work(request, NOBODY, True) as work:
        guesses = work.guesses
        assert guesses is not None, "a request comes from somewhere"
        keys = guesses.build_keys(SecretKind.PROVIDER_CODE, provider.name)
        guesses.require(work.tx, SecretKind.PROVIDER_CODE, keys)
    try:
        return flow.finish_sign_in(context.site, provider, request.origin, begun, answer)
    except SignInRefused as error:
        if error.reason in (Refusal.REFUSED_THERE, Refusal.UNTRUSTED):
            with context.open_work(request, NOBODY, True):
                guesses.add_wrong_guess(keys, answer.get("code", ""))
        raise


def _finish_sign_in(
    context: PageContext,
    request: Request,
    provider: SignInProvider,
    begun: BegunSignIn,
    person: ProvedPerson,
    end_session: str,
) -> Response:
    with context.open_work(request, NOBODY, False) as work:
        user = rules.sign_in_person(work, provider, person)
    origin, outcome = request.origin, continue_sign_in(context, request, user, is_vouched=True)
    cookies = [session_cookies.format_cookie(origin, BEGUN_COOKIE, "", 0)]
    if provider.sign_out_there and end_session:
        kept = flow.seal_sign_out(context.site, provider, end_session)
        lifetime = context.site.profile.accounts.session_days * _DAY_SECONDS
        cookies.append(session_cookies.format_cookie(origin, SIGN_OUT_COOKIE, kept, lifetime))
    if not outcome.complete:
        return lead_on(request, outcome, begun.back, *cookies)
    run_after_sign_in(SubmittedForm(context, request, None, ()), user)
    return build_redirect(begun.back or _find_start(user), cookies=(outcome.cookie, *cookies))


def _finish_connection(
    context: PageContext, request: Request, provider: SignInProvider, begun: BegunSignIn, person: ProvedPerson
) -> Response:
    session = context.session(request)
    if session is None or session.user.id != begun.link:
        raise SignInRefused(Refusal.OTHER_SESSION, "whoever began is not signed in any more")
    with context.open_work(request, session.user, False) as work:
        rules.link_person(work, provider, person, session.user)
    texts, label = get_provider_texts(request.language), provider.label or provider.name
    removal = session_cookies.format_cookie(request.origin, BEGUN_COOKIE, "", 0)
    return build_own_page(
        request, 200, texts["connected"].format(label=label),
        render_element("p", texts["connected_text"].format(label=label, name=session.user.name)),
        render_element("p", render_link(_build_url(request, begun.back or _find_start(session.user)), texts["go_on"])),
        headers={"Set-Cookie": [removal]},
    )  # fmt: skip


def _render_connection(
    context: PageContext, request: Request, provider: SignInProvider, session: BrowserSession, back: str
) -> Response:
    """Return the page that asks whether to connect a provider; only from there it goes on."""
    texts, label = get_provider_texts(request.language), provider.label or provider.name
    title = texts["connect"].format(label=label)
    nonce = nonces.create_nonce(context.site, session.key, _LINK_ACTION)
    query = urlencode({"link": 1, "_cmsnonce": nonce, "redirect_to": back})
    return build_own_page(
        request, 200, title,
        render_element("p", texts["connect_text"].format(label=label, name=session.user.name)),
        render_element("p", render_link(f"?{query}", title, class_="provider")),
    )  # fmt: skip


def _render_refusal(
    request: Request, provider: SignInProvider, error: SignInRefused, back: str, *, is_over: bool = False
) -> Response:
    texts = get_provider_texts(request.language)
    said = texts[error.reason].format(label=provider.label or provider.name)
    headers = {"Set-Cookie": [session_cookies.format_cookie(request.origin, BEGUN_COOKIE, "", 0)]} if is_over else {}
    query = f"?{urlencode({'redirect_to': back})}" if back else ""
    again = render_link(_build_url(request, f"/admin/sign-in/{provider.name}{query}"), texts["again"])
    return _render_failure(request, _STATUSES.get(error.reason, 403), said, again, headers=headers)


def _render_failure(
    request: Request, status: int, said: str, *links: str, headers: Mapping[str, object] | None = None
) -> Response:
    texts = get_provider_texts(request.language)
    other = render_link(_build_url(request, "/admin/sign-in"), texts["sign_in_here"])
    items = [render_element("p", one) for one in (*links, other)]
    alert = render_element("p", said, class_="error", role="alert")
    return build_own_page(request, status, texts["failed"], alert, *items, headers=headers)


def _build_missing_page(request: Request) -> Response:
    phrases = get_phrases(request.language)
    return build_own_page(request, 404, phrases["missing"], render_element("p", phrases["missing_text"]))


def _build_url(request: Request, local: str) -> str:
    """Return the address of a local URL, wherever on its host the site lives."""
    return f"{urlsplit(request.origin).path}{local}"


def _find_start(user: User) -> str:
    return "/admin/" if capabilities.may_change_site(user) else "/"

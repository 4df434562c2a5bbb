"""The authorize-application flow: a program sends a user here, who signs in and gives it a password of its own.

What the program asked for is part of the form's nonce: a form with another return URL is refused. Rules:
docs/rules/authentication.md, 1; the parameters have the names that clients send and expect. Which return URLs are
safe: pages/application_return_urls.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import quote_plus
from uuid import UUID

from vetrina.access.app_passwords import rules as app_passwords
from vetrina.access.app_passwords.rules import EmptyAppPasswordName
from vetrina.access.sessions import nonces
from vetrina.access.sessions.model import BrowserSession
from vetrina.content.text import sanitizing
from vetrina.pages import application_return_urls as return_urls
from vetrina.pages.page_context import PageContext, build_own_page, build_redirect, get_text
from vetrina.pages.page_texts import get_phrases
from vetrina.pages.sign_in_page import FORM_NONCE_FIELD, build_sign_in_url, render_hidden_field
from vetrina.rest.call import Request, Response

from .markup import join_markup, render_button, render_element, render_field

_MAX_NAME_LENGTH: Final = 200  # characters


@dataclass(frozen=True)
class _AuthorizationRequest:
    """What a program asks for. app_id: a UUID, or empty. success_url, reject_url: empty for none."""

    app_name: str
    app_id: str
    success_url: str
    reject_url: str

    @property
    def action(self) -> str:
        """Return the action of the form's nonce; without the name, which the approving user may change."""
        return f"authorise\n{self.app_id}\n{self.success_url}\n{self.reject_url}"

    @property
    def fault(self) -> str:
        """Return the key of the phrase for what is invalid, empty for nothing."""
        for name in ("success_url", "reject_url"):
            given = getattr(self, name)
            if given and not return_urls.is_safe_return_url(given):
                return f"bad_{name}"
        try:
            return "bad_app_id" if self.app_id and str(UUID(self.app_id)) != self.app_id.lower() else ""
        except ValueError:
            return "bad_app_id"


def handle_authorization(context: PageContext, request: Request) -> Response:
    """Ask whether a program may have a password, and create it or refuse."""
    posted = request.method == "POST"
    given = request.form if posted else request.query
    texts = (get_text(given, name) for name in ("app_name", "app_id", "success_url", "reject_url"))
    application = _AuthorizationRequest(*texts)
    phrases = get_phrases(request.language)
    if application.fault:
        return build_own_page(
            request,
            400,
            phrases["bad_address"],
            render_element("p", phrases[application.fault], class_="error", role="alert"),
        )
    session = context.session(request)
    if session is None:
        return build_redirect(build_sign_in_url(request.path.split("/")[1], _build_retry_url(request, application)))
    if not posted:
        return _render_consent(context, request, session, application)
    if not nonces.is_valid_nonce(context.site, session.key, given.get(FORM_NONCE_FIELD), application.action):
        return _render_consent(context, request, session, application, 403, phrases["stale"])
    if given.get("decision") != "approve":
        return _refuse_application(request, application)
    return _approve_application(context, request, session, application)


def _build_retry_url(request: Request, application: _AuthorizationRequest) -> str:
    """Return the URL that asks for the same again, as a path with a query."""
    names = ("app_name", "app_id", "success_url", "reject_url")
    query = "&".join(f"{name}={quote_plus(value)}" for name in names if (value := getattr(application, name)))
    return request.path + (f"?{query}" if query else "")


def _render_consent(
    context: PageContext,
    request: Request,
    session: BrowserSession,
    application: _AuthorizationRequest,
    status: int = 200,
    error: str = "",
) -> Response:
    phrases, user = get_phrases(request.language), session.user
    asks = phrases["asks" if application.app_name else "asks_unnamed"].format(
        name=application.app_name[:_MAX_NAME_LENGTH], user=user.login
    )
    returns = (
        phrases["returns"].format(address=return_urls.format_destination(application.success_url))
        if application.success_url
        else ""
    )
    form = render_element(
        "form",
        render_field(phrases["app_name"], "app_name", type="text", required=True, maxlength=_MAX_NAME_LENGTH,
              value=application.app_name[:_MAX_NAME_LENGTH]),
        join_markup(
            render_hidden_field(name, getattr(application, name)) for name in ("app_id", "success_url", "reject_url")
        ),
        render_hidden_field(FORM_NONCE_FIELD, nonces.create_nonce(context.site, session.key, application.action)),
        render_button(phrases["approve"], class_="first", name="decision", value="approve"),
        render_button(phrases["reject"], name="decision", value="reject", formnovalidate=True),
        method="post", action=request.path,
    )  # fmt: skip
    alert = render_element("p", error, class_="error", role="alert") if error else ""
    # Browsers apply the policy of a form also to the redirect after it.
    sources = " ".join(
        dict.fromkeys(
            filter(None, map(return_urls.build_url_source, (application.success_url, application.reject_url)))
        )
    )
    texts = (render_element("p", text) for text in (asks, phrases["gets"], returns or phrases["shows"]))
    return build_own_page(request, status, phrases["authorise"], alert, *texts, form, forms=sources)


def _refuse_application(request: Request, application: _AuthorizationRequest) -> Response:
    phrases = get_phrases(request.language)
    if application.reject_url:
        return build_redirect(application.reject_url)
    if application.success_url:
        return build_redirect(return_urls.append_query(application.success_url, {"success": "false"}))
    return build_own_page(request, 200, phrases["refused"], render_element("p", phrases["refused_text"]))


def _approve_application(
    context: PageContext, request: Request, session: BrowserSession, application: _AuthorizationRequest
) -> Response:
    phrases, user = get_phrases(request.language), session.user
    name = sanitizing.sanitize_plain_text(application.app_name)[:_MAX_NAME_LENGTH]
    try:
        with context.open_work(request, user, False) as work:
            _, password = app_passwords.create_app_password(work, user.id, name, application.app_id)
            origin = work.origin
    except EmptyAppPasswordName:
        return _render_consent(context, request, session, application, 400, phrases["empty_name"])
    if application.success_url:
        answer = {"site_url": origin, "user_login": user.login, "password": "".join(password.split())}
        return build_redirect(return_urls.append_query(application.success_url, answer))
    return build_own_page(
        request, 200, phrases["made"], render_element("p", phrases["made_text"].format(name=name)),
        render_element("p", render_element("code", password, class_="key", id="application-password")),
    )  # fmt: skip

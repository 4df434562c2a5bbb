"""Forms of public pages: their hidden fields, the proof that they come from this site, and what a refused one shows.

A form names itself in a hidden field and is posted to the address of its page. A form on a page that is for one visitor
proves itself by a nonce that belongs to their session or to a cookie set with it; one on a page that is kept for all
visitors by the headers with which a browser says where a request comes from. Which forms there are:
pages/page_features.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

from vetrina.access.sessions import cookies as session_cookies, nonces
from vetrina.access.sessions.model import BrowserSession
from vetrina.core.site_context import SiteContext
from vetrina.core.user import NOBODY, User
from vetrina.kernel.keys import generate_key
from vetrina.pages.page_context import PageContext, build_redirect, get_text
from vetrina.pages.page_request import PageRequest
from vetrina.rest.call import Request, Response

from .markup import Html, join_markup, render_element

FORM_FIELD: Final = "_form"  # the field that names the form
NONCE_FIELD: Final = "_cmsnonce"
NONCE_COOKIE: Final = "cms_form"  # that the nonces of a visitor's forms belong to
NOTICE_PARAMETER: Final = "notice"  # of an address: what the page says has been done
_NONCE_LETTERS: Final = 12


@dataclass(frozen=True)
class SubmittedForm:
    """A form that was posted, and proved that it comes from this site.

    segments: of the address, without the language.
    """

    context: PageContext
    request: Request
    session: BrowserSession | None
    segments: tuple[str, ...]

    @property
    def site(self) -> SiteContext:
        return self.context.site

    @property
    def user(self) -> User:
        return self.session.user if self.session else NOBODY

    @property
    def language(self) -> str:
        return self.request.language

    def get(self, name: str) -> str:
        """Return the text of a field, empty for none."""
        return get_text(self.request.form, name)


@dataclass(frozen=True)
class RefusedForm:
    """A form that was refused; its page is shown again with it.

    form: its name. message: for the whole form, as text. faults: by field. status: of the response. fields: as sent.
    headers: of the response.
    """

    form: str
    message: str = ""
    faults: Mapping[str, str] = field(default_factory=dict)
    status: int = 400
    fields: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class PageForm:
    """A form of public pages.

    handle: does what it asks for, and redirects or refuses it. kept: whether it stands on pages that are kept for all
    visitors, so that it can have no nonce.
    """

    handle: Callable[[SubmittedForm], Response | RefusedForm]
    kept: bool = False


def is_own_form(request: Request, session: BrowserSession | None, site: SiteContext, name: str, form: PageForm) -> bool:
    """Return whether a form comes from a page of this site."""
    if form.kept:
        return is_same_origin(request)
    key = session.key if session is not None else _read_cookie_key(request)
    return bool(key) and nonces.is_valid_nonce(site, key, request.form.get(NONCE_FIELD), _build_action(name))


def is_same_origin(request: Request) -> bool:
    """Return whether a browser says that a request comes from a page of this site."""
    headers = request.headers
    if said := headers.get("sec-fetch-site"):
        return said == "same-origin"
    parts = urlsplit(headers.get("origin") or headers.get("referer") or "")
    ours = urlsplit(request.origin)
    return bool(parts.netloc) and (parts.scheme, parts.netloc) == (ours.scheme, ours.netloc)


def render_form(
    page: PageRequest, name: str, *inside: str, kept: bool = False, **attributes: str | int | bool | None
) -> Html:
    """Return a form of a public page, with its hidden fields. attributes: of the element; `action` is its own page."""
    hidden = [render_hidden(FORM_FIELD, name)]
    if not kept:
        hidden.append(render_hidden(NONCE_FIELD, _create_nonce(page, name)))
    return render_element("form", join_markup(hidden), *inside, method="post", **attributes)


def render_hidden(name: str, value: str | int) -> Html:
    """Return a hidden field."""
    return render_element("input", type="hidden", name=name, value=value)


def render_refusal(page: PageRequest, name: str) -> str:
    """Return why a form was refused, empty where it was not."""
    refused = page.refused
    if refused is None or refused.form != name or not refused.message:
        return ""
    return render_element("p", refused.message, class_="form-error", role="alert")


def get_sent(page: PageRequest, form: str, name: str, default: str = "") -> str:
    """Return what a field of a refused form was sent with, the default where it was not refused."""
    refused = page.refused
    return get_text(refused.fields, name) if refused is not None and refused.form == form else default


def get_fault(page: PageRequest, form: str, name: str) -> str:
    """Return what is wrong with a field of a refused form, empty for nothing."""
    refused = page.refused
    return refused.faults.get(name, "") if refused is not None and refused.form == form else ""


def render_input(
    page: PageRequest, form: str, name: str, label: str, value: str = "", *, hint: str = "",
    **attributes: str | int | bool | None,
) -> Html:  # fmt: skip
    """Return a labelled field with what was sent, and with what is wrong with it. value: where nothing was sent."""
    return render_labelled(
        page, form, name, label, lambda attributes: render_element("input", **attributes),
        {**attributes, "value": get_sent(page, form, name, value)}, hint,
    )  # fmt: skip


def render_textarea(
    page: PageRequest, form: str, name: str, label: str, value: str = "", **attributes: str | int | bool | None
) -> Html:
    """Return a labelled field of several lines, as `render_input`."""
    text = get_sent(page, form, name, value)
    return render_labelled(
        page, form, name, label, lambda attributes: render_element("textarea", text, **attributes), attributes
    )


def render_select(
    page: PageRequest, form: str, name: str, label: str, choices: Iterable[tuple[str, str]], value: str = "",
    **attributes: str | int | bool | None,
) -> Html:  # fmt: skip
    """Return a labelled choice, as `render_input`. choices: values with their texts."""
    chosen = get_sent(page, form, name, value)
    options = join_markup(render_element("option", text, value=one, selected=one == chosen) for one, text in choices)
    return render_labelled(
        page, form, name, label, lambda attributes: render_element("select", options, **attributes), attributes
    )


def render_trap(page: PageRequest, form: str, name: str) -> Html:
    """Return a field that is hidden from people, with or without eyes; a program that fills it in gives itself away."""
    number = f"{form}-{name}".replace("_", "-")
    label = render_element("label", page.phrases["trap"], for_=number)
    field = render_element("input", id=number, name=name, autocomplete="off", tabindex="-1")
    return render_element("p", label, field, hidden=True)


def render_labelled(
    page: PageRequest, form: str, name: str, label: str, render: Callable[[dict[str, Any]], Html],
    attributes: Mapping[str, str | int | bool | None], hint: str = "",
) -> Html:  # fmt: skip
    """Return a field with its label, what is wrong with it, and a hint. render: (attributes) → the field."""
    fault, number = get_fault(page, form, name), f"{form}-{name}".replace("_", "-")
    described = " ".join(filter(None, (fault and f"{number}-fault", hint and f"{number}-hint")))
    mark: list[str] = (
        [render_element("span", "*", aria_hidden="true", class_="required")] if attributes.get("required") else []
    )
    attributes = {**attributes, "aria_invalid": "true" if fault else None, "aria_describedby": described or None}
    return render_element(
        "p",
        render_element("label", label, *mark, for_=number),
        render({"id": number, "name": name, **attributes}),
        render_element("span", hint, id=f"{number}-hint", class_="form-hint") if hint else "",
        render_element("span", fault, id=f"{number}-fault", class_="form-error") if fault else "",
        class_="form-field",
    )


def redirect_with_notice(address: str, notice: str, cookies: Iterable[str] = ()) -> Response:
    """Return the redirect to a page that says what has been done. Arguments: as of `build_notice_url`."""
    return build_redirect(build_notice_url(address, notice), cookies=cookies)


def build_notice_url(address: str, notice: str) -> str:
    """Return the URL of a page that says what has been done; address: an absolute or local URL.

    notice: a name in the notices of pages/page_features.py.
    """
    base, mark, fragment = address.partition("#")
    between = "&" if "?" in base else "?"
    return f"{base}{between}{urlencode({NOTICE_PARAMETER: notice})}{mark}{fragment}"


def _create_nonce(page: PageRequest, name: str) -> str:
    """Return the nonce of a form, whose cookie is set with the page; the page is for this visitor alone."""
    page.state.personal = True
    if page.session is not None:
        key = page.session.key
    else:
        key = page.state.form_key or _read_cookie_key(page.request) or generate_key(_NONCE_LETTERS)
        if not page.state.form_key:
            page.state.form_key = key
            page.state.cookies.append(session_cookies.format_cookie(page.request.origin, NONCE_COOKIE, key))
    return nonces.create_nonce(page.work.site, key, _build_action(name))


def _read_cookie_key(request: Request) -> str:
    return request.cookie(session_cookies.format_cookie_name(request.origin, NONCE_COOKIE))


def _build_action(name: str) -> str:
    return f"form {name}"

"""Records with a password: its form, and the cookie that remembers that it was sent.

Rules: docs/rules/passwords.md, 1 and 6.
"""

from __future__ import annotations

from typing import Final

from vetrina.access.sessions import cookies
from vetrina.content.records import passwords as record_passwords, permalinks, visibility
from vetrina.content.records.model import Record
from vetrina.content.records.passwords import is_password_protected
from vetrina.kernel.keys import compute_digest, is_equal_secret
from vetrina.pages.page_context import build_redirect
from vetrina.pages.page_request import PageRequest
from vetrina.rest.call import Response

from .markup import Html, join_markup, render_button, render_element, render_field

OPENED_COOKIE: Final = "cms_opened_"  # with the id of the record whose password was sent
HIDDEN_STATUSES: Final = frozenset({"trash", "auto-draft"})


def is_record_unlocked(page: PageRequest, record: Record) -> bool:
    """Return whether the visitor sent the password of a record before."""
    cookie = page.request.cookie(cookies.format_cookie_name(page.request.origin, _build_cookie_name(record)))
    return bool(cookie) and is_equal_secret(cookie, _compute_cookie_key(page, record))


def answer_record_password(page: PageRequest, record: Record) -> tuple[Response, bool] | None:
    """Return the response to a password and whether it was right; None for a record that no password opens.

    Raises TooManyGuesses.
    """
    type = page.work.site.types[record.type]
    if (
        record.status in HIDDEN_STATUSES
        or not is_password_protected(record)
        or not visibility.may_view_record(page.work, type, record)
    ):
        return None
    given = page.request.form.get("post_password")
    cookie = cookies.format_cookie(page.request.origin, _build_cookie_name(record), _compute_cookie_key(page, record))
    address = permalinks.build_permalink(page.work, type, record)
    right = isinstance(given, str) and record_passwords.is_record_password(page.work, record, given)
    return build_redirect(address, cookies=[cookie]), right


def render_unlocking_form(page: PageRequest, address: str, error: str) -> Html:
    """Return the form that asks for the password of a record. address: of its page. error: what was wrong, or empty."""
    phrases = page.phrases
    form = render_element(
        "form",
        render_field(phrases["password"], "post_password", type="password", required=True, autocomplete="off"),
        render_button(phrases["open"], class_="first"),
        method="post", action=address,
    )  # fmt: skip
    message = (
        render_element("p", error, class_="error", role="alert") if error else render_element("p", phrases["protected"])
    )
    return join_markup((message, form))


def _build_cookie_name(record: Record) -> str:
    return f"{OPENED_COOKIE}{record.id}"


def _compute_cookie_key(page: PageRequest, record: Record) -> str:
    secret = page.work.site.settings.secret
    return compute_digest(secret, f"opened\n{record.id}\n{record.password}")

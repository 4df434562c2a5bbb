"""The form with which somebody signs in by a passkey: hidden until a script finds that the browser has them.

What the browser signs is bound to the cookie of the page's forms. Rules: docs/rules/passkeys.md, 4.
"""

from __future__ import annotations

from typing import Any, Final

import orjson

from vetrina.access.passkeys import rules as passkeys
from vetrina.access.passkeys.model import PasskeyRefused
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.pages.page_context import get_text
from vetrina.pages.page_texts import get_phrases
from vetrina.pages.scripts import SCRIPT_FOLDER, render_script_element
from vetrina.rest.call import Request

from .markup import Html, join_markup, render_button, render_element

PASSKEY_FIELD: Final = "passkey"
_SCRIPT: Final = "passkey"
_MAX_LENGTH: Final = 16_000  # characters of what a browser sends


def render_passkey_form(work: UnitOfWork, request: Request, browser: str, *hidden: Html, user: User | None) -> Html:
    """Return the form with its script, nothing where browsers have no passkeys for this site.

    browser: what only this browser has. hidden: further fields. user: whose passkeys will do, None for anybody's.
    """
    if passkeys.find_relying_party(work.site) is None:
        return join_markup(())
    phrases, options = get_phrases(request.language), passkeys.begin_sign_in(work, browser, user)
    form = render_element(
        "form",
        render_element("p", phrases["passkey_failed"], class_="error", role="alert", hidden=True),
        *hidden,
        render_element("input", type="hidden", name=PASSKEY_FIELD, value=""),
        render_button(phrases["passkey_sign_in"]),
        method="post", hidden=True, id="passkey", data_options=orjson.dumps(options).decode(),
    )  # fmt: skip
    return join_markup((form, render_script_element(work.origin, _SCRIPT)))


def build_script_source(request: Request) -> str:
    """Return the folder of scripts that the page's policy names."""
    return f"{request.origin}{SCRIPT_FOLDER}"


def authenticate_form(work: UnitOfWork, request: Request, browser: str) -> User:
    """Return the account of the passkey that a form sent. Raises PasskeyRefused, PasskeysUnavailable."""
    return passkeys.authenticate_by_passkey(work, browser, _read_credential(request))


def _read_credential(request: Request) -> dict[str, Any]:
    text = get_text(request.form, PASSKEY_FIELD)
    try:
        found = orjson.loads(text) if len(text) <= _MAX_LENGTH else None
    except orjson.JSONDecodeError:
        found = None
    if not isinstance(found, dict):
        raise PasskeyRefused
    return found

"""What happens when a reader sends a comment: it is stored and shown, waits, or is refused with its reason.

Not here: the form (pages/comments/comment_form.py), the rules (content/comments/reader_comments.py). Rules:
docs/rules/reader_comments.md, 2 and 3.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from functools import partial
from typing import Any, Final
from urllib.parse import urlencode

from vetrina.access.sign_in.guess_limiter import TooManyGuesses
from vetrina.content.comments import comment_pages, reader_comments
from vetrina.content.comments.model import APPROVED, HOLD
from vetrina.content.comments.moderation import CommentDuplicate, CommentFlood
from vetrina.content.comments.openness import CommentLoginRequired, CommentsClosed
from vetrina.content.comments.reader_comments import CommentParentInvalid
from vetrina.content.comments.rules import (
    CommentAuthorDataRequired,
    CommentContentInvalid,
    CommentFieldTooLong,
    CommentPostInvalid,
)
from vetrina.content.records import permalinks
from vetrina.core.phrases import Phrases
from vetrina.kernel.errors import ApiError
from vetrina.kernel.integers import parse_digits
from vetrina.pages.comments.comment_form import COMMENT_FORM, TRAP_FIELD
from vetrina.pages.forms import RefusedForm, SubmittedForm, redirect_with_notice
from vetrina.pages.page_context import build_redirect
from vetrina.pages.template_page import WAITING_KEY_PARAMETER, WAITING_PARAMETER
from vetrina.rest.call import Response
from vetrina.rest.fields import String

WAITING_NOTICE: Final = "comment-waits"
_PHRASES: Final = Phrases(__package__)
_EMAIL: Final = String(format="email")
_FIELDS: Final = {"author_name": "author", "author_email": "email", "author_url": "url", "content": "comment"}


def handle_comment(sent: SubmittedForm) -> Response | RefusedForm:
    """Store a comment that was sent from a page."""
    faults = _find_faults(sent)
    if faults:
        return RefusedForm(
            COMMENT_FORM,
            _PHRASES.translate(sent.language, "Something is missing or wrong; look at the fields."),
            faults,
        )
    given: dict[str, Any] = {"content": sent.get("comment"), "parent": parse_digits(sent.get("comment_parent")) or 0}
    if not sent.user:
        given |= {"author_name": sent.get("author"), "author_email": sent.get("email"), "author_url": sent.get("url")}
    try:
        with sent.context.open_work(sent.request, sent.user, False) as work:
            of = reader_comments.find_commented_record(work, parse_digits(sent.get("comment_post_ID")) or 0)
            made = reader_comments.create_reader_comment(
                work, of, given, _get_address(sent), sent.request.headers.get("user-agent", ""),
                trapped=bool(sent.get(TRAP_FIELD)),
            )  # fmt: skip
            work.language_for(permalinks.get_shown_language(work, of))
            address = comment_pages.build_comment_url(work, of, made)
            proof = {WAITING_PARAMETER: made.id, WAITING_KEY_PARAMETER: reader_comments.compute_waiting_key(work, made)}
    except ApiError as error:
        return _refuse(sent, error)
    if made.status == APPROVED:
        return build_redirect(address)
    # To the top of the page, where the notice stands.
    address = address.partition("#")[0]
    if made.status == HOLD:
        address += f"{'&' if '?' in address else '?'}{urlencode(proof)}"
    return redirect_with_notice(address, WAITING_NOTICE)


def _find_faults(sent: SubmittedForm) -> Mapping[str, str]:
    """Return what is wrong with the fields, beyond what the site asks of them."""
    faults = {}
    email = sent.get("email")
    if not sent.user and email and _EMAIL.fault(email, "email") is not None:
        faults["email"] = _PHRASES.translate(sent.language, "This is no e-mail address.")
    if not sent.get("comment"):
        faults["comment"] = _PHRASES.translate(sent.language, "Write a comment.")
    return faults


def _refuse(sent: SubmittedForm, error: ApiError) -> RefusedForm:
    """Return the refusal that a reader sees for an error of the rules. Raises the error where it is none of them."""
    translate = partial(_PHRASES.translate, sent.language)
    match error:
        case TooManyGuesses():
            text = translate("You comment too fast. Wait a minute, and send it again.")
            return RefusedForm(COMMENT_FORM, text, status=429, headers=error.headers)
        case CommentFlood():
            text = translate("You comment too fast. Wait some seconds, and send it again.")
            return RefusedForm(COMMENT_FORM, text, status=429)
        case CommentDuplicate():
            return RefusedForm(COMMENT_FORM, translate("You have said that already."), status=409)
        case CommentLoginRequired():
            return RefusedForm(COMMENT_FORM, translate("Sign in to comment."), status=401)
        case CommentsClosed() | CommentPostInvalid():
            return RefusedForm(COMMENT_FORM, translate("There can be no comment here any more."), status=403)
        case CommentParentInvalid():
            text = translate("The comment that you reply to is not there any more.")
            return RefusedForm(COMMENT_FORM, text)
        case CommentAuthorDataRequired():
            needed = translate("This is needed.")
            faults = {name: needed for name in ("author", "email") if not sent.get(name)}
            return RefusedForm(COMMENT_FORM, translate("Write your name and your e-mail address."), faults)
        case CommentContentInvalid():
            return RefusedForm(COMMENT_FORM, "", {"comment": translate("Write a comment.")})
        case CommentFieldTooLong():
            return RefusedForm(COMMENT_FORM, "", {_FIELDS[error.name]: translate("This is too long.")})
    raise error


def _get_address(sent: SubmittedForm) -> str:
    """Return the address of a reader's machine, as the interface stores it."""
    try:
        return str(ipaddress.ip_address(sent.request.remote))
    except ValueError:
        return "127.0.0.1"

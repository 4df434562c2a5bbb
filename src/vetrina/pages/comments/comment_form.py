"""The form by which readers comment, and the links by which they reply to a comment.

It stands on pages that are kept for everybody, so it knows nothing of who visits but their account. A reply is asked
for by an address (`?replytocom=12#respond`); the script `comments` moves the form instead. Not here: what is done with
what is sent (pages/comments/submission.py). Rules: docs/rules/reader_comments.md, 1 and 2.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

from vetrina.content.blocks.block_context import BlockContext
from vetrina.content.comments import openness as comment_openness, reader_comments
from vetrina.content.comments.model import APPROVED, Comment
from vetrina.content.records import permalinks
from vetrina.content.records.model import Record
from vetrina.content.records.passwords import is_password_protected
from vetrina.core.phrases import Phrases
from vetrina.kernel.integers import parse_digits
from vetrina.kernel.site_paths import remove_base_path
from vetrina.pages.forms import (
    get_sent,
    render_form,
    render_hidden,
    render_input,
    render_refusal,
    render_textarea,
    render_trap,
)
from vetrina.pages.markup import Html, render_button, render_element, render_link, trust_markup
from vetrina.pages.page_context import get_text
from vetrina.pages.page_request import PageRequest, strip_markup
from vetrina.pages.sign_in_page import build_sign_in_url

COMMENT_FORM: Final = "comment"
TRAP_FIELD: Final = "comment_subject"  # which nobody sees; programs fill it in
ANSWERED_PARAMETER: Final = "replytocom"
_PHRASES: Final = Phrases(__package__)
_MOST_CHARACTERS: Final = 10_000  # of a comment: more would not fit into what a form may send
_DEPTHS: Final = "comment depths"


def render_form_block(page: PageRequest, place: BlockContext) -> str:
    """Return the block that has the form."""
    record = place.scene.record
    html = render_comment_form(page, record) if record is not None else ""
    return place.element("div", html, "comment-respond") if html else ""


def render_comment_form(page: PageRequest, record: Record) -> Html:
    """Return the form of a record, or where one signs in for it; where nobody may comment, why one was refused."""
    if not is_open_to_readers(page, record):
        return trust_markup(render_refusal(page, COMMENT_FORM))
    if reader_comments.needs_account(page.work):
        link = render_link(_build_sign_in_url(page, record), _PHRASES.translate(page.language, "Sign in"))
        text = _PHRASES.translate(page.language, "to leave a comment.")
        return _render_respond(page, render_element("p", link, " ", text, class_="must-log-in"))
    answered = _find_answered(page, record)
    post = render_button(_PHRASES.translate(page.language, "Post comment"), class_="wp-element-button")
    form = render_form(
        page, COMMENT_FORM, render_refusal(page, COMMENT_FORM), *_render_author_fields(page),
        render_textarea(
            page, COMMENT_FORM, "comment", _PHRASES.translate(page.language, "Comment"), rows=8,
            maxlength=_MOST_CHARACTERS, required=True,
        ),
        render_trap(page, COMMENT_FORM, TRAP_FIELD),
        render_hidden("comment_post_ID", record.id),
        render_hidden("comment_parent", answered.id if answered is not None else 0),
        render_element("p", post),
        kept=True, class_="comment-form", id="commentform",
    )  # fmt: skip
    return _render_respond(page, form, answered=answered, address=_build_address(page, record))


def render_reply_block(page: PageRequest, place: BlockContext) -> str:
    """Return the block that has the link to reply to a comment."""
    comment, record = place.scene.comment, place.scene.record
    html = render_reply_link(page, record, comment) if comment is not None and record is not None else ""
    return place.element("div", html) if html else ""


def render_reply_link(page: PageRequest, record: Record, comment: Comment) -> Html:
    """Return the link to reply to a comment, empty where nobody may. Comments come in the order of their threads."""
    work = page.work
    if not work.option("thread_comments") or not is_open_to_readers(page, record) or comment.status != APPROVED:
        return Html("")
    depths: dict[int, int] = work.lookups.setdefault(_DEPTHS, {})
    depth = depths[comment.id] = depths.get(comment.parent, 0) + 1
    if depth >= int(work.option("thread_comments_depth") or 1):
        return Html("")
    name = _get_author_name(page, comment)
    if reader_comments.needs_account(work):
        text = _PHRASES.translate(page.language, "Sign in to reply")
        return render_link(_build_sign_in_url(page, record), text, rel="nofollow", class_="comment-reply-login")
    page.state.scripts["comments"] = None
    label = _PHRASES.translate(page.language, "Reply to {name}", name=name)
    return render_link(
        f"{_add_query(_build_address(page, record), comment.id)}#respond", _PHRASES.translate(page.language, "Reply"),
        rel="nofollow", class_="comment-reply-link", aria_label=label, data_reply=comment.id,
        data_title=_PHRASES.translate(page.language, "Leave a reply to {name}", name=name),
    )  # fmt: skip


def is_open_to_readers(page: PageRequest, record: Record) -> bool:
    """Return whether a page asks for comments on a record; who needs an account for it is asked for that."""
    work = page.work
    type = work.site.types.get(record.type)
    if type is None or not type.public or record.status != "publish" or is_password_protected(record):
        return False
    work.uses_items(type.name, (record.id,))
    if comment_openness.get_comment_days(work, record) is not None:
        # It closes by itself, without any change.
        work.mark_time_dependent()
    return comment_openness.takes_comments(work, record)


def _render_respond(page: PageRequest, *inside: str, answered: Comment | None = None, address: str = "") -> Html:
    title = _PHRASES.translate(page.language, "Leave a comment")
    shown = title
    if answered is not None:
        shown = _PHRASES.translate(page.language, "Leave a reply to {name}", name=_get_author_name(page, answered))
    cancel: list[str] = []
    if address:
        text = _PHRASES.translate(page.language, "Cancel reply")
        link = render_link(
            f"{address}#respond", text, rel="nofollow", id="cancel-comment-reply-link", hidden=answered is None
        )
        cancel = [render_element("p", link)]
    heading = render_element("h2", shown, id="reply-title", class_="comment-reply-title", data_title=title)
    return render_element("div", heading, *cancel, *inside, id="respond", class_="comment-respond", tabindex="-1")


def _render_author_fields(page: PageRequest) -> list[Html]:
    """Return the fields of a reader without an account, and who another one is."""
    language = page.language
    if page.session is not None:
        name = _PHRASES.translate(language, "You are signed in as {name}.", name=page.user.name)
        leave = render_link(f"{page.work.origin}/admin/sign-out", _PHRASES.translate(language, "Sign out"))
        return [render_element("p", name, " ", leave, class_="logged-in-as")]
    required = bool(page.work.option("require_name_email"))
    return [
        render_element("p", _PHRASES.translate(language, "Your e-mail address is not shown.")),
        render_input(
            page, COMMENT_FORM, "author", _PHRASES.translate(language, "Name"), maxlength=245, autocomplete="name",
            required=required,
        ),
        render_input(
            page, COMMENT_FORM, "email", _PHRASES.translate(language, "E-mail"), type="email", maxlength=100,
            autocomplete="email", required=required,
        ),
        render_input(
            page, COMMENT_FORM, "url", _PHRASES.translate(language, "Website"), type="url", maxlength=200,
            autocomplete="url",
        ),
    ]  # fmt: skip


def _find_answered(page: PageRequest, record: Record) -> Comment | None:
    """Return the comment that the address, or the refused form, replies to."""
    if not page.work.option("thread_comments"):
        return None
    asked = get_sent(page, COMMENT_FORM, "comment_parent") or get_text(page.request.query, ANSWERED_PARAMETER)
    return reader_comments.find_answered_comment(page.work, record, parse_digits(asked) or 0)


def _get_author_name(page: PageRequest, comment: Comment) -> str:
    return strip_markup(comment.author_name) or _PHRASES.translate(page.language, "Anonymous")


def _build_address(page: PageRequest, record: Record) -> str:
    return permalinks.build_permalink(page.work, page.work.site.types[record.type], record)


def _build_sign_in_url(page: PageRequest, record: Record) -> str:
    parts = urlsplit(_build_address(page, record))
    path = remove_base_path(page.work.base_path, parts.path)
    back = f"{path}?{parts.query}#respond" if parts.query else f"{path}#respond"
    return f"{page.work.origin}{build_sign_in_url('admin', back)}"


def _add_query(address: str, id: int) -> str:
    return f"{address}{'&' if '?' in address else '?'}{ANSWERED_PARAMETER}={id}"

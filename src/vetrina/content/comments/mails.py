"""Mails about new comments: to those who moderate them, and to the author of what they are on.

A mail is enqueued in the transaction that stores the comment, and sent by a background job: to the SMTP server of the
settings, or into the site's folder `outbox`. Options: `moderation_notify`, `comments_notify`. Rules:
docs/rules/reader_comments.md, 5.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from vetrina.access.users import rules as users
from vetrina.backends import job_queue, mail
from vetrina.content.comments import comment_pages, model as comment_model
from vetrina.content.comments.model import APPROVED, HOLD, Comment
from vetrina.content.records import model as record_model, permalinks
from vetrina.content.records.model import Record
from vetrina.content.seo.computed import to_plain_text
from vetrina.core.text_catalog import TextCatalog
from vetrina.core.unit_of_work import UnitOfWork

COMMENT_MAIL_JOB: Final = "content.comment_mail"  # the job that sends one mail
OUTBOX_FOLDER: Final = "outbox"  # folder of unsent mail in the site's folder, if there is no mail server
_SCREEN: Final = "/admin/records/comments"

COMMENT_MAIL_TEXTS: Final = TextCatalog(
    __package__,
    {
        "comment_waiting.subject": "{site}: a comment on “{title}” awaits moderation",
        "comment_waiting.text": "{name} wrote a comment on “{title}”, which nobody sees until it is approved:\n\n"
        "{comment}\n\nThe page: {address}\nAuthor: {author}\n\nApprove it, or throw it away:\n{screen}\n",
        "comment_new.subject": "{site}: a new comment on “{title}”",
        "comment_new.text": "{name} wrote a comment on your “{title}”:\n\n{comment}\n\n"
        "Read it on the page: {address}\nAuthor: {author}\n\nAll comments:\n{screen}\n",
    },
)


def enqueue_comment_mails(work: UnitOfWork, of: Record, new: Comment) -> None:
    """Enqueue the mails that a new comment is worth: none for spam, nor to who wrote it."""
    recipients: list[int] = []  # accounts, 0 for the address of the site
    author = users.find_user(work.tx, of.author) if of.author else None
    if new.status == HOLD and work.option("moderation_notify"):
        recipients.append(0)
        if author is not None and author.can("moderate_comments"):
            recipients.append(author.id)
    if new.status == APPROVED and work.option("comments_notify") and author is not None and author.id != new.author:
        recipients.append(author.id)
    for to in recipients:
        arguments = {"comment": new.id, "to": to, "at": work.now, "language": _get_language(work)}
        job_queue.enqueue_job(work.tx, COMMENT_MAIL_JOB, arguments, due=work.now, now=work.now)


def prepare_comment_mail(work: UnitOfWork, arguments: Mapping[str, Any]) -> Callable[[], None] | None:
    """Return the call that sends a mail about a comment, None where it is neither waiting nor shown any more.

    The call raises MailNotSent.
    """
    one = comment_model.STORE.find(work.tx, arguments["comment"])
    of = record_model.find_record(work.tx, one.post) if one is not None else None
    to = _find_address(work, arguments["to"])
    if one is None or of is None or not to or one.status not in (APPROVED, HOLD):
        return None
    site, kind = work.site, "comment_waiting" if one.status == HOLD else "comment_new"
    say = COMMENT_MAIL_TEXTS.build_translator(site.folder, arguments["language"])
    work.language_for(permalinks.get_shown_language(work, of))
    name = to_plain_text(one.author_name)  # it is stored as markup
    values = {
        "site": str(work.option("title")),
        "title": to_plain_text(of.title_html) or f"#{of.id}",
        "name": name or "?",
        "author": " · ".join(filter(None, (name, one.author_email, one.author_url, one.author_ip))),
        "comment": one.content,
        "address": comment_pages.build_comment_url(work, of, one),
        "screen": f"{work.origin}{_SCREEN}",
    }
    id = f"comment-{one.id}-{arguments['to']}-{arguments['at']}"
    message = mail.compose_message(
        sender=site.settings.mail_from or str(work.option("email")) or "site@localhost", recipients=[to],
        subject=say(f"{kind}.subject", **values), text=say(f"{kind}.text", **values),
        name=values["site"], at=arguments["at"], id=id,
    )  # fmt: skip
    return lambda: mail.send_message(message, site.settings.smtp_url, site.folder / OUTBOX_FOLDER, id)


def _find_address(work: UnitOfWork, to: int) -> str:
    """Return the address of an account, or that of the site; empty for none."""
    if not to:
        return str(work.option("email"))
    user = users.find_user(work.tx, to)
    return user.email if user is not None else ""


def _get_language(work: UnitOfWork) -> str:
    """Return the language in which those who run the site are written to."""
    return str(work.raw_option("language")).replace("_", "-").lower() or work.site.profile.default_language

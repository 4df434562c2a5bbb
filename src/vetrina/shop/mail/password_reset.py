"""External task of a password reset on a site with a shop: it sends the shop's own mail.

New customers who choose their password later get the link in the mail that welcomes them. The link of customers leads
to the page of accounts, that of other people to the site's own page. It replaces the plain mail
(access/passwords/reset_mail.py), which is sent where the shop's mail is disabled. The mail has no row in the outbox,
since the key in it must not be stored (access/passwords/reset.py). Rules: docs/rules/account_pages.md, 2 and 3.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from vetrina.access.passwords import reset as password_reset, reset_mail
from vetrina.access.passwords.reset import LinkOccasion, PasswordResetLink
from vetrina.access.roles.capabilities import may_change_site
from vetrina.backends import mail as post
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.customers import account_endpoints
from vetrina.shop.mail import appearance, mails, outbox, rendering as mail_rendering

_RESET_MAIL: Final = mails.MAIL_TYPES_BY_ID["customer_reset_password"]
_WELCOME_MAIL: Final = mails.MAIL_TYPES_BY_ID["customer_new_account"]


def send_reset_mail(work: UnitOfWork, arguments: Mapping[str, Any]) -> Callable[[], PasswordResetLink] | None:
    """Return the call that sends the mail and returns its link; None where no mail is due.

    The call raises MailNotSent.
    """
    occasion = arguments.get("occasion", LinkOccasion.LOST)
    welcomes = occasion == LinkOccasion.NEW_ACCOUNT and outbox.is_mail_enabled(work, _WELCOME_MAIL)
    type = _WELCOME_MAIL if welcomes else _RESET_MAIL
    if not outbox.is_mail_enabled(work, type):
        return reset_mail.prepare_reset_mail(work, arguments)
    link = password_reset.build_reset_link(work, arguments)
    if link is None:
        return None
    site, user, language = work.site, link.user, arguments["language"]
    link = link._replace(address=_build_customer_address(work, link, language) or link.address)
    written = mail_rendering.render_mail(
        work, type.id, user.id, {"address": link.address, "occasion": occasion}, language
    )
    if written is None:
        return None
    sender, name = appearance.get_sender(work)
    id = f"new-password-{user.id}-{work.now}"
    # Shops have copies of what welcomes customers sent to themselves; the link is for the customer alone.
    cc, bcc = ((), ()) if welcomes else (written.cc, written.bcc)
    message = post.compose_message(
        sender=sender, recipients=[user.email], subject=written.subject, text=written.text, html=written.html,
        cc=cc, bcc=bcc, name=name, at=work.now, id=id,
    )  # fmt: skip

    def send() -> PasswordResetLink:
        post.send_message(message, site.settings.smtp_url, site.folder / reset_mail.OUTBOX_FOLDER, id)
        return link

    return send


def _build_customer_address(work: UnitOfWork, link: PasswordResetLink, language: str) -> str:
    """Return where a customer chooses a new password on the page of accounts; empty for other people, or without it."""
    if may_change_site(link.user):
        return ""
    work.language_for(language)
    page = account_endpoints.build_account_url(work, account_endpoints.PASSWORD_RESET)
    return f"{page}?{urlsplit(link.address).query}" if page else ""

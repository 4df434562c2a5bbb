"""The mails that tell the owner of an account what happened to it: when, from where, by which device, and what to do.

When they are due: access/notices/rules.py. Rules: docs/rules/account_notices.md, 4.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from vetrina.access.notices.devices import describe_agent
from vetrina.access.passwords.reset_mail import OUTBOX_FOLDER
from vetrina.access.users import rules as users
from vetrina.backends import mail
from vetrina.core.text_catalog import TextCatalog
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.date_format import format_date

ACCOUNT_NOTICE_TEXTS: Final = TextCatalog(
    __package__,
    {
        "account_notice.hello": "Hello {name},",
        "account_notice.where": "Time: {time}\nAddress: {address}\nDevice: {device}",
        "account_notice.unknown_device": "unknown",
        "account_notice.by_other": "Time: {time}\nIt was done by somebody who manages the accounts of this site.",
        "account_notice.what_to_do": "If it was you, there is nothing to do. If it was not, choose a new password at "
        "once: it ends every session of the account.\n\n{link}",
        "account_notice.ask": "If you did not expect this, write to whoever runs the site.",
        "new_device.subject": "{site}: a sign-in from a new device",
        "new_device.text": "somebody signed in to the account {login} on {site} from a device that was not used for it "
        "before.",
        "password_changed.subject": "{site}: your password was changed",
        "password_changed.text": "the password of the account {login} on {site} was changed.",
        "email_changed.subject": "{site}: your mail address was changed",
        "email_changed.text": "the account {login} on {site} has another mail address now. Mails about it do not come "
        "to this address any more.",
        "app_password_made.subject": "{site}: a new application password",
        "app_password_made.text": "a password for the application “{detail}” was made for the account {login} on "
        "{site}. With it a program can act in your name.",
        "identity_connected.subject": "{site}: {detail} was connected",
        "identity_connected.text": "an account at {detail} was connected with the account {login} on {site} and can "
        "sign in to it from now on.",
        "second_factor_changed.subject": "{site}: what is asked for beside your password was changed",
        "second_factor_changed.text": "one-time codes or a passkey were added to the account {login} on {site}, or "
        "removed from it.",
    },
)
_TEXTS: Final = {
    "new_device": "new_device",
    "password": "password_changed",
    "email": "email_changed",
    "app_password": "app_password_made",
    "identity": "identity_connected",
    "second_factor": "second_factor_changed",
}


def prepare_account_notice(work: UnitOfWork, arguments: Mapping[str, Any]) -> Callable[[], None] | None:
    """Return the function that sends a mail, None if the account is gone. It raises MailNotSent."""
    user = users.find_user(work.tx, arguments["account"])
    to = arguments["to"] or (user.email if user is not None else "")
    if user is None or not to:
        return None
    site, at, title = work.site, arguments["at"], str(work.option("title"))
    say = ACCOUNT_NOTICE_TEXTS.build_translator(site.folder, arguments["language"])
    name = _TEXTS[arguments["notice"]]
    values = {"site": title, "login": user.login, "detail": arguments["detail"]}
    time = _format_time(work, at, arguments["language"])
    if arguments["by_owner"]:
        device = describe_agent(arguments["agent"]) or say("account_notice.unknown_device")
        where = say("account_notice.where", time=time, address=arguments["address"], device=device)
    else:
        where = say("account_notice.by_other", time=time)
    # Whose address was taken away cannot get a new password by mail.
    can_reset = arguments["notice"] != "email" and arguments["by_owner"]
    link = f"{work.origin}/admin/lost-password"
    parts = (
        say("account_notice.hello", name=user.name),
        say(f"{name}.text", **values),
        where,
        say("account_notice.what_to_do", link=link) if can_reset else say("account_notice.ask"),
    )
    file = f"account-notice-{arguments['notice']}-{user.id}-{at}-{arguments['id']}"
    message = mail.compose_message(
        sender=site.settings.mail_from or str(work.option("email")) or "site@localhost", recipients=[to],
        subject=say(f"{name}.subject", **values), text="\n\n".join(parts) + "\n", name=title, at=work.now, id=file,
    )  # fmt: skip
    return lambda: mail.send_message(message, site.settings.smtp_url, site.folder / OUTBOX_FOLDER, file)


def _format_time(work: UnitOfWork, at: int, language: str) -> str:
    """Return an instant in the site's zone and format, with the zone's name."""
    pattern = f"{work.option('date_format')}, {work.option('time_format')}"
    local = work.zone.to_local(at)
    return f"{format_date(pattern, local, local - at, language)} ({work.zone.name})"

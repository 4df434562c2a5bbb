"""Which mail about an account says what; the external task that sends them. Rules: docs/rules/registration.md, 6."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from vetrina.access.account_mails import sending
from vetrina.access.account_mails.sending import AccountMail
from vetrina.access.own_account import address_mails
from vetrina.access.personal_data import mails as personal_data_mails
from vetrina.access.registration import mails as registration_mails
from vetrina.core.background_work import ExternalTask
from vetrina.core.unit_of_work import UnitOfWork

# By the name of the mail: (unit of work, id of what it is about) → what it says, None where it is not due any more.
_MAILS: Final[Mapping[str, Callable[[UnitOfWork, Any], AccountMail | None]]] = {
    **registration_mails.MAILS,
    **address_mails.MAILS,
    **personal_data_mails.MAILS,
}


def _prepare_mail(work: UnitOfWork, arguments: Mapping[str, Any]) -> Callable[[], AccountMail] | None:
    one = _MAILS[arguments["mail"]](work, arguments["id"])
    if one is None:
        return None
    send_message = sending.prepare_message(work, one, arguments["language"], sending.build_message_name(arguments))

    def send() -> AccountMail:
        send_message()
        return one

    return send


def _save_mail(work: UnitOfWork, arguments: Mapping[str, Any], sent: AccountMail) -> None:
    if sent.save is not None:
        sent.save(work, sent.digest)


ACCOUNT_MAIL_TASK: Final = ExternalTask(_prepare_mail, _save_mail)

"""The texts of the mails about accounts, in English; other languages: the folder `catalogs` beside this file."""

from __future__ import annotations

from typing import Final

from vetrina.core.text_catalog import TextCatalog

_GREETING: Final = "Hello,\n\n"
_NOT_YOU: Final = "If it was not you, do nothing.\n"

ACCOUNT_MAIL_TEXTS: Final = TextCatalog(
    __package__,
    {
        "registration_confirm.subject": "{site}: confirm your account",
        "registration_confirm.text": _GREETING
        + "somebody wants to make an account on {site} with the address {email}.\nConfirm it here, within a day:\n\n"
        + "{address}\n\n"
        + _NOT_YOU,
        "registration_welcome.subject": "{site}: your account",
        "registration_welcome.text": _GREETING
        + "an account was made on {site} with the address {email}. Your user name is {login}.\n"
        + "Prove that you read this address, within a day:\n\n{address}\n\n"
        + _NOT_YOU,
        "registration_exists.subject": "{site}: you have an account already",
        "registration_exists.text": _GREETING
        + "somebody wanted to make an account on {site} with the address {email}. You have one already: {login}.\n"
        + "Did you forget the password? Ask for a new one here:\n\n{address}\n\n"
        + _NOT_YOU,
        "email_new.subject": "{site}: confirm your new address",
        "email_new.text": _GREETING
        + "the account {login} on {site} is to have the address {email}.\nConfirm it here, within a day:\n\n"
        + "{address}\n\n"
        + _NOT_YOU,
        "email_old.subject": "{site}: your account is to get another address",
        "email_old.text": _GREETING
        + "the account {login} on {site} is to have the address {email} in place of this one.\n"
        + "Nothing changes before both addresses agree. Agree or refuse here, within a day:\n\n{address}\n\n"
        + "If it was not you, refuse, and choose a new password.\n",
        "email_taken.subject": "{site}: your address was given for another account",
        "email_taken.text": _GREETING
        + "somebody wanted to give the address {email} to another account on {site}. It belongs to yours, {login},\n"
        + "and nothing changes.\n",
        "closing.subject": "{site}: your account is about to be closed",
        "closing.text": _GREETING
        + "the account {login} on {site} will be closed on {date}, and your personal data erased.\n"
        + "Until then you can sign in and keep it.\n\n"
        + "If it was not you, sign in, keep it, and choose a new password.\n",
        "request_export.subject": "{site}: confirm that you want a copy of your data",
        "request_export.text": _GREETING
        + "a copy of what {site} has stored about {email} was asked for.\nConfirm it here, within a day:\n\n"
        + "{address}\n\n"
        + _NOT_YOU,
        "request_erasure.subject": "{site}: confirm that your data is to be erased",
        "request_erasure.text": _GREETING
        + "the erasure of what {site} has stored about {email} was asked for.\nConfirm it here, within a day:\n\n"
        + "{address}\n\n"
        + _NOT_YOU,
        "export_ready.subject": "{site}: the copy of your data",
        "export_ready.text": _GREETING
        + "the copy of what {site} has stored about {email} is ready. Fetch it here until {date}:\n\n{address}\n",
        "erased.subject": "{site}: your data is erased",
        "erased.text": _GREETING
        + "what {site} had stored about {email} is erased now, but for what the law or the accounts need.\n"
        + "This is the last mail.\n",
    },
)

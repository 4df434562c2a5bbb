"""The mails of requests about personal data.

Rules: docs/rules/registration.md, 6 and docs/rules/personal_data.md, 2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from vetrina.access.account_mails import sending
from vetrina.access.account_mails.sending import AccountMail
from vetrina.access.personal_data import store
from vetrina.access.personal_data.model import PersonalDataRequest, RequestState
from vetrina.access.personal_data.rules import compute_request_digest
from vetrina.access.users import rules as users
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.times import format_iso


def _prepare_question(name: str, work: UnitOfWork, id: str) -> AccountMail | None:
    one = store.STORE.find(work.tx, id)
    if one is None or one.state != RequestState.UNCONFIRMED:
        return None
    key = sending.generate_mail_key()
    return AccountMail(
        name, one.email, {"address": sending.build_link(work, "confirm-personal-data", request=id, key=key)},
        compute_request_digest(work.site, id, "confirm", key),
        lambda work, digest: store.save_digest(work.tx, "digest", id, digest),
    )  # fmt: skip


def _prepare_closing(work: UnitOfWork, id: str) -> AccountMail | None:
    one = store.STORE.find(work.tx, id)
    user = users.find_user(work.tx, one.account) if one is not None else None
    if one is None or user is None or one.state != RequestState.CONFIRMED:
        return None
    return AccountMail("closing", user.email, {"login": user.login, "date": _format_day(work, one.due)})


def _prepare_copy(work: UnitOfWork, id: str) -> AccountMail | None:
    one = store.STORE.find(work.tx, id)
    if one is None or one.state != RequestState.DONE or not one.email:
        return None
    key = sending.generate_mail_key()
    values = {
        "address": sending.build_link(work, "personal-data", request=id, key=key),
        "date": _format_day(work, one.until),
    }
    user = users.find_user(work.tx, one.account) if one.account else None
    # The address may have been given up since it asked.
    to = user.email if user is not None else one.email
    return AccountMail(
        "export_ready", to, values, compute_request_digest(work.site, id, "file", key),
        lambda work, digest: store.save_digest(work.tx, "file_digest", id, digest),
    )  # fmt: skip


def build_farewell(one: PersonalDataRequest) -> AccountMail:
    """Return the last mail to a person; it is sent before the address is erased."""
    return AccountMail("erased", one.email, {})


def _format_day(work: UnitOfWork, at: int | None) -> str:
    return format_iso(work.zone.to_local(at or work.now)).partition("T")[0]


MAILS: Final[Mapping[str, Callable[[UnitOfWork, Any], AccountMail | None]]] = {
    "request_export": partial(_prepare_question, "request_export"),
    "request_erasure": partial(_prepare_question, "request_erasure"),
    "closing": _prepare_closing,
    "export_ready": _prepare_copy,
}

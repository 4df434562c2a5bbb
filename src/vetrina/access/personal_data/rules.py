"""Requests about personal data: who may ask, how a request is confirmed, when it is done, who fetches the copy.

Closing an account is a request for its erasure that its password confirms. What is done: access/personal_data/export.py
and access/personal_data/erasure.py. Rules: docs/rules/personal_data.md, 1 and 2.
"""

from __future__ import annotations

from typing import Final

import msgspec

from vetrina.access.account_mails.sending import KEY_SECONDS, enqueue_account_mail
from vetrina.access.personal_data import store
from vetrina.access.personal_data.model import (
    ManagersStay,
    NoClosing,
    NoPersonalDataFile,
    PersonalDataLinkOver,
    PersonalDataRequest,
    PersonalDataRequestNotFound,
    PersonalDataRequestOver,
    RequestKind,
    RequestState,
)
from vetrina.access.registration.confirmed_emails import confirm_email
from vetrina.access.sign_in import guess_limiter
from vetrina.access.sign_in.guess_limiter import SecretKind
from vetrina.access.users import rules as users
from vetrina.backends import job_queue
from vetrina.core.change_source import Told
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.kernel.keys import compute_digest, generate_uuid

EXPORT_JOB: Final = "access.export_personal_data"
ERASURE_JOB: Final = "access.erase_personal_data"
MANAGE_CAPABILITY: Final = "delete_users"  # capability of those who handle the requests of others
_JOBS: Final = {RequestKind.EXPORT.value: EXPORT_JOB, RequestKind.ERASURE.value: ERASURE_JOB}
_MOST_UNCONFIRMED: Final = 3  # requests about one address that wait for its owner at once; further ones send no mail
_DAY_SECONDS: Final = 24 * 3600  # seconds
_KEPT_SECONDS: Final = 30 * _DAY_SECONDS  # seconds that a request which is over stays in the list


def may_manage_requests(user: User) -> bool:
    """Return whether somebody handles the requests of others."""
    return user.can(MANAGE_CAPABILITY)


def create_request(work: UnitOfWork, kind: str, email: str) -> PersonalDataRequest:
    """Store a request about the data of who has an address, who is told by mail how to confirm it.

    Whether anything is stored about the address changes nothing of the answer. Raises ManagersStay, TooManyGuesses.
    """
    email = email.strip()
    if not may_manage_requests(work.user) and work.guesses is not None:
        keys = work.guesses.build_keys(SecretKind.PERSONAL_DATA, email.lower())
        work.guesses.require(work.tx, SecretKind.PERSONAL_DATA, keys)
        work.guesses.add_wrong_guess(keys, f"{kind} {email} {work.now}")
    holder = users.find_user_by_email(work.tx, email)
    one = _insert_request(work, kind, email, holder.id if holder is not None else 0)
    if store.count_unconfirmed(work.tx, one.email_key, work.now) <= _MOST_UNCONFIRMED:
        enqueue_account_mail(work, f"request_{kind}", one.id)
    return one


def find_request(work: UnitOfWork, id: str) -> PersonalDataRequest | None:
    """Return a request, None for none that the caller may see."""
    work.forbid_storing()
    found = store.STORE.find(work.tx, id)
    user = work.user
    if found is None or may_manage_requests(user):
        return found
    return found if user and found.account == user.id else None


def get_request(work: UnitOfWork, id: str) -> PersonalDataRequest:
    """Return a request that the caller may see. Raises PersonalDataRequestNotFound."""
    found = find_request(work, id)
    if found is None:
        raise PersonalDataRequestNotFound
    return found


def confirm_by_key(work: UnitOfWork, id: str, key: str) -> PersonalDataRequest:
    """Confirm a request by the key in its mail. Raises PersonalDataLinkOver, ManagersStay, TooManyGuesses."""
    one = store.STORE.find(work.tx, id)
    stored = one.digest if one is not None and _is_open(work, one) else ""
    if not _is_key(work, id, "confirm", key, stored) or one is None:
        raise PersonalDataLinkOver
    return _confirm_proven_request(work, one)


def confirm_in_place(work: UnitOfWork, one: PersonalDataRequest) -> PersonalDataRequest:
    """Confirm a request for the person, who proved to somebody who may that it is theirs.

    Raises PersonalDataRequestOver, ManagersStay.
    """
    if one.state != RequestState.UNCONFIRMED:
        raise PersonalDataRequestOver(state=one.state)
    return _confirm_proven_request(work, one)


def withdraw_request(work: UnitOfWork, one: PersonalDataRequest) -> PersonalDataRequest:
    """Withdraw a request that is not done yet. Raises PersonalDataRequestOver."""
    if one.state not in (RequestState.UNCONFIRMED, RequestState.CONFIRMED):
        raise PersonalDataRequestOver(state=one.state)
    return _save(work, one, state=RequestState.WITHDRAWN.value, due=None, digest="", until=work.now + _KEPT_SECONDS)


def close_account(work: UnitOfWork, user: User) -> PersonalDataRequest:
    """Let an account be erased after some days; its owner was proved. Raises ManagersStay."""
    found = store.find_closing(work.tx, user.id)
    if found is not None:
        return found
    return _confirm_request(work, _insert_request(work, RequestKind.ERASURE.value, user.email, user.id))


def get_closing(work: UnitOfWork, user: User) -> PersonalDataRequest:
    """Return the request by which an account will be closed. Raises NoClosing."""
    work.forbid_storing()
    found = store.find_closing(work.tx, user.id)
    if found is None:
        raise NoClosing
    return found


def read_file(work: UnitOfWork, id: str, key: str) -> bytes:
    """Return the copy of somebody's data: for its owner, those who handle requests, and who has the key of its mail.

    Raises PersonalDataRequestNotFound, PersonalDataLinkOver, NoPersonalDataFile, TooManyGuesses.
    """
    work.forbid_storing()
    one = find_request(work, id)
    if one is None:
        if not key:
            raise PersonalDataRequestNotFound
        one = store.STORE.find(work.tx, id)
        stored = one.file_digest if one is not None and one.until > work.now else ""
        if not _is_key(work, id, "file", key, stored) or one is None:
            raise PersonalDataLinkOver
    content = store.read_file(work.tx, id) if one.until > work.now else None
    if content is None:
        raise NoPersonalDataFile
    return content


def finish_request(work: UnitOfWork, one: PersonalDataRequest, *, erased: bool = False) -> PersonalDataRequest:
    """Mark a request as done. erased: the person is gone, so that nothing of them stays in it."""
    gone = {"email": "", "email_key": "", "account": 0} if erased else {}
    days = work.site.profile.accounts.export_days
    until = work.now + (_KEPT_SECONDS if erased else days * _DAY_SECONDS)
    return _save(work, one, state=RequestState.DONE.value, finished=work.now, digest="", until=until, **gone)


def compute_request_digest(site: SiteContext, id: str, purpose: str, key: str) -> str:
    """Return the stored digest of a key of a request. purpose: confirm, file."""
    return compute_digest(site.settings.secret, f"personal data\n{id}\n{purpose}\n{key}")


def delete_expired_requests(work: UnitOfWork) -> None:
    """Delete the requests whose time has run out, with the copies (periodic job)."""
    store.delete_expired(work.tx, work.now)


def _insert_request(work: UnitOfWork, kind: str, email: str, account: int) -> PersonalDataRequest:
    one = PersonalDataRequest(
        generate_uuid(), kind, RequestState.UNCONFIRMED.value, email, email.lower(), account, work.language, "", "",
        work.now, None, None, None, work.now + KEY_SECONDS,
    )  # fmt: skip
    store.STORE.insert(work.tx, one)
    work.note("personal_data_request", one.id, "created")
    members = {"kind": Told(None, kind), "account": Told(None, account)}
    work.describe("personal_data_request", one.id, members=members)
    return one


def _confirm_proven_request(work: UnitOfWork, one: PersonalDataRequest) -> PersonalDataRequest:
    """Confirm a request whose person has proved to read the address."""
    done = _confirm_request(work, one)
    holder = users.find_user(work.tx, done.account, work.site.roles) if done.account else None
    if holder is not None and holder.email.lower() == done.email_key:
        confirm_email(work, holder)
    return done


def _confirm_request(work: UnitOfWork, one: PersonalDataRequest) -> PersonalDataRequest:
    """Let a request be done: a copy and the erasure of a person without an account at once, an account after some days.

    The account is looked for again: it may have come to be since.
    """
    added = work.site.roles
    holder = (
        users.find_user(work.tx, one.account, added) if one.account
        else users.find_user_by_email(work.tx, one.email, added)
    )  # fmt: skip
    erases = one.kind == RequestKind.ERASURE
    if erases and holder is not None and may_manage_requests(holder):
        raise ManagersStay
    wait = work.site.profile.accounts.closing_days * _DAY_SECONDS if erases and holder is not None else 0
    due = work.now + wait
    done = _save(
        work, one, state=RequestState.CONFIRMED.value, confirmed=work.now, due=due, digest="",
        account=holder.id if holder is not None else 0, until=due + _KEPT_SECONDS,
    )  # fmt: skip
    job_queue.enqueue_job(
        work.tx, _JOBS[one.kind], {"request": one.id}, due=due, now=work.now, key=f"personal_data.{one.id}"
    )
    if erases and holder is not None and holder.email:
        enqueue_account_mail(work, "closing", one.id, one.language)
    return done


def _is_open(work: UnitOfWork, one: PersonalDataRequest) -> bool:
    """Return whether the link of a request holds: its account has the address still that the link was sent to."""
    if one.state != RequestState.UNCONFIRMED or one.until <= work.now:
        return False
    holder = users.find_user(work.tx, one.account) if one.account else None
    return not one.account or (holder is not None and holder.email.lower() == one.email_key)


def _is_key(work: UnitOfWork, id: str, purpose: str, key: str, stored: str) -> bool:
    given = compute_request_digest(work.site, id, purpose, key)
    return guess_limiter.matches_secret(work, SecretKind.PERSONAL_DATA_KEY, id, given, stored)


def _save(work: UnitOfWork, one: PersonalDataRequest, **changes: object) -> PersonalDataRequest:
    new = msgspec.structs.replace(one, **changes)
    store.STORE.update(work.tx, one, new)
    work.note("personal_data_request", one.id, "changed")
    work.describe("personal_data_request", one.id, members={"state": Told(one.state, new.state)})
    return new

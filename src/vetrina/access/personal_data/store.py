"""Statements on requests about personal data, and on the files that exports wrote."""

from __future__ import annotations

from typing import Final

from sqlalchemy import and_, bindparam, delete, func, insert, null, select, update

from vetrina.access.passwords.reset import LOST_PASSWORD_JOB
from vetrina.access.personal_data.model import PersonalDataRequest, RequestKind, RequestState
from vetrina.backends.database import Statement, Transaction
from vetrina.backends.statement_cache import build_text_pattern
from vetrina.backends.store import Store
from vetrina.backends.tables.change_log import change
from vetrina.backends.tables.jobs import job
from vetrina.backends.tables.registration import (
    personal_data_file as file_table,
    personal_data_request as table,
    registration,
)

STORE: Final = Store(table, PersonalDataRequest)
_ORDER: Final = (table.c.created.desc(), table.c.id)
_LIST_ALL = Statement(select(*STORE.columns).order_by(*_ORDER).limit(bindparam("limit")).offset(bindparam("offset")))
_COUNT_ALL = Statement(select(func.count()).select_from(table))
_LIST_OWN = Statement(
    select(*STORE.columns)
    .where(table.c.account == bindparam("account"))
    .order_by(*_ORDER)
    .limit(bindparam("limit"))
    .offset(bindparam("offset"))
)
_COUNT_OWN = Statement(select(func.count()).where(table.c.account == bindparam("account")))
_COUNT_WAITING = Statement(
    select(func.count()).where(
        table.c.email_key == bindparam("key"), table.c.state == RequestState.UNCONFIRMED.value,
        table.c.until > bindparam("now"),
    )
)  # fmt: skip
_CLOSING = Statement(
    select(*STORE.columns).where(
        table.c.account == bindparam("account"), table.c.kind == RequestKind.ERASURE.value,
        table.c.state == RequestState.CONFIRMED.value,
    )
)  # fmt: skip
_DELETE_EXPIRED = Statement(
    delete(table).where(
        table.c.until <= bindparam("now"),
        table.c.state != RequestState.CONFIRMED.value,
    )
)
_OF_PERSON = (table.c.account == bindparam("account"), table.c.email_key == bindparam("key"))
_DELETE_OTHERS = [
    Statement(delete(table).where(of, table.c.id != bindparam("kept"), and_(*more)))
    for of, more in ((_OF_PERSON[0], (table.c.account != 0,)), (_OF_PERSON[1], (table.c.account == 0,)))
]
_READ_FILE = Statement(select(file_table.c.content).where(file_table.c.request == bindparam("request")))
_DELETE_FILE = Statement(delete(file_table).where(file_table.c.request == bindparam("request")))
_SAVE_FILE = Statement(insert(file_table).values(request=bindparam("request"), content=bindparam("content")))
_SAVE_DIGEST = {
    column: Statement(update(table).where(table.c.id == bindparam("of")).values({column: bindparam("digest")}))
    for column in ("digest", "file_digest")
}
_DELETE_REGISTRATIONS = Statement(delete(registration).where(registration.c.email_key == bindparam("key")))
_DELETE_JOBS = Statement(
    delete(job).where(
        job.c.state != "running",
        func.lower(job.c.arguments).like(bindparam("pattern"), escape="!"),
    )
)
_DELETE_LINK_JOBS = Statement(
    delete(job).where(
        job.c.kind == LOST_PASSWORD_JOB,
        job.c.state != "running",
        func.lower(job.c.arguments).like(bindparam("pattern"), escape="!"),
    )
)
_FORGET_LINKS = Statement(
    update(change).where(change.c.kind == "user", change.c.item == bindparam("item")).values(before=null())
)


def list_requests(
    tx: Transaction, account: int | None, limit: int, offset: int
) -> tuple[list[PersonalDataRequest], int]:
    """Return a page of requests, the newest first, and how many there are. account: whose; None for everybody's."""
    if account is None:
        rows, total = tx.all(_LIST_ALL, limit=limit, offset=offset), tx.value(_COUNT_ALL)
    else:
        rows = tx.all(_LIST_OWN, account=account, limit=limit, offset=offset)
        total = tx.value(_COUNT_OWN, account=account)
    return STORE.of_rows(rows), int(total or 0)


def count_unconfirmed(tx: Transaction, email_key: str, now: int) -> int:
    """Return how many requests about an address wait for its owner."""
    return int(tx.value(_COUNT_WAITING, key=email_key, now=now) or 0)


def find_closing(tx: Transaction, account: int) -> PersonalDataRequest | None:
    """Return the request by which an account will be closed."""
    row = tx.first(_CLOSING, account=account)
    return STORE.of_row(row) if row else None


def delete_expired(tx: Transaction, now: int) -> None:
    """Delete requests whose time has run out, with their files."""
    tx.run(_DELETE_EXPIRED, now=now)


def delete_other_requests(tx: Transaction, kept: PersonalDataRequest) -> None:
    """Delete the requests of the same person but one."""
    by_account, by_address = _DELETE_OTHERS
    if kept.account:
        tx.run(by_account, account=kept.account, kept=kept.id)
    tx.run(by_address, key=kept.email_key, kept=kept.id)


def save_digest(tx: Transaction, column: str, id: str, digest: str) -> None:
    """Store the digest of a key. column: digest, file_digest."""
    tx.run(_SAVE_DIGEST[column], of=id, digest=digest)


def save_file(tx: Transaction, id: str, content: bytes) -> None:
    """Store the file of a request in place of an earlier one."""
    tx.run(_DELETE_FILE, request=id)
    tx.run(_SAVE_FILE, request=id, content=content)


def read_file(tx: Transaction, id: str) -> bytes | None:
    """Return the file of a request, None for none."""
    row = tx.first(_READ_FILE, request=id)
    return None if row is None else bytes(row[0])


def forget_person(tx: Transaction, account: int, email: str, login: str) -> None:
    """Delete what the site's own machinery remembers of a person: registrations, jobs, links in the change log.

    Of a login those jobs are deleted alone that name one: it may be a word that stands in the arguments of any other.
    """
    if email:
        tx.run(_DELETE_REGISTRATIONS, key=email.lower())
        tx.run(_DELETE_JOBS, pattern=build_text_pattern(email))
    if login:
        tx.run(_DELETE_LINK_JOBS, pattern=f'%"login":{build_text_pattern(login).removeprefix("%")}')
    if account:
        tx.run(_FORGET_LINKS, item=str(account))

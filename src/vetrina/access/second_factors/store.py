"""One-time codes and recovery codes as rows; the secret of the former is encrypted.

Rules: docs/rules/second_factors.md.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from sqlalchemy import bindparam, delete, exists, func, insert, null, or_, select, update

from vetrina.access.second_factors.model import FactorSummary, OneTimeCodeState
from vetrina.backends.database import Statement, Transaction
from vetrina.backends.statement_cache import build_upsert
from vetrina.backends.tables.second_factors import one_time_code, passkey, recovery_code
from vetrina.core.site_context import SiteContext
from vetrina.kernel.encryption import CannotDecrypt, decrypt_text, encrypt_text

SECRET_PURPOSE: Final = "one-time codes"

_CODE: Final = one_time_code.c
_SELECT = Statement(
    select(_CODE.account, _CODE.secret, _CODE.created, _CODE.confirmed, _CODE.last_step).where(
        _CODE.account == bindparam("account")
    )
)
_UPSERT = Statement(
    build_upsert(
        one_time_code,
        keys=("account",),
        values={
            "account": bindparam("account"), "secret": bindparam("secret"), "created": bindparam("now"),
            "confirmed": null(), "last_step": 0,
        },
        changes={"secret": bindparam("secret"), "created": bindparam("now"), "confirmed": null(), "last_step": 0},
    )
)  # fmt: skip
_CONFIRM = Statement(
    update(one_time_code)
    .where(_CODE.account == bindparam("of"), _CODE.confirmed.is_(None))
    .values(confirmed=bindparam("now"))
)
_SPEND_STEP = Statement(
    update(one_time_code)
    .where(_CODE.account == bindparam("of"), _CODE.last_step < bindparam("step"))
    .values(last_step=bindparam("step"))
)
_DELETE = Statement(delete(one_time_code).where(_CODE.account == bindparam("account")))
_INSERT_RECOVERY = Statement(
    insert(recovery_code).values({"digest": bindparam("digest"), "account": bindparam("account")})
)
_SPEND_RECOVERY = Statement(
    delete(recovery_code).where(
        recovery_code.c.digest == bindparam("digest"), recovery_code.c.account == bindparam("account")
    )
)
_DELETE_RECOVERY = Statement(delete(recovery_code).where(recovery_code.c.account == bindparam("account")))
_HAS_FACTOR = Statement(
    select(
        or_(
            exists().where(_CODE.account == bindparam("account"), _CODE.confirmed.is_not(None)),
            exists().where(passkey.c.account == bindparam("account")),
        )
    )
)
_SUMMARY = Statement(
    select(
        select(_CODE.confirmed).where(_CODE.account == bindparam("account")).scalar_subquery(),
        select(func.count()).select_from(recovery_code)
        .where(recovery_code.c.account == bindparam("account")).scalar_subquery(),
        select(func.count()).select_from(passkey).where(passkey.c.account == bindparam("account")).scalar_subquery(),
    )
)  # fmt: skip


def find_one_time_codes(tx: Transaction, account: int) -> OneTimeCodeState | None:
    """Return the one-time codes of an account, begun or confirmed; None for none."""
    row = tx.first(_SELECT, account=account)
    return OneTimeCodeState(*row) if row else None


def save_enrolment(tx: Transaction, site: SiteContext, account: int, secret: str, now: int) -> None:
    """Store a secret that waits for its first code, in place of one that was there."""
    sealed = encrypt_text(site.settings.secret, SECRET_PURPOSE, secret)
    tx.run(_UPSERT, account=account, secret=sealed, now=now)


def read_secret(site: SiteContext, stored: OneTimeCodeState) -> str:
    """Return the secret of one-time codes, empty where the site has another `secret` than when they were set up."""
    try:
        return decrypt_text(site.settings.secret, SECRET_PURPOSE, stored.secret)
    except CannotDecrypt:
        return ""


def confirm_enrolment(tx: Transaction, account: int, now: int) -> bool:
    """Turn on what waits for its first code; return whether this call did."""
    return tx.run_and_count(_CONFIRM, of=account, now=now) == 1


def spend_step(tx: Transaction, account: int, step: int) -> bool:
    """Use up the code of a period, with all earlier ones; return whether it was still good."""
    return tx.run_and_count(_SPEND_STEP, of=account, step=step) == 1


def delete_one_time_codes(tx: Transaction, account: int) -> None:
    """Delete the one-time codes of an account."""
    tx.run(_DELETE, account=account)


def replace_recovery_codes(tx: Transaction, account: int, digests: Iterable[str]) -> None:
    """Store recovery codes in place of those that there are."""
    tx.run(_DELETE_RECOVERY, account=account)
    if rows := [{"digest": one, "account": account} for one in digests]:
        tx.run_each(_INSERT_RECOVERY, rows)


def spend_recovery_code(tx: Transaction, account: int, digest: str) -> bool:
    """Use up a recovery code; return whether it was still good."""
    return tx.run_and_count(_SPEND_RECOVERY, account=account, digest=digest) == 1


def has_second_factor(tx: Transaction, account: int) -> bool:
    """Return whether an account has one-time codes or a passkey."""
    return bool(tx.value(_HAS_FACTOR, account=account))


def load_summary(tx: Transaction, account: int, required: bool) -> FactorSummary:
    """Return which second factors an account has. required: by a role of it."""
    confirmed, codes, passkeys = tx.first(_SUMMARY, account=account) or (None, 0, 0)
    return FactorSummary(required, confirmed, codes, passkeys)

"""Second factors of an account: setting them up, asking for them, removing them.

A code is a one-time code or a recovery code; wrong ones are counted (access/sign_in/guess_limiter.py), and each is good
once, whoever comes first. Passkeys count as a second factor as well (access/passkeys). Rules:
docs/rules/second_factors.md, 1 to 6.
"""

from __future__ import annotations

from typing import Final

from vetrina.access.second_factors import one_time_codes, recovery_codes, store
from vetrina.access.second_factors.model import (
    Enrolment,
    FactorSummary,
    IncorrectCode,
    NoEnrolment,
    NoSecondFactor,
    OneTimeCodesInUse,
    PasskeyRequired,
    SecondFactorRequired,
    SecondFactorSetupRequired,
)
from vetrina.access.sign_in.guess_limiter import SecretKind, is_right_guess
from vetrina.backends.database import Database, Transaction
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User

FACTOR_KIND: Final = "second_factor"  # in the change log, by account
SIGN_IN_PATH: Final = "/admin/sign-in"  # the page that takes passkeys
SETUP_PATH: Final = "/admin/second-factor"  # the page on which somebody sets up what a role requires
# What an account may ask that has to set up a second factor first.
_SETUP_PATHS: Final = ("/access/v1/second-factors", "/access/v1/passkeys", "/access/v1/sessions")
_ENROLMENT_SECONDS: Final = 3600  # that a set-up waits for its first code


# -- who has one, who needs one


def summarize_factors(work: UnitOfWork, user: User) -> FactorSummary:
    """Return which second factors an account has."""
    work.forbid_storing()
    return store.load_summary(work.tx, user.id, requires_second_factor(work.site, user))


def has_second_factor(work: UnitOfWork, user: User) -> bool:
    """Return whether an account has a second factor."""
    return store.has_second_factor(work.tx, user.id)


def requires_second_factor(site: SiteContext, user: User) -> bool:
    """Return whether a role of an account requires a second factor. Rules: docs/rules/second_factors.md, 6."""
    required = site.profile.accounts.second_factor_roles
    return bool(required) and not frozenset(required).isdisjoint(user.roles)


def lacks_required_factor(tx: Transaction, site: SiteContext, user: User) -> bool:
    """Return whether a role of an account requires a second factor that it does not have."""
    return requires_second_factor(site, user) and not store.has_second_factor(tx, user.id)


def build_setup_error(site: SiteContext) -> SecondFactorSetupRequired:
    """Return the refusal of an account that lacks a required factor, with the page on which it is set up."""
    return SecondFactorSetupRequired(address=f"{site.origin}{SETUP_PATH}")


def require_set_up_factor(site: SiteContext, database: Database, path: str, user: User) -> User:
    """Return an account that has the second factor which a role of it requires; any account where one is set up.

    path: of its request. Raises SecondFactorSetupRequired.
    """
    if requires_second_factor(site, user) and not path.startswith(_SETUP_PATHS):
        with database.begin_read() as tx:
            if lacks_required_factor(tx, site, user):
                raise build_setup_error(site)
    return user


def require_second_factor(work: UnitOfWork, user: User, code: str) -> None:
    """Require the second factor of an account whose password is proved; one without any passes.

    code: a one-time code or a recovery code, empty where none was sent. The unit of work must write.
    Raises SecondFactorRequired, PasskeyRequired, IncorrectCode, TooManyGuesses, SecondFactorSetupRequired.
    """
    if not has_second_factor(work, user):
        if requires_second_factor(work.site, user):
            raise build_setup_error(work.site)
        return
    if not recovery_codes.normalize_code(code):
        if store.load_summary(work.tx, user.id, False).confirmed is None:
            raise PasskeyRequired(address=f"{work.site.origin}{SIGN_IN_PATH}")
        raise SecondFactorRequired
    require_code(work, user, code)


def require_code(work: UnitOfWork, user: User, code: str) -> None:
    """Use up a one-time code or a recovery code of an account. Raises IncorrectCode, TooManyGuesses."""
    given = recovery_codes.normalize_code(code)
    if not is_right_guess(work, SecretKind.SECOND_FACTOR, user.id, given, lambda: _spend_code(work, user, given)):
        raise IncorrectCode


def _spend_code(work: UnitOfWork, user: User, given: str) -> bool:
    if len(given) == one_time_codes.CODE_DIGITS:
        stored = store.find_one_time_codes(work.tx, user.id)
        if stored is None or stored.confirmed is None:
            return False
        return one_time_codes.spend_code(work, user.id, store.read_secret(work.site, stored), given)
    digest = recovery_codes.compute_code_digest(work.site, user.id, given)
    if not store.spend_recovery_code(work.tx, user.id, digest):
        return False
    note_factors(work, user, "changed")
    return True


def note_factors(work: UnitOfWork, user: User, action: str) -> None:
    """Log a change of an account's second factors. action: created, changed or removed."""
    work.note(FACTOR_KIND, user.id, action)
    work.describe(FACTOR_KIND, user.id, user.login, by=user)


# -- one-time codes


def begin_one_time_codes(work: UnitOfWork, user: User) -> Enrolment:
    """Make a secret for one-time codes, which a first code turns on; one that waits already is replaced.

    Raises OneTimeCodesInUse.
    """
    stored = store.find_one_time_codes(work.tx, user.id)
    if stored is not None and stored.confirmed is not None:
        raise OneTimeCodesInUse
    secret = one_time_codes.generate_secret()
    store.save_enrolment(work.tx, work.site, user.id, secret, work.now)
    work.forbid_storing()
    return _build_enrolment(work, user, secret)


def find_enrolment(work: UnitOfWork, user: User) -> Enrolment | None:
    """Return what waits for its first code, None for nothing or where that was begun too long ago."""
    stored = store.find_one_time_codes(work.tx, user.id)
    if stored is None or stored.confirmed is not None or work.now - stored.created > _ENROLMENT_SECONDS:
        return None
    return _build_enrolment(work, user, store.read_secret(work.site, stored))


def confirm_one_time_codes(work: UnitOfWork, user: User, code: str) -> tuple[str, ...]:
    """Turn on one-time codes by a first code, and return the recovery codes; empty where the account has some.

    Raises NoEnrolment, IncorrectCode, TooManyGuesses.
    """
    enrolment = find_enrolment(work, user)
    if enrolment is None:
        raise NoEnrolment
    given = recovery_codes.normalize_code(code)

    def spend() -> bool:
        return one_time_codes.spend_code(work, user.id, enrolment.secret, given)

    if not is_right_guess(work, SecretKind.SECOND_FACTOR, user.id, given, spend):
        raise IncorrectCode
    if not store.confirm_enrolment(work.tx, user.id, work.now):
        raise NoEnrolment
    note_factors(work, user, "created")
    return add_recovery_codes(work, user)


def remove_one_time_codes(work: UnitOfWork, user: User, code: str) -> None:
    """Remove the one-time codes of an account; with its last factor its recovery codes go, too.

    code: a one-time code or a recovery code. Raises NoSecondFactor, IncorrectCode, TooManyGuesses.
    """
    stored = store.find_one_time_codes(work.tx, user.id)
    if stored is None or stored.confirmed is None:
        raise NoSecondFactor
    require_code(work, user, code)
    store.delete_one_time_codes(work.tx, user.id)
    remove_useless_recovery_codes(work, user)
    note_factors(work, user, "removed")


def _build_enrolment(work: UnitOfWork, user: User, secret: str) -> Enrolment:
    return Enrolment(secret, one_time_codes.build_uri(secret, user.login, str(work.raw_option("title"))))


# -- recovery codes


def add_recovery_codes(work: UnitOfWork, user: User) -> tuple[str, ...]:
    """Make recovery codes for an account that has none, and return them; empty where it has some."""
    summary = store.load_summary(work.tx, user.id, False)
    return () if summary.recovery_codes else replace_recovery_codes(work, user)


def replace_recovery_codes(work: UnitOfWork, user: User) -> tuple[str, ...]:
    """Make new recovery codes in place of the old ones, and return them; they are never shown again.

    Raises NoSecondFactor.
    """
    if not has_second_factor(work, user):
        raise NoSecondFactor
    codes = recovery_codes.generate_recovery_codes()
    digests = [recovery_codes.compute_code_digest(work.site, user.id, one) for one in codes]
    store.replace_recovery_codes(work.tx, user.id, digests)
    note_factors(work, user, "changed")
    work.forbid_storing()
    return codes


def remove_useless_recovery_codes(work: UnitOfWork, user: User) -> None:
    """Remove the recovery codes of an account whose last factor is gone."""
    if not has_second_factor(work, user):
        store.replace_recovery_codes(work.tx, user.id, ())

"""Whether somebody knows the own password of an account.

The comparison is slow on purpose. So it has three parts: a claim is read, compared outside of any transaction and of
the loop that serves everybody, and looked at again in the transaction that relies on it: another password may have been
set meanwhile. Wrong ones are counted like those of signing in. Pages sign in by access/sign_in/credentials.py. Rules:
docs/rules/authentication.md, 2; docs/rules/second_factors.md, 5.
"""

from __future__ import annotations

from vetrina.access.password_proofs.model import IncorrectOwnPassword, NoOwnPassword, PasswordClaim, PasswordProof
from vetrina.access.passwords.hashing import is_correct_password
from vetrina.access.sign_in.guess_limiter import SecretKind, is_right_guess
from vetrina.access.users.rules import find_user_by_login, load_password_hash
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import NOBODY, User
from vetrina.kernel.keys import is_equal_secret


def read_own_claim(work: UnitOfWork, given: str) -> PasswordClaim:
    """Return the claim that a password is the caller's. Raises NoOwnPassword, TooManyFailedSignIns."""
    claim = _read_claim(work, work.user, work.user.login, given)
    if not claim.stored:
        raise NoOwnPassword
    return claim


def read_sign_in_claim(work: UnitOfWork, login: str, given: str) -> PasswordClaim:
    """Return the claim of who signs in. login: or the e-mail address. Raises TooManyFailedSignIns."""
    login = login.strip()
    user = find_user_by_login(work.tx, login, work.site.roles) or NOBODY
    return _read_claim(work, user, user.login or login, given)


def compare_password(claim: PasswordClaim) -> PasswordProof:
    """Return what comparing a password finds: slow, and as slow without an account."""
    return PasswordProof(claim, is_correct_password(claim.stored, claim.given))


def is_proved(work: UnitOfWork, proof: PasswordProof) -> bool:
    """Return whether a password is right and still the account's. Raises TooManyFailedSignIns."""
    claim = proof.claim

    def is_still_right() -> bool:
        return proof.is_right and is_equal_secret(load_password_hash(work.tx, claim.user.id), claim.stored)

    return is_right_guess(work, SecretKind.ACCOUNT, claim.login, claim.given, is_still_right, account=claim.user)


def require_own_password(work: UnitOfWork, proof: PasswordProof) -> None:
    """Require that the caller proved the own password. Raises IncorrectOwnPassword, TooManyFailedSignIns."""
    if not is_proved(work, proof):
        raise IncorrectOwnPassword


def _read_claim(work: UnitOfWork, user: User, login: str, given: str) -> PasswordClaim:
    login = login.lower()
    if work.guesses is not None:
        # Asked before the comparison already: whoever must wait costs no time.
        work.guesses.require(work.tx, SecretKind.ACCOUNT, work.guesses.build_keys(SecretKind.ACCOUNT, login))
    return PasswordClaim(user, login, given, load_password_hash(work.tx, user.id) if user else "")

"""Why a sign-in by a provider ends without a session; the pages have a sentence for each.

Rules: docs/rules/single_sign_on.md, 6.
"""

from __future__ import annotations

from enum import StrEnum


class Refusal(StrEnum):
    """Why nobody is signed in. The values are names of the sentences that the pages show."""

    CANCELLED = "cancelled"  # by the person, at the provider
    REFUSED_THERE = "refused_there"  # by the provider, with an error of its own
    STALE = "stale"  # not begun in this browser, or finished before
    EXPIRED = "expired"  # begun too long ago
    UNTRUSTED = "untrusted"  # the provider's answer fails a check
    AWAY = "away"  # the provider does not answer
    UNKNOWN = "unknown"  # no account here, and none may be made
    UNVERIFIED = "unverified"  # the provider does not vouch for the mail address
    DOMAIN = "domain"  # the mail address is of a domain that gets no account
    EMAIL_TAKEN = "email_taken"  # another account here has the mail address
    IDENTITY_TAKEN = "identity_taken"  # connected with another account here
    OTHER_SESSION = "other_session"  # who wanted to connect is not signed in any more


class SignInRefused(Exception):
    """A sign-in by a provider ends; the message is for the log and names neither a token nor a code."""

    def __init__(self, reason: Refusal, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason

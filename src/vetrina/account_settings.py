"""What a profile says of accounts: the table `[accounts]` of its file."""

from __future__ import annotations

import msgspec


class AccountSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How accounts of a site are used."""

    session_days: int = 2  # days that a browser stays signed in
    access_token_seconds: int = 600  # seconds that an access token is valid
    refresh_token_days: int = 30  # days that a session of tokens lasts without a refresh; each one begins them anew
    refresh_grace_seconds: int = 10  # seconds in which a used refresh token is refused without ending its session
    signing_key_days: int = 90  # days after which another key signs access tokens

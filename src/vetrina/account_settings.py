"""What a profile says of accounts: the table `[accounts]` of its file."""

from __future__ import annotations

import msgspec


class AccountSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How accounts of a site are used."""

    session_days: int = 2  # days that a browser stays signed in

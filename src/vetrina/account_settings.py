"""The settings of accounts: the table `[accounts]` of a profile."""

from __future__ import annotations

import msgspec


class AccountSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What holds for accounts."""

    second_factor_roles: tuple[str, ...] = ()  # roles whose accounts must have a one-time code or a passkey

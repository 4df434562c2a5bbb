"""What a profile says of accounts: the table `[accounts]` of its file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from vetrina.kernel.frozen import freeze

AccountNotice = Literal["new_device", "password", "email", "app_password", "identity"]
ACCOUNT_NOTICES: Final[tuple[AccountNotice, ...]] = ("new_device", "password", "email", "app_password", "identity")


class SignInProvider(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A service by whose accounts people sign in, over OpenID Connect; its secret is in `provider_secrets`."""

    name: str  # its name in addresses and in `provider_secrets`: lower-case letters, digits and `-`
    issuer: str  # its address, to the letter as it names itself; it may lie in a private network
    client_id: str  # the name that it knows this site by
    label: str = ""  # its name, as people read it; `name` when empty
    scopes: tuple[str, ...] = ("email", "profile")  # what it is asked for beside `openid`
    role_claim: str = ""  # claim that has somebody's groups or roles, with dots into objects; empty: it gives no roles
    roles: Mapping[str, str] = {}  # what the claim holds → role here
    default_role: str = ""  # role of an account for which the claim holds nothing of `roles`; empty: the profile's
    create_accounts: bool = False  # whether somebody without an account gets one
    mail_domains: tuple[str, ...] = ()  # domains whose mail addresses get an account; empty: all
    trust_addresses: bool = False  # whether every address that it names counts as verified when an account is made
    link_by_verified_email: bool = False  # whether an account with the same verified address is joined
    link_privileged: bool = False  # whether that is so for accounts that may do more than read
    sign_out_there: bool = False  # whether signing out leads to the provider, to end its own session
    servers: tuple[str, ...] = ()  # further servers (`https://HOST:PORT`) of it that lie in a private network

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "roles", freeze(self.roles))


class AccountSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How accounts of a site are used."""

    session_days: int = 2  # days that a browser stays signed in
    providers: tuple[SignInProvider, ...] = ()  # services by whose accounts people sign in, a table each
    notices: tuple[AccountNotice, ...] = ACCOUNT_NOTICES  # of what the owner of an account is told by mail

"""What a profile says of accounts: the table `[accounts]` of its file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from vetrina.kernel.frozen import freeze

AccountNotice = Literal["new_device", "password", "email", "app_password", "identity", "second_factor"]
ACCOUNT_NOTICES: Final[tuple[AccountNotice, ...]] = (
    "new_device", "password", "email", "app_password", "identity", "second_factor",
)  # fmt: skip


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
    access_token_seconds: int = 600  # seconds that an access token is valid
    refresh_token_days: int = 30  # days that a session of tokens lasts after its latest refresh
    refresh_grace_seconds: int = 10  # seconds in which a used refresh token is refused without ending its session
    signing_key_days: int = 90  # days after which another key signs access tokens
    # who may register over the interface and on the site's own page: nobody, everybody, who follows a link in a mail
    registration: Literal["closed", "open", "confirmed"] = "closed"
    registration_role: str = ""  # role of who registers; empty: customer in a shop, else `default_role`
    registration_domains: tuple[str, ...] = ()  # domains of mail addresses that may register; empty: all
    registration_refused_domains: tuple[str, ...] = ()  # domains of mail addresses that may not register
    email_change: Literal["at_once", "confirmed"] = "at_once"  # how a shop's page of accounts changes a mail address
    links_url: str = ""  # URL of a front end's pages that links in mails lead to; empty: the site's own, `/admin`
    closing_days: int = 14  # days between the wish to close an account and its erasure
    erasure_heir: str = ""  # login of the account that gets records and media; empty: the first administrator
    export_days: int = 7  # days that a copy of personal data can be fetched
    second_factor_roles: tuple[str, ...] = ()  # roles whose accounts must have a one-time code or a passkey
    audit_days: int = 365  # days that the audit trail is kept; 0: there is none

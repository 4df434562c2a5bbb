"""What a profile says of accounts: the table `[accounts]` of its file."""

from __future__ import annotations

from typing import Literal

import msgspec


class AccountSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How accounts of a site are used."""

    session_days: int = 2  # days that a browser stays signed in
    access_token_seconds: int = 600  # seconds that an access token is valid
    refresh_token_days: int = 30  # days that a session of tokens lasts without a refresh; each one begins them anew
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
    audit_days: int = 365  # days that the audit trail is kept; 0: there is none

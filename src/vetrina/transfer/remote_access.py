"""How a job reads an address that somebody typed into a form: where it may ask, and with which secrets.

The secrets lie sealed among the arguments of the job, which are forgotten when it ends. Rules: docs/rules/server.md, 8.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import msgspec

from vetrina.backends.http_client import OutboundClient
from vetrina.backends.http_client_urls import OutboundAddressRefused, parse_target
from vetrina.core.site_context import SiteContext
from vetrina.kernel.encryption import decrypt_text, encrypt_text
from vetrina.kernel.errors import ApiError, Failure
from vetrina.transfer.records import SkippedRecord, SourceError
from vetrina.transfer.sources.address.http_connection import ANSWER_BYTES, ASK_SECONDS, SourceCredentials

if TYPE_CHECKING:
    from vetrina.transfer.sources.address.site_source import SiteSource

_SEALED_NAME: Final = "transfer credentials"
_REDIRECTS: Final = 5
_AGENT: Final = "Vetrina transfer"


class InvalidSiteAddress(ApiError):
    failure, code = Failure.INVALID, "rest_transfer_invalid_address"
    message = "{address!r} is no address of a site: {reason}. Write one such as https://www.example.org"


class CredentialsIncomplete(ApiError):
    failure, code = Failure.INVALID, "rest_transfer_invalid_credentials"
    message = "A login and its application password belong together, and so do a consumer key and its secret."


def require_site_address(address: str) -> str:
    """Return an address as it is asked. Raises InvalidSiteAddress."""
    whole = address.strip()
    if whole and "://" not in whole:
        whole = f"https://{whole}"
    try:
        parse_target(whole, None)
    except OutboundAddressRefused as error:
        raise InvalidSiteAddress(address=address, reason=str(error)) from None
    parts = urlsplit(whole)
    if parts.query or parts.fragment:
        raise InvalidSiteAddress(address=address, reason="it has a query or a fragment, which may hold a secret")
    return whole


def require_whole_credentials(credentials: SourceCredentials) -> None:
    """Raise CredentialsIncomplete where one half of a pair is missing."""
    pairs = ((credentials.login, credentials.password), (credentials.shop_key, credentials.shop_secret))
    if any(bool(name) != bool(secret) for name, secret in pairs):
        raise CredentialsIncomplete


def seal_credentials(site: SiteContext, credentials: SourceCredentials) -> str:
    """Return credentials encrypted, as they lie among the arguments of a job."""
    values = (credentials.login, credentials.password, credentials.shop_key, credentials.shop_secret)
    return encrypt_text(site.settings.secret, _SEALED_NAME, msgspec.json.encode(values).decode())


def open_remote_site(
    site: SiteContext, address: str, sealed: str, report_skipped: Callable[[SkippedRecord], None]
) -> SiteSource:
    """Return the site at an address as a source. sealed: by seal_credentials. Raises SourceError, CannotDecrypt."""
    from vetrina.transfer.sources.address.open_address import open_address  # which only a job needs

    values: list[Any] = msgspec.json.decode(decrypt_text(site.settings.secret, _SEALED_NAME, sealed))
    client = OutboundClient(
        seconds=ASK_SECONDS, most_bytes=ANSWER_BYTES, redirects=_REDIRECTS, agent=_AGENT
    ).with_allowed_servers(*site.profile.import_servers)
    return open_address(address, SourceCredentials(*values), report_skipped=report_skipped, client=client)


def describe_source_error(error: SourceError) -> str:
    """Return why a source cannot be read, in a sentence for whoever looks at a form."""
    refused = error.__cause__
    if isinstance(refused, OutboundAddressRefused):
        return f"{refused}. A site of your own network has to be named in `import_servers` of the profile."
    return f"{error}."

"""Opening a site at an address as a source."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final
from urllib.parse import urlsplit

from vetrina.backends.http_client import OutboundClient
from vetrina.backends.http_client_urls import OutboundAddressRefused
from vetrina.transfer.records import SkippedRecord, SourceError
from vetrina.transfer.sources.address.connection import ReadRefused
from vetrina.transfer.sources.address.discovery import find_api_root
from vetrina.transfer.sources.address.http_connection import (
    ANSWER_BYTES,
    ASK_SECONDS,
    HttpConnection,
    SourceCredentials,
)
from vetrina.transfer.sources.address.request_pacer import RequestPacer
from vetrina.transfer.sources.address.site_outline import SiteOutline
from vetrina.transfer.sources.address.site_source import SiteSource

_AGENT: Final = "Vetrina transfer"
_REDIRECTS: Final = 5


def open_address(
    address: str,
    credentials: SourceCredentials | None = None,
    *,
    allow_private: bool = False,
    parallel: int = 4,
    rate: float = 0.0,
    revisions: bool = False,
    report_skipped: Callable[[SkippedRecord], None] = lambda _: None,
    client: OutboundClient | None = None,
) -> SiteSource:
    """Return a source that reads the site at an address.

    allow_private: whether it may be in a network of one's own, and on any port. parallel: requests at once. rate:
    requests a second, 0 for any number. client: that sends them. Raises SourceError.
    """
    client = client or OutboundClient(
        seconds=ASK_SECONDS, most_bytes=ANSWER_BYTES, redirects=_REDIRECTS, agent=_AGENT, keep_open=True
    )
    if "://" not in address:
        address = f"https://{address}"
    if allow_private:
        client = _allow(client, address)
    root, dialect = find_api_root(client, address)
    if allow_private:
        client = _allow(client, root)
    connection = HttpConnection(
        client, _drop_language(client, root, dialect), dialect, credentials or SourceCredentials(),
        parallel=max(1, parallel), pacer=RequestPacer(rate),
    )  # fmt: skip
    return SiteSource(connection, report_skipped=report_skipped, revisions=revisions)


def _allow(client: OutboundClient, url: str) -> OutboundClient:
    try:
        # A site that redirects to TLS is the same one.
        secure = urlsplit(url)._replace(scheme="https") if urlsplit(url).port is None else urlsplit(url)
        return client.with_allowed_servers(url, secure.geturl())
    except OutboundAddressRefused as error:
        raise SourceError(f"{url}: {error}") from error


def _drop_language(client: OutboundClient, root: str, dialect: str) -> str:
    """Return the root without a language in its path, where the site answers there: in its default language."""
    parts = urlsplit(root)
    before, slash, prefix = parts.path.rpartition("/")
    above, _, code = before.rpartition("/")
    if parts.query or not slash or not code:
        return root
    connection = HttpConnection(client, root, dialect, SourceCredentials())
    try:
        outline = SiteOutline(connection.ask("/").value)
        if code not in outline.languages:
            return root
        shorter = parts._replace(path=f"{above}/{prefix}").geturl()
        HttpConnection(client, shorter, dialect, SourceCredentials()).ask("/", {"_fields": "namespaces"}, patient=False)
    except ReadRefused:
        return root
    return shorter

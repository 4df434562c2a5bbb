"""A foreign site over HTTP: signed, in its dialect, at a polite pace, with patience for what passes.

Where requests may go: backends/http_client.py. The root of the interface: transfer/sources/address/discovery.py.
"""

from __future__ import annotations

import base64
import random
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, urlencode

from vetrina.backends.http_client import OutboundClient, OutboundResponse, OutboundResponseTooLarge
from vetrina.backends.http_client_urls import OutboundAddressRefused, OutboundError
from vetrina.kernel.integers import parse_digits
from vetrina.transfer.records import SourceError
from vetrina.transfer.sources.address.answer_text import decode_answer
from vetrina.transfer.sources.address.connection import ReadRefused, SourceReply
from vetrina.transfer.sources.address.neutral_names import SourceNames
from vetrina.transfer.sources.address.request_pacer import RequestPacer
from vetrina.transfer.sources.address.request_signatures import sign_read

ANSWER_BYTES: Final = 64 << 20  # bytes of one answer
FILE_BYTES: Final = 512 << 20  # bytes of a file of the library; it is in memory while it comes
ASK_SECONDS: Final = 90.0  # seconds for one answer
FILE_SECONDS: Final = 900.0  # seconds for one file
_ATTEMPTS: Final = 5  # while the site can't be reached, or is busy
_FAILURE_ATTEMPTS: Final = 3  # at what the site breaks on; it may do so every time
_FIRST_PAUSE: Final = 0.5  # seconds before the second attempt; doubled before each further one
_LONGEST_PAUSE: Final = 600.0  # seconds; a site that asks for more has to be tried later
_BUSY: Final = frozenset({429, 503})


@dataclass(frozen=True)
class SourceCredentials:
    """What a site is read with.

    login, password: an account and one of its application passwords, empty for none. shop_key, shop_secret: keys of
    the shop, which then sign what is read of it: over TLS they are sent, else their secret is not.
    """

    login: str = ""
    password: str = field(default="", repr=False)
    shop_key: str = ""
    shop_secret: str = field(default="", repr=False)

    def sign(self, path: str, url: str) -> tuple[str, dict[str, str]]:
        """Return the URL and the headers of one read of a neutral path. url: without a signature."""
        pair = (self.login, self.password)
        if self.shop_key and path.startswith(("/shop/", "/shop-")):
            if not url.startswith("https://"):
                return sign_read(url, self.shop_key, self.shop_secret), {}
            pair = (self.shop_key, self.shop_secret)
        if not pair[0]:
            return url, {}
        return url, {"Authorization": "Basic " + base64.b64encode(":".join(pair).encode()).decode()}


class HttpConnection:
    """A site's interface at an address.

    root: URL of the API root, without a slash at its end; one that ends in `rest_route=` has paths as a parameter.
    parallel: requests at once. pacer: their pace.
    """

    def __init__(
        self,
        client: OutboundClient,
        root: str,
        dialect: str,
        credentials: SourceCredentials,
        *,
        parallel: int = 4,
        pacer: RequestPacer | None = None,
    ) -> None:
        self.key, self.root, self.parallel = root, root, parallel
        self.names = SourceNames(dialect)
        self.signed_in, self.has_shop_key = bool(credentials.login), bool(credentials.shop_key)
        self._client, self._credentials = client, credentials
        self._pacer = pacer or RequestPacer()

    def ask(self, path: str, query: Mapping[str, Any] | None = None, *, patient: bool = True) -> SourceReply:
        """Return the answer to GET of a path: transfer/sources/address/connection.py."""
        url = build_url(self.root, self.names.translate_path(path), self.names.translate_query(query or {}))
        response = self._send(path, url, patient)
        value = decode_answer(response.body)
        if response.status >= 300 or value is None:
            raise self._describe_refusal(response, value)
        total, pages = (
            parse_digits(response.headers.get(name, "")) for name in (self.names.total_header, self.names.pages_header)
        )
        try:
            return SourceReply(self.names.translate_answer(path, value), total, pages)
        except RecursionError:
            raise ReadRefused(0, "", "the answer is nested too deeply") from None

    def _describe_refusal(self, response: OutboundResponse, value: Any) -> ReadRefused:
        if isinstance(value, dict) and isinstance(value.get("message"), str):
            return ReadRefused(response.status, self.names.translate_word(str(value.get("code", ""))), value["message"])
        status = response.status if response.status >= 300 else 0
        return ReadRefused(status, "", f"the answer is no JSON but {response.kind or 'of no type'}")

    def _send(self, path: str, url: str, patient: bool) -> OutboundResponse:
        """Return the response, asked again while the site is busy, or breaks. Raises SourceError, ReadRefused.

        path: the neutral one.
        """
        for attempt in range(1, _ATTEMPTS + 1):
            self._pacer.wait_turn()
            last = attempt == _ATTEMPTS
            pause = _FIRST_PAUSE * 2 ** (attempt - 1) * random.uniform(0.75, 1.25)
            try:
                # Each attempt is signed: a signature holds once.
                signed, headers = self._credentials.sign(path, url)
                response = self._client.ask("GET", signed, headers={"Accept": "application/json", **headers})
            except OutboundAddressRefused as error:
                raise SourceError(describe_refused_address(url, error)) from error
            except OutboundResponseTooLarge as error:
                raise ReadRefused(0, "", str(error)) from error
            except OutboundError as error:
                if last:
                    raise SourceError(f"{url.partition('?')[0]}: {error}; asked {attempt} times") from error
                time.sleep(pause)
                continue
            if response.status in _BUSY and not last:
                asked = read_retry_after(response.headers.get("retry-after", ""))
                if asked is not None and asked > _LONGEST_PAUSE:
                    raise SourceError(f"{self.root} asks to come back in {asked:.0f} seconds; run this again then")
                self._pacer.hold_back(pause if asked is None else asked)
            elif response.status in _BUSY:
                raise SourceError(f"{self.root} is too busy: it answered {response.status} {attempt} times; use less "
                                  "parallel requests or a lower rate")  # fmt: skip
            elif response.status >= 500 and patient and attempt < _FAILURE_ATTEMPTS:
                time.sleep(pause)
            else:
                return response
        raise AssertionError("the last attempt returns or raises")

    def fetch_file(self, url: str, path: Path) -> bool:
        """Write a file of the library to a path; False where the site doesn't give it."""
        self._pacer.wait_turn()
        try:
            response = self._client.get(url, most_bytes=FILE_BYTES, seconds=FILE_SECONDS)
        except OutboundError:
            return False
        if response.status != 200:
            return False
        path.write_bytes(response.body)
        return True


def build_url(root: str, path: str, query: Mapping[str, Any]) -> str:
    """Return the URL of a path below an API root; lists in the query are joined by commas."""
    pairs = urlencode({name: _write_value(value) for name, value in query.items()})
    if root.endswith("rest_route="):
        return root + quote(path, safe="/") + (f"&{pairs}" if pairs else "")
    return root + quote(path, safe="/") + (f"?{pairs}" if pairs else "")


def _write_value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def read_retry_after(text: str) -> float | None:
    """Return the seconds that a `Retry-After` header asks to wait, None where it says nothing."""
    if (seconds := parse_digits(text)) is not None:
        return float(seconds)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time()) if text else None
    except (ValueError, OverflowError):
        return None


def describe_refused_address(url: str, error: OutboundAddressRefused) -> str:
    """Return a sentence on why an address isn't asked, and the way out."""
    return (
        f"{url.partition('?')[0]}: {error}; a site of your own network is read with --allow-private, and one that "
        "redirects there under the address that it leads to"
    )

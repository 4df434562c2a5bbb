"""Signed calls of the fake service to a site, and the loop that drains its queues.

A buffer is applied before it is acknowledged: after a kill in between, it is sent again with the same ids.
"""

from __future__ import annotations

import http.client
import json
import logging
import secrets
import string
import threading
import time
from typing import Any, Final
from urllib.parse import urlsplit

from vetrina.connector.connection.signing import sign_url
from vetrina.fake_service.mirror import SiteMirror

_LOG = logging.getLogger("vetrina.fake_service")
_CHARACTERS: Final = string.ascii_letters + string.digits
_BUFFER_ITEMS: Final = 500
_TIMEOUT_SECONDS: Final = 30.0
QUEUES: Final = ("sync", "full_sync")


class SiteUnreachable(Exception):
    """The site did not respond."""


class SiteRefused(Exception):
    """The site refused; code: its error code."""

    def __init__(self, status: int, code: object, message: object = "") -> None:
        super().__init__(f"{status} {code} {message}")
        self.status, self.code = status, code


def generate_letters(count: int) -> str:
    """Return random letters and digits."""
    return "".join(secrets.choice(_CHARACTERS) for _ in range(count))


def call_site(method: str, url: str, body: bytes = b"") -> Any:
    """Return the JSON value of a response. Raises SiteUnreachable, SiteRefused."""
    parts = urlsplit(url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.netloc, timeout=_TIMEOUT_SECONDS)
    try:
        connection.request(method, url[len(f"{parts.scheme}://{parts.netloc}") :] or "/", body or None,
                           {"Content-Type": "application/json"} if body else {})  # fmt: skip
        response = connection.getresponse()
        status, content = response.status, response.read()
    except (OSError, http.client.HTTPException) as error:
        raise SiteUnreachable(str(error)) from error
    finally:
        connection.close()
    try:
        # Some deployments print a notice before the JSON.
        found = json.loads(content)
    except ValueError:
        raise SiteRefused(status, "no_json", content[:80]) from None
    if status != 200:
        members = found if isinstance(found, dict) else {}
        raise SiteRefused(status, members.get("code"), members.get("message"))
    return found


class MirrorPuller:
    """Pulls the queues of every connected site into a mirror."""

    def __init__(self, mirror: SiteMirror) -> None:
        self.mirror = mirror
        self._turn = threading.Lock()
        self._stop = threading.Event()

    def ask(self, site: int, method: str, path: str, body: Any = None, query: str = "") -> Any:
        """Return a site's response to a call signed with its own token. Raises SiteUnreachable, SiteRefused."""
        found = self.mirror.site(site)
        if found is None:
            raise SiteRefused(404, "unknown_site")
        content = b"" if body is None else json.dumps(body).encode()
        url = f"{found[1]}/connector/v4{path}" + (f"?{query}" if query else "")
        signed = sign_url(url, found[2], 0, method, content, timestamp=int(time.time()), nonce=generate_letters(10))
        return call_site(method, signed, content)

    def drain(self, site: int) -> int:
        """Pull everything queued and return how many items arrived. Raises SiteUnreachable, SiteRefused."""
        count = 0
        # One at a time: a second buffer would take the first one's lock.
        with self._turn:
            for queue in QUEUES:
                while (got := self._pull_buffer(site, queue)) > 0:
                    count += got
            # After the queues: starting a full sync cancels a running one.
            if modules := self.mirror.list_refetch_modules(site):
                self.ask(site, "POST", "/sync/full-sync", {"modules": modules})
                self.mirror.clear_refetch(site, modules)
                while (got := self._pull_buffer(site, QUEUES[1])) > 0:
                    count += got
        return count

    def _pull_buffer(self, site: int, queue: str) -> int:
        wanted = {"queue": queue, "number_of_items": _BUFFER_ITEMS, "force": True}
        try:
            sent = self.ask(site, "POST", "/sync/checkout", wanted)
        except SiteRefused as error:
            if error.code == "queue_size":
                return 0
            raise
        items = sent["items"] or {}
        self.mirror.apply(site, queue, items, sent["skipped_items"])
        names = [*items, *sent["skipped_items"]]
        self.ask(site, "POST", "/sync/close", {"queue": queue, "buffer_id": sent["buffer_id"], "item_ids": names})
        return len(names)

    def run(self, seconds: float) -> None:
        """Pull every site at this interval until stopped."""
        while not self._stop.wait(seconds):
            for site in self.mirror.sites():
                try:
                    self.drain(site)
                except (SiteUnreachable, SiteRefused) as error:
                    _LOG.info("site %d: %s", site, error)

    def stop(self) -> None:
        """Stop `run`."""
        self._stop.set()

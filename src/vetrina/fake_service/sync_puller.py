"""Calls of the peer to a site: signed, and the loop that drains its queues.

A buffer is applied before it is acknowledged: whatever is killed in between, it comes again with the same ids.
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

from vetrina.fake_service.mirror import Mirror
from vetrina.kernel.signing import signed_url

__all__ = ["Puller", "Refused", "Unreachable", "call", "letters"]

_LOG = logging.getLogger("vetrina.fake_service")
_SIGNS: Final = string.ascii_letters + string.digits
_BUFFER: Final = 500
_SECONDS: Final = 30.0
QUEUES: Final = ("sync", "full_sync")


class Unreachable(Exception):
    """The site did not answer."""


class Refused(Exception):
    """The site refused; code: its word for why."""

    def __init__(self, status: int, code: object, message: object = "") -> None:
        super().__init__(f"{status} {code} {message}")
        self.status, self.code = status, code


def letters(count: int) -> str:
    """Return letters and digits that nobody guesses."""
    return "".join(secrets.choice(_SIGNS) for _ in range(count))


def call(method: str, url: str, body: bytes = b"") -> Any:
    """Return the JSON value of an answer. Raises Unreachable, Refused."""
    parts = urlsplit(url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.netloc, timeout=_SECONDS)
    try:
        connection.request(method, url[len(f"{parts.scheme}://{parts.netloc}") :] or "/", body or None,
                           {"Content-Type": "application/json"} if body else {})  # fmt: skip
        response = connection.getresponse()
        status, content = response.status, response.read()
    except (OSError, http.client.HTTPException) as error:
        raise Unreachable(str(error)) from error
    finally:
        connection.close()
    try:
        # Some deployments have a notice in front of the JSON.
        found = json.loads(content)
    except ValueError:
        raise Refused(status, "no_json", content[:80]) from None
    if status != 200:
        told = found if isinstance(found, dict) else {}
        raise Refused(status, told.get("code"), told.get("message"))
    return found


class Puller:
    """Pulls the queues of every connected site into a mirror."""

    def __init__(self, mirror: Mirror) -> None:
        self.mirror = mirror
        self._turn = threading.Lock()
        self._stop = threading.Event()

    def ask(self, site: int, method: str, path: str, body: Any = None, query: str = "") -> Any:
        """Return what a site answers to a call that its own token signs. Raises Unreachable, Refused."""
        found = self.mirror.site(site)
        if found is None:
            raise Refused(404, "unknown_site")
        content = b"" if body is None else json.dumps(body).encode()
        url = f"{found[1]}/connector/v4{path}" + (f"?{query}" if query else "")
        signed = signed_url(url, found[2], 0, method, content, timestamp=int(time.time()), nonce=letters(10))
        return call(method, signed, content)

    def drain(self, site: int) -> int:
        """Pull everything that waits and return how many items came. Raises Unreachable, Refused."""
        count = 0
        # One at a time: a second buffer would take the first one's lock.
        with self._turn:
            for queue in QUEUES:
                while (got := self._buffer(site, queue)) > 0:
                    count += got
            # After the queues: a full sync that begins calls off one that runs.
            if modules := self.mirror.again(site):
                self.ask(site, "POST", "/sync/full-sync", {"modules": modules})
                self.mirror.fetching(site, modules)
                while (got := self._buffer(site, QUEUES[1])) > 0:
                    count += got
        return count

    def _buffer(self, site: int, queue: str) -> int:
        wanted = {"queue": queue, "number_of_items": _BUFFER, "force": True}
        try:
            sent = self.ask(site, "POST", "/sync/checkout", wanted)
        except Refused as error:
            if error.code == "queue_size":
                return 0
            raise
        items = sent["items"] or {}
        self.mirror.apply(site, queue, items, sent["skipped_items"])
        names = [*items, *sent["skipped_items"]]
        self.ask(site, "POST", "/sync/close", {"queue": queue, "buffer_id": sent["buffer_id"], "item_ids": names})
        return len(names)

    def run(self, seconds: float) -> None:
        """Pull every site each so many seconds, until stopped."""
        while not self._stop.wait(seconds):
            for site in self.mirror.sites():
                try:
                    self.drain(site)
                except (Unreachable, Refused) as error:
                    _LOG.info("site %d: %s", site, error)

    def stop(self) -> None:
        """End `run`."""
        self._stop.set()

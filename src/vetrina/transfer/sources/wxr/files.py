"""The original files of an export's attachments: from a folder, or from where they are served.

Every address comes from the file and none is trusted: only the public internet is asked, unless private networks are
allowed by name of the one who imports.
"""

from __future__ import annotations

import time
from pathlib import Path, PurePosixPath
from typing import Final
from urllib.parse import unquote, urljoin, urlsplit

from vetrina.backends.http_client import NoOutboundResponse, OutboundClient
from vetrina.backends.http_client_urls import OutboundError
from vetrina.transfer.records import Record

_MAX_BYTES: Final = 256 << 20  # bytes of a file
_SECONDS: Final = 120.0  # seconds for a file
_ATTEMPTS: Final = 3
_PAUSE: Final = 1.0  # seconds before the second attempt; doubled before the third
_TRIED_AGAIN: Final = (429, 500, 502, 503, 504)  # statuses of a server that may answer later


class FileLocator:
    """Finds the files of attachments. folder: of the uploads, None to fetch them. allow_private: from any network."""

    def __init__(self, folder: Path | None, allow_private: bool) -> None:
        self._folder = folder.resolve() if folder else None
        self._allow_private = allow_private

    def fetch(self, record: Record, folder: Path) -> Path | None:
        """Put the original file of an attachment into a folder and return its path, None where it isn't to be had."""
        url = str(record.values.get("source_url") or "")
        urls = [url]
        details = record.values.get("meta", {}).get("_cms_attachment_metadata")
        original = details.get("original_image") if isinstance(details, dict) else None
        if isinstance(original, str) and original and "/" not in original:
            # The address is that of a smaller copy; the site makes its own from the original.
            urls.insert(0, urljoin(url, original))
        for one in urls:
            found = self._find_in_folder(record, one) if self._folder else self._download(one, folder)
            if found is not None:
                return found
        return None

    def _find_in_folder(self, record: Record, url: str) -> Path | None:
        """Return the file of the folder that an address ends like: with its months, or its name alone."""
        assert self._folder is not None, "the caller knows that there is one"
        path = PurePosixPath(unquote(urlsplit(url).path))
        attached = str(record.values.get("meta", {}).get("_cms_attached_file") or "")
        tails = [PurePosixPath(attached).with_name(path.name)] if attached and path.name else []
        tails += [PurePosixPath(*path.parts[at:]) for at in range(1, len(path.parts))]
        for tail in tails:
            found = (self._folder / tail).resolve()
            if found.is_relative_to(self._folder) and found.is_file():
                return found
        return None

    def _download(self, url: str, folder: Path) -> Path | None:
        name = PurePosixPath(unquote(urlsplit(url).path)).name
        if not name or "\0" in name:
            return None
        client = OutboundClient(seconds=_SECONDS, most_bytes=_MAX_BYTES)
        pause = _PAUSE
        for attempt in range(_ATTEMPTS):
            try:
                if self._allow_private:
                    client = client.with_allowed_servers(url)
                answer = client.get(url)
            except NoOutboundResponse:
                answer = None
            except OutboundError:
                return None
            if answer is not None and answer.status == 200:
                path = folder / name
                path.write_bytes(answer.body)
                return path
            if answer is not None and answer.status not in _TRIED_AGAIN:
                return None
            if attempt < _ATTEMPTS - 1:
                time.sleep(pause)
                pause *= 2
        return None

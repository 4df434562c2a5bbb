"""Files that a route hands out itself, after it has asked who may have them: streamed, in parts, kept by nobody.

A handler names such a file (`Result.download`); which files there are is passed in. Uploaded files, which anybody may
read: http/file_responses.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from vetrina.http.file_responses import FileServer, FileSource, Headers, Scope, Send

_NEVER_KEPT: Final = "private, no-store"
_ADDRESS: Final = "/"
_THREADS: Final = 2


class DownloadServer:
    """Sends the files of a source to whom a route allows it."""

    def __init__(self, source: FileSource) -> None:
        self._files = FileServer(source, _ADDRESS, _NEVER_KEPT, threads=_THREADS)

    def open(self, scope: Scope, name: str, headers: Mapping[str, Any]) -> FileDownload:
        """Return the answer that is a file. headers: in place of those that files have."""
        own = [(key.lower().encode(), str(value).encode("latin-1")) for key, value in headers.items()]
        return FileDownload(self._files, {**scope, "path": _ADDRESS + name, "query_string": b""}, own)

    def close(self) -> None:
        """Wait for the reads that run."""
        self._files.close()


class FileDownload:
    """One answer that is a file; made by DownloadServer."""

    def __init__(self, files: FileServer, scope: Scope, headers: Headers) -> None:
        self._files, self._scope, self._headers = files, scope, headers

    async def run(self, also: Headers, send: Send) -> None:
        """Send the file, or the part that was asked for. also: headers that every answer has."""
        replaced = {name for name, _ in self._headers}

        async def send_with_headers(message: dict[str, Any]) -> None:
            if "headers" in message:
                kept = [pair for pair in message["headers"] if pair[0] not in replaced]
                own = self._headers if message["status"] in (200, 206) else []
                message = {**message, "headers": [*kept, *own, *also]}
            await send(message)

        await self._files(self._scope, send_with_headers)

"""Beneath which paths there are files: those of the site, and those of the administration's front end.

Which files there are and how they are sent: http/file_responses.py, http/built_files.py.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import NamedTuple

from vetrina.http.built_files import BuiltFileServer
from vetrina.http.file_responses import FileServer, Scope, Send
from vetrina.rest.dialects.dialect import Dialect


class FileMount(NamedTuple):
    """What sends the file that a request asks for, and the request as it wants it."""

    serve: Callable[[Scope, Send], Awaitable[None]]
    scope: Scope


class FileMounts:
    """The files of a site by the beginnings of their paths.

    files: of the site, None for none. built: of the administration, None for none. dialects: whose clients see the
    site's files in another folder.
    """

    def __init__(self, files: FileServer | None, built: BuiltFileServer | None, dialects: Iterable[Dialect]) -> None:
        self._files, self._built = files, built
        self._addresses: tuple[str, ...] = ()
        if files is not None:
            own = files.address
            self._addresses = (own, *(dialect.names.to_client_file(own) for dialect in dialects))

    def find(self, scope: Scope) -> FileMount | None:
        """Return what sends the file at a request's path, None where files have no such path."""
        path = scope["path"]
        if self._files is not None and path.startswith(self._addresses):
            alias = next(one for one in self._addresses if path.startswith(one))
            return FileMount(self._files, {**scope, "path": self._files.address + path[len(alias) :]})
        if self._built is not None and path.startswith(self._built.address):
            return FileMount(self._built, scope)
        return None

    def close(self) -> None:
        """Wait for the reads that run."""
        if self._files is not None:
            self._files.close()

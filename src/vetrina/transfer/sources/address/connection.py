"""What a source needs of a site's interface: answers to reads, in neutral names.

Over HTTP: transfer/sources/address/http_connection.py. A site of this machine is asked without HTTP by `vetrina
export`, which brings a connection of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, Protocol


class SourceReply(NamedTuple):
    """The answer to a read. value: decoded, in neutral names. total, pages: of a list, None where it says neither."""

    value: Any
    total: int | None = None
    pages: int | None = None


class ReadRefused(Exception):
    """The interface answered with an error.

    status: of HTTP, 0 where the answer can't be used at all. code: of the error, in neutral names.
    """

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(status, code, message)
        self.status, self.code, self.message = status, code, message

    def __str__(self) -> str:
        return f"{self.message} ({self.status} {self.code})" if self.code else f"{self.message} ({self.status})"

    @property
    def is_failure(self) -> bool:
        """Whether the site broke on what was asked, rather than refused it: fewer records may be had."""
        return self.status == 0 or self.status >= 500


class SiteConnection(Protocol):
    """A site that can be read.

    key: what names the site, the same at every run. parallel: how many reads may run at once. signed_in: whether it
    reads as an account. has_shop_key: whether the shop is read with keys of its own.
    """

    key: str
    parallel: int
    signed_in: bool
    has_shop_key: bool

    def ask(self, path: str, query: Mapping[str, Any] | None = None, *, patient: bool = True) -> SourceReply:
        """Return the answer to GET of a path, in neutral names.

        query: values are texts, numbers, truth, or lists of texts. patient: whether a server's error is asked again.
        Raises ReadRefused, and SourceError where the site doesn't answer.
        """
        ...

    def fetch_file(self, url: str, path: Path) -> bool:
        """Write a file of the site's library to a path; False where it isn't to be had."""
        ...

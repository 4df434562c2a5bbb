"""Records on their way: what every source reads, every target writes and the comparison compares.

A record has the members that an administrator reads of it in the context `edit`, in neutral names; whatever a source
is made of (another site's interface, a folder of JSON, an export file), it hands its records over in this form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, Protocol

__all__ = [
    "CollectionUnreadable",
    "FileFetcher",
    "IdKind",
    "Record",
    "SkippedRecord",
    "Source",
    "SourceDescription",
    "SourceError",
]


IdKind = Literal["record", "term", "user", "comment"]  # within each of them an id is unique


class SourceError(Exception):
    """A source that can't be read at all: no interface there, a refused password, a file that is no export."""


class CollectionUnreadable(SourceError):
    """A source answers, but a collection of it can't be read to its end; the others can."""


@dataclass(frozen=True)
class Record:
    """One record of a source.

    resource: path of its collection below the API root in neutral names, as `/cms/v2/posts`, or of a single value, as
    `/cms/v2/settings`; one below another record has a placeholder, as `/shop/v3/orders/{order_id}/notes`. id: its id
    there; the name or slug where there is no number. values: its members as an administrator reads them in the context
    `edit`; members that the source doesn't have are absent. language: code of the language that it was read in, empty
    where the source has one language. parent: id of the record that fills the placeholder; 0 where there is none.
    """

    resource: str
    id: int | str
    values: dict[str, Any]
    language: str = ""
    parent: int | str = 0


@dataclass(frozen=True)
class SkippedRecord:
    """A record that a source has and can't give, as the source tells whoever made it.

    id: 0 where not even that can be read. position: in its collection, from 1. reason: a sentence.
    """

    resource: str
    id: int | str
    position: int
    reason: str
    language: str = ""


@dataclass(frozen=True)
class SourceDescription:
    """What a source holds.

    title: of the site. urls: addresses that its content may point to, the site's and its uploads', without a final
    slash. resources: paths of its collections, each after those that it refers to (users, terms, media, content,
    comments, menus, menu items, settings). types, taxonomies: its declarations by slug, as `/cms/v2/types` and
    `/cms/v2/taxonomies` answer them. languages: codes, the default first; empty for one language. unreadable: what the
    source has and doesn't show, or not all of it, to whoever reads it, by path, each with the reason.
    """

    title: str
    urls: tuple[str, ...]
    resources: tuple[str, ...]
    types: dict[str, dict[str, Any]]
    taxonomies: dict[str, dict[str, Any]]
    languages: tuple[str, ...] = ()
    unreadable: Mapping[str, str] = field(default_factory=dict)


class Source(Protocol):
    """Where records come from."""

    @property
    def key(self) -> str:
        """What names this source in the journal of imports: the same at every run."""
        ...

    def describe(self) -> SourceDescription:
        """Return what the source holds. Raises SourceError."""
        ...

    def find_greatest_ids(self) -> Mapping[IdKind, int]:
        """Return the greatest ids by kind, where they are known: a site that keeps ids gives none of them to others.

        Raises SourceError.
        """
        ...

    def count_records(self, resource: str, since: datetime | None = None) -> int | None:
        """Return how many records `read_records` will give, None where only reading tells."""
        ...

    def read_records(self, resource: str, since: datetime | None = None) -> Iterator[Record]:
        """Give the records of a collection, parents before children where the source can; those changed since a moment.

        since: aware; a source that can't tell what changed gives all. Raises SourceError.
        """
        ...

    def fetch_file(self, record: Record, folder: Path) -> Path | None:
        """Put the original file of a media record or a font face into a folder; None where it isn't to be had."""
        ...


FileFetcher = Callable[[Record, Path], Path | None]  # Source.fetch_file

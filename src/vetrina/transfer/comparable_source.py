"""What a source needs beyond its records to be exported and compared whole."""

from __future__ import annotations

from typing import Any, Protocol

from vetrina.transfer.records import Source


class ComparableSource(Source, Protocol):
    """A source that also has the reports of its shop."""

    def read_reports(self) -> dict[str, Any]:
        """Return the totals of the shop's reports by their paths, empty where there are none. Raises SourceError."""
        ...

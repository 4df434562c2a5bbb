"""Which rules write the collections of a shop's catalogue."""

from __future__ import annotations

from vetrina.core.unit_of_work import SiteContext
from vetrina.transfer.target.record_writer import RecordWriter


def build_catalogue_writers(site: SiteContext) -> dict[str, RecordWriter]:
    """Return the writers of the catalogue by the paths of its collections, none for a site without a shop."""
    return {}

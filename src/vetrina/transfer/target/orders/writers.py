"""Which rules write the collections of what a shop has sold, and of how it is set up."""

from __future__ import annotations

from vetrina.core.unit_of_work import SiteContext
from vetrina.transfer.target.record_writer import RecordWriter
from vetrina.transfer.target.users import AuthorChoice


def build_order_writers(site: SiteContext, authors: AuthorChoice) -> dict[str, RecordWriter]:
    """Return the writers of orders and settings by the paths of their collections, none for a site without a shop."""
    return {}

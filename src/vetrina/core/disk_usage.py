"""How many bytes a site takes."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func, select, text

from vetrina.backends.database import Statement
from vetrina.backends.tables.records import media
from vetrina.core.unit_of_work import UnitOfWork

_UPLOADS = Statement(select(func.sum(media.c.filesize)))
_DATABASE_BYTES = Statement(
    lambda kind: text(
        "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
        if kind == "sqlite"
        else "SELECT pg_database_size(current_database())"
    )
)


@dataclass(frozen=True, slots=True)
class SiteSizes:
    """How many bytes a site takes. uploads: those of the uploaded files, without the sizes generated from them."""

    database: int
    uploads: int


def compute_site_sizes(work: UnitOfWork) -> SiteSizes:
    """Return how many bytes the site takes."""
    return SiteSizes(int(work.tx.value(_DATABASE_BYTES) or 0), int(work.tx.value(_UPLOADS) or 0))

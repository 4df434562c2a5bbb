"""How much the translation of a site stores beside its records and terms."""

from __future__ import annotations

from sqlalchemy import func, select

from vetrina.backends.database import Statement
from vetrina.backends.tables.glossary import mlang_glossary
from vetrina.backends.tables.multilingual import mlang_job
from vetrina.core.unit_of_work import UnitOfWork

_JOBS = Statement(select(func.count()).select_from(mlang_job))
_WORDS = Statement(select(func.count()).select_from(mlang_glossary))


def count_stored(work: UnitOfWork) -> dict[str, int]:
    """Return how many translation jobs and entries of the glossary there are."""
    return {"translation jobs": int(work.tx.value(_JOBS)), "glossary entries": int(work.tx.value(_WORDS))}

"""Rules of translation jobs and of strings."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import exists, func, select

from vetrina.backends.tables.multilingual import batch, job, service_job, status
from vetrina.backends.tables.strings import string
from vetrina.core.integrity.rule import Rule, by_parts, selecting
from vetrina.core.unit_of_work import Work
from vetrina.multilingual.strings import rules as strings

__all__ = ["RULES"]

_STRINGS = by_parts(select(string.c.id, string.c.key, string.c.domain, string.c.name, string.c.context), string.c.id)


def _misplaced(work: Work) -> Iterator[str]:
    for id, key, domain, name, context in _STRINGS(work):
        if key != strings.key(domain, name, context):
            yield f"string {id} ({domain}, {name[:40]}) is found under another key"


RULES: tuple[Rule, ...] = (
    selecting(
        "translation-jobs",
        "A thing that is translated names its newest job.",
        select(status.c.rid, status.c.job).where(
            ~exists().where(job.c.id == status.c.job, job.c.rid == status.c.rid, job.c.revision.is_(None))
        ),
        "row {0} names job {1}, which is not its newest",
        "Cancel the translation and ask for it anew.",
    ),
    selecting(
        "newest-jobs",
        "A thing that is translated has one newest job.",
        select(job.c.rid, func.count()).where(job.c.revision.is_(None)).group_by(job.c.rid).having(func.count() > 1),
        "row {0} has {1} newest jobs",
        "Cancel the translation and ask for it anew.",
    ),
    selecting(
        "translation-batches",
        "Translation jobs were sent in batches that are there.",
        select(status.c.rid, status.c.batch).where(~exists().where(batch.c.id == status.c.batch)),
        "row {0} was sent in batch {1}",
        "Put a backup back, or send it anew.",
    ),
    selecting(
        "service-jobs",
        "The service of the house holds files of jobs that are there.",
        select(service_job.c.job).where(~exists().where(job.c.id == service_job.c.job)),
        "there is a file of job {0}, which is gone",
        "Nothing needs to be done: nobody fetches the file.",
    ),
    Rule("string-keys", "Strings are found under their keys.", _misplaced, "Remove the string; it is read anew."),
)

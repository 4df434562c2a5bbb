"""Consistency checks of translation jobs and strings for `vetrina check`."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import exists, func, select

from vetrina.backends.tables.multilingual import mlang_batch, mlang_job, mlang_service_job, mlang_status
from vetrina.backends.tables.strings import mlang_string
from vetrina.core.integrity.rule import IntegrityRule, build_row_iterator, build_select_rule
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.multilingual.strings import rules as strings

_STRINGS = build_row_iterator(
    select(mlang_string.c.id, mlang_string.c.key, mlang_string.c.domain, mlang_string.c.name, mlang_string.c.context),
    mlang_string.c.id,
)


def _iterate_misplaced_strings(work: UnitOfWork) -> Iterator[str]:
    for id, key, domain, name, context in _STRINGS(work):
        if key != strings.compute_string_key(domain, name, context):
            yield f"string {id} ({domain}, {name[:40]}) is found under another key"


RULES: tuple[IntegrityRule, ...] = (
    build_select_rule(
        "translation-jobs",
        "A thing that is translated names its newest job.",
        select(mlang_status.c.rid, mlang_status.c.job).where(
            ~exists().where(
                mlang_job.c.id == mlang_status.c.job,
                mlang_job.c.rid == mlang_status.c.rid,
                mlang_job.c.revision.is_(None),
            )
        ),
        "row {0} names job {1}, which is not its newest",
        "Cancel the translation and ask for it again.",
    ),
    build_select_rule(
        "newest-jobs",
        "A thing that is translated has one newest job.",
        select(mlang_job.c.rid, func.count())
        .where(mlang_job.c.revision.is_(None))
        .group_by(mlang_job.c.rid)
        .having(func.count() > 1),
        "row {0} has {1} newest jobs",
        "Cancel the translation and ask for it again.",
    ),
    build_select_rule(
        "translation-batches",
        "Translation jobs were sent in batches that are there.",
        select(mlang_status.c.rid, mlang_status.c.batch).where(
            ~exists().where(mlang_batch.c.id == mlang_status.c.batch)
        ),
        "row {0} was sent in batch {1}",
        "Put a backup back, or send it again.",
    ),
    build_select_rule(
        "service-jobs",
        "The service of the house holds files of jobs that are there.",
        select(mlang_service_job.c.job).where(~exists().where(mlang_job.c.id == mlang_service_job.c.job)),
        "there is a file of job {0}, which is gone",
        "Nothing needs to be done: nobody fetches the file.",
    ),
    IntegrityRule(
        "string-keys",
        "Strings are found under their keys.",
        _iterate_misplaced_strings,
        "Remove the string; it is read again.",
    ),
)

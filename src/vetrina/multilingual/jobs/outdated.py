"""Outdated translations: flagged in the transaction that changes their source, from its change log.

Not here: what an original copies to its translations (content/translations/copied_from_original.py).
Rules: docs/rules/translation_jobs.md, 9 and docs/rules/translated_content.md, 8, 18 and 19.
"""

from __future__ import annotations

from typing import Final

import msgspec
from sqlalchemy import bindparam, select, update

from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.multilingual import mlang_field, mlang_status
from vetrina.content.records import model as record_model
from vetrina.content.records.model import Record
from vetrina.content.translations import record_translations
from vetrina.content.translations.copied_from_original import DUPLICATE_OF
from vetrina.content.translations.modes import TranslationMode, get_translation_mode
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError
from vetrina.media.attachments.rules import TWIN_META_KEY
from vetrina.multilingual.jobs import creation as job_creation, model as job_model, translators as job_translators
from vetrina.multilingual.jobs.model import TranslationJob
from vetrina.multilingual.jobs.states import TranslationJobEvent, TranslationJobState, get_next_state
from vetrina.multilingual.translations.element_types import get_translatable_kind
from vetrina.multilingual.translations.translatables import STRINGS

_CREATION_EVENTS: Final = frozenset({"created", "alone", "published"})
_OF_THINGS = Statement(
    job_model.select_newest_jobs()
    .where(mlang_status.c.element_type == bindparam("element_type"), InList(mlang_status.c.element, "elements"))
    .order_by(mlang_status.c.rid)
)
_TRANSLATED = Statement(
    job_model.select_newest_jobs().where(
        mlang_status.c.element_type == bindparam("element_type"), InList(mlang_status.c.translation, "elements")
    )
)
_CLEAR_TRANSLATION = Statement(
    update(mlang_status)
    .where(mlang_status.c.element_type == bindparam("of_type"), mlang_status.c.translation == bindparam("gone"))
    .values(translation=0)
)
_OF_STRINGS = Statement(
    select(mlang_status.c.rid)
    .join(mlang_field, mlang_field.c.job == mlang_status.c.job)
    .where(mlang_status.c.element_type == STRINGS, InList(mlang_field.c.name, "names"))
    .distinct()
)


def expect_reads(work: UnitOfWork, kind: str, item: str) -> None:
    """Expect what `flag_outdated_translations` reads after a change of one thing."""
    what = "post" if kind in work.site.types else "tax" if kind in work.site.taxonomies else ""
    if not what or not item.isdecimal():
        return
    number = int(item)
    if what == "post" and record_translations.is_new_group(work, number):
        return
    work.tx.expect(_OF_THINGS, element_type=f"{what}_{kind}", elements=encode_list([number]))
    if what == "post":
        record_model.expect_records(work.tx, [number])


def flag_outdated_translations(work: UnitOfWork) -> None:
    """Flag the translations of items that this transaction changed, and delete the jobs of items that it deleted."""
    changed: dict[str, set[int]] = {}
    removed: set[tuple[str, int]] = set()
    strings: set[str] = set()
    site, alone = work.site, _list_created_alone(work)
    for kind, item, action in work.changes:
        if not item.isdecimal() or (kind, item) in alone:
            continue
        if kind == "string":
            strings.add(item)
            continue
        what = "post" if kind in site.types else "tax" if kind in site.taxonomies else ""
        if what and action == "removed":
            removed.add((f"{what}_{kind}", int(item)))
        elif what:
            changed.setdefault(f"{what}_{kind}", set()).add(int(item))
    for element_type, numbers in changed.items():
        for row in work.tx.all(_OF_THINGS, element_type=element_type, elements=encode_list(sorted(numbers))):
            _flag_if_changed(work, job_model.row_to_job(row))
        if element_type.startswith("post_"):
            _record_manual_translations(work, element_type, numbers)
    if strings:
        names = encode_list(name for one in sorted(strings) for name in (f"string-{one}", f"string-{one}-0"))
        for (rid,) in work.tx.all(_OF_STRINGS, names=names):
            found = job_model.find_job_by_rid(work, rid)
            if found is not None:
                _flag_if_changed(work, found)
    for element_type, number in removed:
        job_model.delete_job_rows(work, element_type, number)
        work.tx.run(_CLEAR_TRANSLATION, of_type=element_type, gone=number)


def _list_created_alone(work: UnitOfWork) -> set[tuple[str, str]]:
    """Return the records that were created without translations and not changed since: no job can know them."""
    alone = {(kind, item) for kind, item, action in work.changes if action == "alone"}
    if alone:
        alone -= {(kind, item) for kind, item, action in work.changes if action not in _CREATION_EVENTS}
    return alone


def _flag_if_changed(work: UnitOfWork, job: TranslationJob) -> None:
    """Flag a job whose source has changed since it was sent."""
    if job.state not in (TranslationJobState.COMPLETE, TranslationJobState.SWITCHED_OFF):
        # Open jobs are compared when they are completed.
        return
    now = _compute_fingerprint(work, job)
    if now is None or now == job.md5:
        return
    state = TranslationJobState.NOT_TRANSLATED if job.state is TranslationJobState.SWITCHED_OFF else job.state
    job_model.update_job(work, job, msgspec.structs.replace(job, md5=now, needs_update=True, status=state.value))


def _compute_fingerprint(work: UnitOfWork, job: TranslationJob) -> str | None:
    kind = get_translatable_kind(job.element_type)
    try:
        return kind.fingerprint(work, kind.get_translatable(work, job.element_type, job.element))
    except ApiError:
        return None


def _record_manual_translations(work: UnitOfWork, element_type: str, numbers: set[int]) -> None:
    """Mark translations that were saved outside of jobs as complete and up to date."""
    saved = {
        id: record
        for id, record in record_model.find_records(work.tx, sorted(numbers)).items()
        # The record created for an upload in another language is not translated by anybody yet.
        if record.source_language and record.status not in ("trash", "auto-draft") and TWIN_META_KEY not in record.meta
    }
    if not saved or get_translation_mode(work, element_type) is TranslationMode.NOT_TRANSLATED:
        return
    rows = work.tx.all(_TRANSLATED, element_type=element_type, elements=encode_list(sorted(saved)))
    known = {job.translation: job for job in map(job_model.row_to_job, rows)}
    # Translations written by their own jobs.
    finished = {item for kind, item, _ in work.changes if kind == job_model.KIND}
    for id, record in saved.items():
        job = known.get(id)
        if job is None:
            _adopt_translation(work, element_type, record)
            job_translators.grant_pair_of_record(work, record)
            continue
        # The source was saved in the same transaction, so the change came from there.
        if job.element in numbers or str(job.rid) in finished:
            continue
        job_translators.grant_pair_of_record(work, record)
        state = job.state
        copies = bool(record.meta.get(DUPLICATE_OF))
        if copies and state is TranslationJobState.COMPLETE:
            state = get_next_state(state, TranslationJobEvent.DUPLICATED)
        elif not copies and state is TranslationJobState.DUPLICATE:
            state = get_next_state(state, TranslationJobEvent.MADE_INDEPENDENT)
        md5 = _compute_fingerprint(work, job) or job.md5
        if state in (TranslationJobState.COMPLETE, TranslationJobState.DUPLICATE):
            new = msgspec.structs.replace(job, status=state.value, needs_update=False, md5=md5)
            job_model.update_job(work, job, new)


def _adopt_translation(work: UnitOfWork, element_type: str, record: Record) -> None:
    """Create the status row of a translation that has none; an open job keeps its row."""
    source = record_translations.load_record_group(work, record).get(record.source_language)
    if source is None:
        return
    rows = job_model.list_jobs_of_translatable(work, element_type, source.id)
    if any(job.target_language == record.language for job in rows):
        return
    try:
        thing = get_translatable_kind(element_type).get_translatable(work, element_type, source.id)
    except ApiError:
        return
    state = TranslationJobState.DUPLICATE if record.meta.get(DUPLICATE_OF) else TranslationJobState.COMPLETE
    job_creation.adopt_translation(work, thing, record.language, record.id, state, translator=work.user.id)

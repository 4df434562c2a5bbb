"""New translation jobs: for items and target languages, all in one batch, and for translations made without a job.

A new job takes the place of the newest one of its item and language, and reuses its texts. Not here: which items and
recipients a request means (multilingual/jobs/requests.py), what becomes of a job (multilingual/jobs/rules.py).
Rules: docs/rules/translation_jobs.md, 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from vetrina.backends.id_sequences import allocate_id
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.date_format import format_date
from vetrina.kernel.errors import ApiError
from vetrina.kernel.folding import build_sort_key
from vetrina.multilingual.jobs import (
    cancellation,
    mails as job_mails,
    model as job_model,
    translators as job_translators,
)
from vetrina.multilingual.jobs.model import LOCAL, TranslationBatch, TranslationJob, TranslationJobField
from vetrina.multilingual.jobs.states import (
    HIDDEN,
    OPEN,
    TranslationJobEvent,
    TranslationJobState,
    TranslationReview,
    get_next_state,
)
from vetrina.multilingual.translations.element_types import get_translatable_kind
from vetrina.multilingual.translations.translatables import Translatable
from vetrina.multilingual.translations.word_count import count_words


class SameTargetLanguage(ApiError):
    """The target language is the item's own language."""

    code = "mlang_same_language"
    message = "{type} {id} is in {language!r} already. Name another target language."


def create_jobs(
    work: UnitOfWork,
    translatables: Sequence[Translatable],
    target_languages: Sequence[str],
    *,
    translator: int = 0,
    deadline: int = 0,
    service: str = LOCAL,
    editor: str = "mlang",
    automatic: bool = False,
    batch_name: str = "",
    note: str = "",
) -> list[TranslationJob]:
    """Create a job for each item and target language, all in one batch, and return them.

    An open job for the same item and language is cancelled first; texts of an older translation are reused.
    translator: an account id, 0 for any. deadline: seconds since 1970, 0 for none.
    editor: `mlang` (this interface) or `ate` (the remote editor). batch_name: derived from the date when empty.
    Raises SameTargetLanguage, TranslatorNotFound.
    """
    for translatable in translatables:
        if translatable.language in target_languages:
            raise SameTargetLanguage(
                type=translatable.element_type, id=translatable.element, language=translatable.language
            )
    batch = _create_batch(work, batch_name, automatic)
    made = []
    for translatable in translatables:
        kind = get_translatable_kind(translatable.element_type)
        fingerprint = kind.fingerprint(work, translatable)
        rows = {
            one.target_language: one
            for one in job_model.list_jobs_of_translatable(work, translatable.element_type, translatable.element)
        }
        for language in target_languages:
            texts = kind.texts(work, translatable, language)
            words = count_words(text.source for text in texts if text.wanted)
            new = _build_job(
                work, translatable, language, batch, translation=kind.translation(work, translatable, language),
                md5=fingerprint, status=TranslationJobState.WAITING, service=service, translator=translator, note=note,
                editor=editor, automatic=automatic, deadline=deadline, words=words,
            )  # fmt: skip
            made.append(_insert_new_job(work, rows.get(language), new, texts))
    if translator:
        user = job_translators.get_translator(work, translator)
        for one in made:
            user = job_translators.grant_pair_of_job(work, user, one)
        job_mails.notify_assigned(work, made, user)
    else:
        job_mails.notify_offered(work, made)
    return made


def adopt_translation(
    work: UnitOfWork,
    translatable: Translatable,
    language: str,
    translation: int,
    state: TranslationJobState,
    *,
    translator: int = 0,
) -> TranslationJob:
    """Create the status row of a translation that was made without a job: written by hand, or a duplicate."""
    fingerprint = get_translatable_kind(translatable.element_type).fingerprint(work, translatable)
    new = _build_job(
        work, translatable, language, _create_batch(work, "", False), rid=allocate_id(work.tx, "mlang_status"),
        translation=translation, md5=fingerprint, status=state.value, translated=True, translator=translator,
        edited=work.now, completed=work.now,
    )  # fmt: skip
    job_model.insert_status_row(work, new)
    return new


def _build_job(
    work: UnitOfWork, translatable: Translatable, language: str, batch: TranslationBatch, **members: Any
) -> TranslationJob:
    """Return a job of an item that is sent now by the caller. members: those that are not as in a new job."""
    new = TranslationJob(
        rid=0, type=translatable.type, element_type=translatable.element_type, element=translatable.element,
        source_language=translatable.language, target_language=language, translation=0, status=0, needs_update=False,
        md5="", service=LOCAL, service_number=0, service_revision=1, service_status="", review=TranslationReview.NONE,
        retries=0, batch=batch.id, previous={}, number=allocate_id(work.tx, "mlang_job"), revision=None,
        translated=False, manager=work.user.id, translator=0, title=translatable.title, note="", editor="cms",
        editor_job=0, automatic=False, sent=work.now, deadline=0, edited=0, completed=0, words=0, costs=0,
        synchronised=0, service_data={},
    )  # fmt: skip
    return msgspec.structs.replace(new, **members)


def _insert_new_job(
    work: UnitOfWork, old: TranslationJob | None, new: TranslationJob, texts: list[TranslationJobField]
) -> TranslationJob:
    """Insert a new job in place of the newest job of its row."""
    if old is None:
        new = msgspec.structs.replace(new, rid=allocate_id(work.tx, "mlang_status"))
        job_model.insert_status_row(work, new)
        job_model.replace_job_fields(work, new.number, texts)
        return new
    get_next_state(old.state, TranslationJobEvent.SENT)
    if old.state in OPEN:
        old = cancellation.withdraw_job(work, old)
    old_fields = {one.name: one for one in job_model.list_job_fields(work, old)} if old.translated else {}
    previous = {} if old.state in HIDDEN else cancellation.capture_previous(old)
    new = msgspec.structs.replace(
        new, rid=old.rid, previous=previous, service_revision=old.service_revision + 1,
        translation=new.translation or old.translation,
    )  # fmt: skip
    job_model.retire_job(work, old)
    job_model.insert_job(work, new)
    job_model.set_newest_job(work, new)
    before = msgspec.structs.replace(new, **{name: getattr(old, name) for name in job_model.ROW_MEMBERS})
    job_model.update_job(work, before, new)
    job_model.replace_job_fields(work, new.number, [_reuse_target(text, old_fields.get(text.name)) for text in texts])
    return new


def _reuse_target(text: TranslationJobField, earlier: TranslationJobField | None) -> TranslationJobField:
    """Return a field with the target that an earlier job gave it."""
    if earlier is None or not earlier.target or not text.wanted:
        return text
    reused = "tm-suggestion" if earlier.source == text.source else "leveraged-tm"
    return msgspec.structs.replace(text, target=earlier.target, reused=reused)


def _create_batch(work: UnitOfWork, name: str, automatic: bool) -> TranslationBatch:
    id = allocate_id(work.tx, "mlang_batch")
    day = format_date("F \\t\\h\\e jS, Y", work.local_now)
    name = name or f"{'Automatic' if automatic else 'Manual'} Translations from {day}"
    new = TranslationBatch(id=id, name=name, name_key=build_sort_key(name), updated=work.now)
    job_model.save_batch(work, new)
    return new

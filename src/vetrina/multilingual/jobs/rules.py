"""Translation jobs: made, given to somebody, filled, finished, taken back. Every move asks the table of multilingual/jobs/states.py.

Not here: the texts of each kind of thing (multilingual/translations/element_types.py), files that carry them
(multilingual/xliff/writer.py, multilingual/xliff/reader.py), lists (multilingual/jobs/listing.py), sources that change
(multilingual/jobs/outdated.py), ways to services (multilingual/services/dispatch.py). Rules: facts of the multilingual
layer, "Life cycle"; what the reference leaves open is decided for its users.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from vetrina.backends.id_sequences import next_number
from vetrina.core.unit_of_work import Work
from vetrina.kernel.date_format import date_text
from vetrina.kernel.errors import ApiError
from vetrina.kernel.folding import sort_key
from vetrina.multilingual.jobs import mails as job_mails
from vetrina.multilingual.jobs import model as job_model
from vetrina.multilingual.jobs import translators as job_translators
from vetrina.multilingual.jobs.model import LOCAL, Batch, Job, JobField
from vetrina.multilingual.jobs.states import HIDDEN, OPEN, Event, Review, State, moved
from vetrina.multilingual.translations.element_types import kind_of
from vetrina.multilingual.translations.translatables import Thing
from vetrina.multilingual.translations.word_count import has_words, words_in

__all__ = [
    "JobOutdated", "JobUnknown", "NoTexts", "SameLanguage", "adopt", "assign", "by_number", "by_rid", "cancel",
    "create", "deliver", "existing", "existing_row", "move", "opened", "resign", "review", "save",
]  # fmt: skip

by_number, by_rid = job_model.by_number, job_model.by_rid


class JobUnknown(ApiError):
    """No job has the number."""

    status, code = 404, "mlang_job_not_found"
    message = "Cannot find job {number}."

    def __init__(self, number: object) -> None:
        super().__init__(number=number, data={"number": 400})


class JobOutdated(ApiError):
    """A later job stands in this one's place; only the newest of a translation can be filled."""

    status, code = 409, "mlang_job_outdated"
    message = "Job {number} was followed by job {newest}. Fill that one."

    def __init__(self, number: int, newest: int) -> None:
        super().__init__(number=number, newest=newest, data={"newest": newest})


class SameLanguage(ApiError):
    """A thing is to be translated into the language that it has."""

    code = "mlang_same_language"
    message = "{type} {id} is in {language!r} already. Name another target language."


class NoTexts(ApiError):
    """A delivery leaves texts untranslated that the job asks for."""

    code = "mlang_job_incomplete"
    message = "{count} text(s) have no translation, the first of them {name!r}. Send them, or save the job unfinished."

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(count=len(names), name=names[0], data={"fields": list(names)})


def existing(work: Work, number: int) -> Job:
    """Return the job with a number of its own. Raises JobUnknown."""
    found = job_model.by_number(work, number)
    if found is None:
        raise JobUnknown(number)
    return found


def existing_row(work: Work, rid: int) -> Job:
    """Return the newest job of a row. Raises JobUnknown."""
    found = job_model.by_rid(work, rid)
    if found is None:
        raise JobUnknown(rid)
    return found


def create(
    work: Work,
    things: Sequence[Thing],
    target_languages: Sequence[str],
    *,
    translator: int = 0,
    deadline: int = 0,
    service: str = LOCAL,
    editor: str = "mlang",
    automatic: bool = False,
    batch_name: str = "",
    note: str = "",
) -> list[Job]:
    """Make a job for each thing and target language, all of one batch, and return them.

    What is still open for the same thing and language is cancelled first; an older translation lends its texts.
    translator: an account's number, 0 for any. deadline: seconds since 1970, 0 for none.
    editor: `mlang` (this interface) or `ate` (the remote editor). batch_name: made of the date when empty.
    Raises SameLanguage, TranslatorUnknown.
    """
    for thing in things:
        if thing.language in target_languages:
            raise SameLanguage(type=thing.element_type, id=thing.element, language=thing.language)
    batch = _batch(work, batch_name, automatic)
    made = []
    for thing in things:
        kind = kind_of(thing.element_type)
        fingerprint = kind.fingerprint(work, thing)
        rows = {one.target_language: one for one in job_model.of_thing(work, thing.element_type, thing.element)}
        for language in target_languages:
            texts = kind.texts(work, thing, language)
            words = words_in(text.source for text in texts if text.wanted)
            new = Job(
                rid=0, type=thing.type, element_type=thing.element_type, element=thing.element,
                source_language=thing.language, target_language=language,
                translation=kind.translation(work, thing, language), status=State.WAITING, needs_update=False,
                md5=fingerprint, service=service, service_number=0, service_revision=1, service_status="",
                review=Review.NONE, retries=0, batch=batch.id, previous={}, number=next_number(work.tx, "mlang_job"),
                revision=None, translated=False, manager=work.user.id, translator=translator, title=thing.title,
                note=note, editor=editor, editor_job=0, automatic=automatic, sent=work.now, deadline=deadline,
                edited=0, completed=0, words=words, costs=0, synchronised=0, service_data={},
            )  # fmt: skip
            made.append(_stored(work, rows.get(language), new, texts))
    if translator:
        user = job_translators.require(work, translator)
        for one in made:
            user = job_translators.give_pair(work, user, one.source_language, one.target_language)
        job_mails.assigned(work, made, user)
    else:
        job_mails.offered(work, made)
    return made


def adopt(
    work: Work, thing: Thing, language: str, translation: int, state: State, *, translator: int = 0
) -> Job:  # fmt: skip
    """Make the row of a translation that was made without a job: written by hand, or a duplicate."""
    batch = _batch(work, "", False)
    new = Job(
        rid=next_number(work.tx, "mlang_status"), type=thing.type, element_type=thing.element_type,
        element=thing.element, source_language=thing.language, target_language=language, translation=translation,
        status=state.value, needs_update=False, md5=kind_of(thing.element_type).fingerprint(work, thing), service=LOCAL,
        service_number=0, service_revision=1, service_status="", review=Review.NONE, retries=0, batch=batch.id,
        previous={}, number=next_number(work.tx, "mlang_job"), revision=None, translated=True, manager=work.user.id,
        translator=translator, title=thing.title, note="", editor="cms", editor_job=0, automatic=False, sent=work.now,
        deadline=0, edited=work.now, completed=work.now, words=0, costs=0, synchronised=0, service_data={},
    )  # fmt: skip
    job_model.insert_row(work, new)
    return new


def move(work: Work, job: Job, event: Event, **changes: Any) -> Job:
    """Store what an event makes of a job, with further members. Raises IllegalMove, JobOutdated."""
    _require_newest(work, job)
    return job_model.store(
        work, job, msgspec.structs.replace(job, **{"status": moved(job.state, event).value, **changes})
    )


def assign(work: Work, job: Job, translator: int) -> Job:
    """Give a job to a translator of the house; to the one who has it, nothing changes.

    Both translators and who manages the job get told. Raises IllegalMove, JobOutdated, TranslatorUnknown.
    """
    user = job_translators.require(work, translator)
    if job.translator == translator:
        return job
    # What is complete already is given back by cancelling.
    previous = _kept(job) if job.state is State.COMPLETE else job.previous
    new = move(work, job, Event.ASSIGNED, translator=translator, service=LOCAL, previous=previous)
    user = job_translators.give_pair(work, user, job.source_language, job.target_language)
    if job.translator and job.state is not State.COMPLETE:
        job_mails.withdrawn(work, job)
    job_mails.assigned(work, [new], user)
    return new


def opened(work: Work, job: Job) -> Job:
    """Note that somebody begins to translate; a job without a translator becomes the opener's, a complete one stays.

    Raises IllegalMove, JobOutdated.
    """
    if job.state is State.COMPLETE:
        return job
    return move(work, job, Event.OPENED, translator=job.translator or work.user.id, edited=work.now)


def resign(work: Work, job: Job) -> Job:
    """Give a job back, for anybody to take; who manages it gets told. Raises IllegalMove, JobOutdated."""
    job_mails.resigned(work, job)
    return move(work, job, Event.RESIGNED, translator=0)


def save(work: Work, job: Job, texts: Mapping[str, str]) -> Job:
    """Keep some translations of a job that is not finished. texts: by the names of the fields.

    Raises IllegalMove, JobOutdated.
    """
    new = move(work, job, Event.SAVED, translated=False, edited=work.now)
    _keep(work, job, texts)
    return new


def deliver(
    work: Work, job: Job, texts: Mapping[str, str], *, review: Review = Review.NONE, draft: bool | None = False
) -> Job:
    """Finish a job: its translations are stored, the translation is written and linked, and nothing is left open.

    texts: by the names of the job's fields; others are passed over, and those that are missing keep what an earlier
    translation of the same text lent them. review: whether somebody has to look at it still.
    draft: whether what is made anew waits as a draft; None where a draft that is there is published.
    Raises IllegalMove, JobOutdated, NoTexts, and what writing raises.
    """
    _require_newest(work, job)
    moved(job.state, Event.COMPLETED)
    filled = _filled(work, job, texts)
    missing = [one.name for one in filled if one.wanted and not one.target and has_words(one.source)]
    if missing:
        raise NoTexts(missing)
    job_model.store_fields(work, job, [msgspec.structs.replace(one, finished=True) for one in filled if one.wanted])
    kind = kind_of(job.element_type)
    translation = kind.apply(work, job, filled, draft=draft)
    finisher = 0 if job.automatic else work.user.id
    done = move(
        work, job, Event.COMPLETED, translation=translation, translated=True, completed=work.now, edited=work.now,
        needs_update=False, review=review, previous={}, translator=job.translator or finisher,
    )  # fmt: skip
    job_mails.completed(work, done)
    return _compared(work, done)


def review(work: Work, job: Job, state: Review) -> Job:
    """Note how far the look at a machine's translation is. Raises IllegalMove."""
    return move(work, job, Event.REVIEWED, review=state)


def cancel(work: Work, job: Job, event: Event = Event.CANCELLED) -> Job:
    """Take a job back; an earlier translation is what it was before. Raises IllegalMove, JobOutdated."""
    job_mails.withdrawn(work, job)
    return _taken_back(work, job, event)


def _taken_back(work: Work, job: Job, event: Event = Event.CANCELLED) -> Job:
    _require_newest(work, job)
    after = moved(job.state, event)
    if event is Event.CANCELLED and job.previous:
        return _restored(work, job)
    return job_model.store(work, job, msgspec.structs.replace(job, status=after.value, needs_update=False, review=""))


# -- one row


def _stored(work: Work, old: Job | None, new: Job, texts: list[JobField]) -> Job:
    """Write a new job, in the place of the one that its row had."""
    if old is None:
        new = msgspec.structs.replace(new, rid=next_number(work.tx, "mlang_status"))
        job_model.insert_row(work, new)
        job_model.replace_fields(work, new.number, texts)
        return new
    moved(old.state, Event.SENT)
    if old.state in OPEN:
        old = _taken_back(work, old)
    lent = {one.name: one for one in job_model.fields(work, old)} if old.translated else {}
    previous = {} if old.state in HIDDEN else _kept(old)
    new = msgspec.structs.replace(
        new, rid=old.rid, previous=previous, service_revision=old.service_revision + 1,
        translation=new.translation or old.translation,
    )  # fmt: skip
    job_model.retire(work, old)
    job_model.insert_job(work, new)
    job_model.point_to(work, new)
    before = msgspec.structs.replace(new, **{name: getattr(old, name) for name in job_model.ROW_MEMBERS})
    job_model.store(work, before, new)
    job_model.replace_fields(work, new.number, [_reused(text, lent.get(text.name)) for text in texts])
    return new


def _kept(old: Job) -> dict[str, Any]:
    """Return what cancelling a job gives back of the one before it."""
    names = ("status", "needs_update", "md5", "service", "service_number", "service_status", "review", "batch")
    return {**{name: getattr(old, name) for name in names}, "job": old.number}


def _restored(work: Work, job: Job) -> Job:
    """Return the state before a job that is cancelled, stored: the older job is the newest again."""
    before = dict(job.previous)
    older = job_model.by_number(work, before.pop("job"))
    if older is None:
        return job_model.store(work, job, msgspec.structs.replace(job, **before, previous={}))
    job_model.retire(work, job)
    job_model.revive(work, older)
    older = msgspec.structs.replace(older, revision=None)
    job_model.point_to(work, older)
    return job_model.store(work, older, msgspec.structs.replace(older, **before, previous={}))


def _require_newest(work: Work, job: Job) -> None:
    if not job.is_newest:
        newest = job_model.by_rid(work, job.rid)
        raise JobOutdated(job.number, newest.number if newest else 0)


# -- texts


def _reused(text: JobField, lent: JobField | None) -> JobField:
    """Return a text with what an earlier job made of it."""
    if lent is None or not lent.target or not text.wanted:
        return text
    reused = "tm-suggestion" if lent.source == text.source else "leveraged-tm"
    return msgspec.structs.replace(text, target=lent.target, reused=reused)


def _filled(work: Work, job: Job, texts: Mapping[str, str]) -> list[JobField]:
    """Return the texts of a job with the translations that came."""
    out = []
    for one in job_model.fields(work, job):
        if one.wanted and texts.get(one.name):
            one = msgspec.structs.replace(one, target=texts[one.name])
        elif one.wanted and one.reused == "leveraged-tm" and not one.finished:
            # Lent by a text that has changed since: nobody said that it still holds.
            one = msgspec.structs.replace(one, target="")
        if one.wanted and not one.target and not has_words(one.source):
            # No file asks for it (multilingual/xliff/writer.py): signs without words are the same in every language.
            one = msgspec.structs.replace(one, target=one.source)
        out.append(one)
    return out


def _keep(work: Work, job: Job, texts: Mapping[str, str]) -> None:
    fields = {one.name: one for one in job_model.fields(work, job) if one.wanted}
    kept = [
        msgspec.structs.replace(fields[name], target=target, finished=bool(target))
        for name, target in texts.items()
        if name in fields
    ]
    job_model.store_fields(work, job, kept)


def _compared(work: Work, job: Job) -> Job:
    """Flag a finished job whose source changed while it was under way."""
    kind = kind_of(job.element_type)
    try:
        thing = kind.found(work, job.element_type, job.element)
    except ApiError:
        return job
    now = kind.fingerprint(work, thing)
    if now == job.md5:
        return job
    return job_model.store(work, job, msgspec.structs.replace(job, md5=now, needs_update=True))


def _batch(work: Work, name: str, automatic: bool) -> Batch:
    id = next_number(work.tx, "mlang_batch")
    day = date_text("F \\t\\h\\e jS, Y", work.local_now)
    name = name or f"{'Automatic' if automatic else 'Manual'} Translations from {day}"
    new = Batch(id=id, name=name, name_key=sort_key(name), updated=work.now)
    job_model.store_batch(work, new)
    return new

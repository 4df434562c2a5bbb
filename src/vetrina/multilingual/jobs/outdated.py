"""Translations whose source has changed: flagged in the transaction that changed it, by what that wrote into its log.

Not here: what an original hands on to its translations by itself (content/translations/copies.py).
Rules: facts of the multilingual layer, 6.4, 5.7 and 5.8.
"""

from __future__ import annotations

import msgspec
from sqlalchemy import bindparam, select, update

from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import Among, listed
from vetrina.backends.tables.multilingual import field, status
from vetrina.content.records import model as record_model
from vetrina.content.records.model import Record
from vetrina.content.translations import record_translations
from vetrina.content.translations.copies import DUPLICATE_OF
from vetrina.content.translations.modes import Mode, mode
from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import ApiError
from vetrina.media.attachments.store import TWIN
from vetrina.multilingual.jobs import model as job_model
from vetrina.multilingual.jobs import rules as jobs
from vetrina.multilingual.jobs import translators as job_translators
from vetrina.multilingual.jobs.model import Job
from vetrina.multilingual.jobs.states import Event, State, moved
from vetrina.multilingual.translations.element_types import kind_of
from vetrina.multilingual.translations.translatables import STRINGS

__all__ = ["settle"]

_OF_THINGS = Statement(
    job_model.selected()
    .where(status.c.element_type == bindparam("element_type"), Among(status.c.element, "elements"))
    .order_by(status.c.rid)
)
_TRANSLATED = Statement(
    job_model.selected().where(
        status.c.element_type == bindparam("element_type"), Among(status.c.translation, "elements")
    )
)
_FORGET = Statement(
    update(status)
    .where(status.c.element_type == bindparam("of_type"), status.c.translation == bindparam("gone"))
    .values(translation=0)
)
_OF_STRINGS = Statement(
    select(status.c.rid)
    .join(field, field.c.job == status.c.job)
    .where(status.c.element_type == STRINGS, Among(field.c.name, "names"))
    .distinct()
)


def settle(work: Work) -> None:
    """Flag the translations of what a work changed, and forget the jobs of what it removed."""
    if "multilingual" not in work.frame.profile.modules:
        return
    changed: dict[str, set[int]] = {}
    removed: set[tuple[str, int]] = set()
    strings: set[str] = set()
    frame = work.frame
    for kind, item, action in work.noted:
        if not item.isdecimal():
            continue
        if kind == "string":
            strings.add(item)
            continue
        what = "post" if kind in frame.types else "tax" if kind in frame.taxonomies else ""
        if what and action == "removed":
            removed.add((f"{what}_{kind}", int(item)))
        elif what:
            changed.setdefault(f"{what}_{kind}", set()).add(int(item))
    for element_type, numbers in changed.items():
        for row in work.tx.all(_OF_THINGS, element_type=element_type, elements=listed(sorted(numbers))):
            _compare(work, job_model.of_row(row))
        if element_type.startswith("post_"):
            _by_hand(work, element_type, numbers)
    if strings:
        names = listed(name for one in sorted(strings) for name in (f"string-{one}", f"string-{one}-0"))
        for (rid,) in work.tx.all(_OF_STRINGS, names=names):
            found = job_model.by_rid(work, rid)
            if found is not None:
                _compare(work, found)
    for element_type, number in removed:
        job_model.remove_rows(work, element_type, number)
        work.tx.run(_FORGET, of_type=element_type, gone=number)


def _compare(work: Work, job: Job) -> None:
    """Flag a job whose source says something else now than when it was sent."""
    if job.state not in (State.COMPLETE, State.SWITCHED_OFF):
        # What is still open is compared when it is finished.
        return
    now = _fingerprint(work, job)
    if now is None or now == job.md5:
        return
    state = State.NOT_TRANSLATED if job.state is State.SWITCHED_OFF else job.state
    job_model.store(work, job, msgspec.structs.replace(job, md5=now, needs_update=True, status=state.value))


def _fingerprint(work: Work, job: Job) -> str | None:
    kind = kind_of(job.element_type)
    try:
        return kind.fingerprint(work, kind.found(work, job.element_type, job.element))
    except ApiError:
        return None


def _by_hand(work: Work, element_type: str, numbers: set[int]) -> None:
    """Note translations that somebody saved beside every job: they are complete, and up to date."""
    saved = {
        id: one
        for id, one in record_model.by_ids(work.tx, sorted(numbers)).items()
        # A file's record that was made with the upload is nobody's translation yet.
        if one.source_language and one.status not in ("trash", "auto-draft") and TWIN not in one.meta
    }
    if not saved or mode(work, element_type) is Mode.NOT_TRANSLATED:
        return
    rows = work.tx.all(_TRANSLATED, element_type=element_type, elements=listed(sorted(saved)))
    known = {job.translation: job for job in map(job_model.of_row, rows)}
    # Those that were written by their own jobs.
    finished = {item for kind, item, _ in work.noted if kind == job_model.KIND}
    for id, one in saved.items():
        job = known.get(id)
        if job is None:
            _adopt(work, element_type, one)
            _make_translator(work, one)
            continue
        # Where its source was saved too, what changed here was taken over from there.
        if job.element in numbers or str(job.rid) in finished:
            continue
        _make_translator(work, one)
        state = job.state
        copies = bool(one.meta.get(DUPLICATE_OF))
        if copies and state is State.COMPLETE:
            state = moved(state, Event.DUPLICATED)
        elif not copies and state is State.DUPLICATE:
            state = moved(state, Event.MADE_INDEPENDENT)
        md5 = _fingerprint(work, job) or job.md5
        if state in (State.COMPLETE, State.DUPLICATE):
            new = msgspec.structs.replace(job, status=state.value, needs_update=False, md5=md5)
            job_model.store(work, job, new)


def _make_translator(work: Work, one: Record) -> None:
    """Let an administrator who wrote a translation by hand translate these languages from now on."""
    user, source = work.user, one.source_language
    if "administrator" in user.roles and not job_translators.translates(user, source, one.language):
        job_translators.give_pair(work, job_translators.require(work, user.id), source, one.language)


def _adopt(work: Work, element_type: str, one: Record) -> None:
    """Make the row of a translation that has none; that of a job that is open already stays its own."""
    source = record_translations.members(work, one).get(one.source_language)
    if source is None:
        return
    rows = job_model.of_thing(work, element_type, source.id)
    if any(job.target_language == one.language for job in rows):
        return
    try:
        thing = kind_of(element_type).found(work, element_type, source.id)
    except ApiError:
        return
    state = State.DUPLICATE if one.meta.get(DUPLICATE_OF) else State.COMPLETE
    jobs.adopt(work, thing, one.language, one.id, state, translator=work.user.id)

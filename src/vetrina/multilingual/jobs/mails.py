"""Mails about translation jobs: to translators who get or lose one or could take one, and to those who manage jobs.

A mail is enqueued in the transaction that it reports, and sent by a background job: to the SMTP server of the settings,
or into the site's folder `outbox`. Machines and remote services get none; the option `translation_mails` turns mails
off. Rules: docs/rules/translation_routes.md, 9 and docs/rules/translation_jobs.md, 12.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from vetrina.access.users import rules as users
from vetrina.backends import job_queue, mail
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.kernel.times import format_iso
from vetrina.multilingual.jobs import model as job_model, translators as job_translators
from vetrina.multilingual.jobs.model import LOCAL, TranslationJob
from vetrina.multilingual.languages.names import get_language_name
from vetrina.multilingual.languages.preferences import MAILS

MAIL: Final = "mlang.mail"  # kind of the background job
_FOLDER: Final = "outbox"
_MOST_OFFERED: Final = 50  # translators who are notified of one request that anybody may take
_MOST_LISTED: Final = 100  # jobs listed in one mail

# Event → subject and first sentence; `{count}` is "1 job" or "7 jobs", `{who}` the person who acted or translates.
_WORDS: Final[Mapping[str, tuple[str, str]]] = {
    "assigned": ("{count} for you to translate", "You have been given {count} to translate."),
    "offered": ("{count} to translate", "{count} can be taken by any translator of these languages."),
    "withdrawn": ("{count} taken back", "{count} that you had is no longer yours; nothing is left to be done."),
    "given": ("{count} given to {who}", "{who} has been given {count} that you manage."),
    "resigned": ("{count} given back by {who}", "{who} has given {count} back that you manage; anybody may take it."),
    "completed": ("{count} completed by {who}", "{who} has completed {count} that you manage."),
}


def notify_assigned(work: UnitOfWork, jobs: Sequence[TranslationJob], translator: User) -> None:
    """Notify a translator of jobs assigned to them, and the managers of these jobs."""
    notable = _filter_notable_jobs(jobs)
    _enqueue_mail(work, "assigned", notable, translator.id)
    for manager in sorted({one.manager for one in notable} - {0, translator.id}):
        _enqueue_mail(work, "given", [one for one in notable if one.manager == manager], manager, translator.id)


def notify_offered(work: UnitOfWork, jobs: Sequence[TranslationJob]) -> None:
    """Notify the translators of its languages that a job is free to be taken."""
    notable = _filter_notable_jobs(jobs)
    if not notable:
        return
    for user in job_translators.list_translators(work)[:_MOST_OFFERED]:
        fitting = [
            one
            for one in notable
            if job_translators.may_translate(user, one.source_language, one.target_language)
            and job_translators.may_work_on_job(work, user, one.element_type, one.target_language)
        ]
        if user.id != work.user.id:
            _enqueue_mail(work, "offered", fitting, user.id)


def notify_withdrawn(work: UnitOfWork, job: TranslationJob) -> None:
    """Notify a translator that a job is no longer theirs."""
    if job.translator != work.user.id:
        _enqueue_mail(work, "withdrawn", _filter_notable_jobs([job]), job.translator)


def notify_completed(work: UnitOfWork, job: TranslationJob) -> None:
    """Notify the managers of a job that somebody else completed it."""
    if job.manager != job.translator:
        _enqueue_mail(work, "completed", _filter_notable_jobs([job]), job.manager, job.translator)


def notify_resigned(work: UnitOfWork, job: TranslationJob) -> None:
    """Notify the managers of a job that its translator resigned it."""
    if job.manager != job.translator:
        _enqueue_mail(work, "resigned", _filter_notable_jobs([job]), job.manager, job.translator)


def _filter_notable_jobs(jobs: Iterable[TranslationJob]) -> list[TranslationJob]:
    return [one for one in jobs if one.service == LOCAL and not one.automatic]


def _enqueue_mail(work: UnitOfWork, event: str, jobs: Sequence[TranslationJob], recipient: int, about: int = 0) -> None:
    if jobs and recipient and work.option(MAILS):
        arguments = {
            "event": event, "jobs": [one.number for one in jobs], "to": recipient, "about": about, "at": work.now,
            "root": work.root,
        }  # fmt: skip
        job_queue.enqueue_job(work.tx, MAIL, arguments, due=work.now, now=work.now)


# -- the external task


def prepare_job_mail(work: UnitOfWork, arguments: Mapping[str, Any]) -> Callable[[], None] | None:
    """Return the call that sends a mail, None where it has no recipient. The call raises MailNotSent."""
    reader = users.find_user(work.tx, arguments["to"])
    jobs = [one for number in arguments["jobs"] if (one := job_model.find_job(work, number)) is not None]
    if reader is None or not reader.email or not jobs:
        return None
    about = users.find_user(work.tx, arguments["about"]) if arguments["about"] else None
    subject, first = _WORDS[arguments["event"]]
    words = {"count": "1 job" if len(jobs) == 1 else f"{len(jobs)} jobs", "who": about.name if about else "Somebody"}
    site, title = work.site, str(work.option("title"))
    lines = [f"Hello {reader.name},", "", first.format(**words), ""]
    lines += [line for one in jobs[:_MOST_LISTED] for line in _format_job_lines(work, one, arguments["root"])]
    if len(jobs) > _MOST_LISTED:
        lines.append(f"… and {len(jobs) - _MOST_LISTED} more.")
    name = f"translation-{arguments['event']}-{jobs[0].number}-{reader.id}-{arguments['at']}"
    message = mail.compose_message(
        sender=site.settings.mail_from or str(work.option("email")) or "translation@localhost",
        recipients=[reader.email], subject=f"{title}: {subject.format(**words)}", text="\n".join(lines) + "\n",
        name=title, at=arguments["at"], id=name,
    )  # fmt: skip
    return lambda: mail.send_message(message, site.settings.smtp_url, site.folder / _FOLDER, name)


def _format_job_lines(work: UnitOfWork, job: TranslationJob, root: str) -> list[str]:
    source, target = get_language_name(job.source_language, "en"), get_language_name(job.target_language, "en")
    facts = [f"{source} to {target}", f"{job.words} words"]
    if job.deadline:
        facts.append(f"until {format_iso(work.zone.to_local(job.deadline))[:10]}")
    lines = [f"- Job {job.number}, {job.title}: {', '.join(facts)}."]
    if root:
        lines.append(f"  Its file: {root}/mlang/tm/v1/xliff/fetch/{job.number}")
    if job.note:
        lines.append(f"  Note: {' '.join(job.note.split())}")
    return lines

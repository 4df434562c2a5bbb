"""Mails about jobs: to the translator who gets one or loses it, to those who could take one, to who manages it.

A mail is noted in the transaction of what it tells, and written and sent by a job of its own: to the server that the
settings name, or into the folder `outbox` of the site. Machines and remote services get none; the option
`translation_mails` turns them off. Not here: the way out (backends/mail.py), the moves themselves
(multilingual/jobs/rules.py). Rules: facts of the multilingual layer, "POST jobs/assign" and "Translators".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from vetrina.access.users import rules as users
from vetrina.access.users.model import User
from vetrina.backends import job_queue, mail
from vetrina.core.unit_of_work import Work
from vetrina.kernel.times import iso
from vetrina.multilingual.jobs import model as job_model
from vetrina.multilingual.jobs import translators as job_translators
from vetrina.multilingual.jobs.model import LOCAL, Job
from vetrina.multilingual.languages.names import name_of
from vetrina.multilingual.languages.preferences import MAILS

__all__ = ["MAIL", "assigned", "completed", "offered", "resigned", "sent", "withdrawn"]

MAIL: Final = "mlang.mail"  # kind of the background job
_FOLDER: Final = "outbox"
_MOST_OFFERED: Final = 50  # translators who are told of one request that anybody may take
_MOST_LISTED: Final = 100  # jobs that one mail names

# What happened → subject and first sentence; `{count}` is "1 job" or "7 jobs", `{who}` the one who acted or translates.
_WORDS: Final[Mapping[str, tuple[str, str]]] = {
    "assigned": ("{count} for you to translate", "You have been given {count} to translate."),
    "offered": ("{count} to translate", "{count} can be taken by any translator of these languages."),
    "withdrawn": ("{count} taken back", "{count} that you had is no longer yours; nothing is left to be done."),
    "given": ("{count} given to {who}", "{who} has been given {count} that you manage."),
    "resigned": ("{count} given back by {who}", "{who} has given {count} back that you manage; anybody may take it."),
    "completed": ("{count} completed by {who}", "{who} has completed {count} that you manage."),
}


def assigned(work: Work, made: Sequence[Job], translator: User) -> None:
    """Tell a translator that jobs are his, and those who manage them."""
    told = _worth_telling(made)
    _note(work, "assigned", told, translator.id)
    for manager in sorted({one.manager for one in told} - {0, translator.id}):
        _note(work, "given", [one for one in told if one.manager == manager], manager, translator.id)


def offered(work: Work, made: Sequence[Job]) -> None:
    """Tell those who translate between its languages that a job waits for whoever takes it."""
    told = _worth_telling(made)
    if not told:
        return
    for user in job_translators.all_translators(work)[:_MOST_OFFERED]:
        fitting = [one for one in told if job_translators.translates(user, one.source_language, one.target_language)]
        if user.id != work.user.id:
            _note(work, "offered", fitting, user.id)


def withdrawn(work: Work, job: Job) -> None:
    """Tell a translator that a job is not his any more."""
    if job.translator != work.user.id:
        _note(work, "withdrawn", _worth_telling([job]), job.translator)


def completed(work: Work, job: Job) -> None:
    """Tell who manages a job that somebody else completed it."""
    if job.manager != job.translator:
        _note(work, "completed", _worth_telling([job]), job.manager, job.translator)


def resigned(work: Work, job: Job) -> None:
    """Tell who manages a job that its translator gave it back."""
    if job.manager != job.translator:
        _note(work, "resigned", _worth_telling([job]), job.manager, job.translator)


def _worth_telling(made: Iterable[Job]) -> list[Job]:
    return [one for one in made if one.service == LOCAL and not one.automatic]


def _note(work: Work, event: str, told: Sequence[Job], to: int, about: int = 0) -> None:
    if told and to and work.option(MAILS):
        arguments = {
            "event": event, "jobs": [one.number for one in told], "to": to, "about": about, "at": work.now,
            "root": work.root,
        }  # fmt: skip
        job_queue.put(work.tx, MAIL, arguments, due=work.now, now=work.now)


# -- the errand


def sent(work: Work, arguments: Mapping[str, Any]) -> Callable[[], None] | None:
    """Return the call that sends a mail; None where nobody could get it. The call raises MailNotSent."""
    reader = users.by_id(work.tx, arguments["to"])
    told = [one for number in arguments["jobs"] if (one := job_model.by_number(work, number)) is not None]
    if reader is None or not reader.email or not told:
        return None
    about = users.by_id(work.tx, arguments["about"]) if arguments["about"] else None
    subject, first = _WORDS[arguments["event"]]
    words = {"count": "1 job" if len(told) == 1 else f"{len(told)} jobs", "who": about.name if about else "Somebody"}
    frame, title = work.frame, str(work.option("title"))
    lines = [f"Hello {reader.name},", "", first.format(**words), ""]
    lines += [line for one in told[:_MOST_LISTED] for line in _about(work, one, arguments["root"])]
    if len(told) > _MOST_LISTED:
        lines.append(f"… and {len(told) - _MOST_LISTED} more.")
    name = f"translation-{arguments['event']}-{told[0].number}-{reader.id}-{arguments['at']}"
    message = mail.composed(
        sender=frame.settings.mail_from or str(work.option("email")) or "translation@localhost",
        recipients=[reader.email], subject=f"{title}: {subject.format(**words)}", text="\n".join(lines) + "\n",
        name=title, at=arguments["at"], id=name,
    )  # fmt: skip
    return lambda: mail.send(message, frame.settings.smtp_url, frame.folder / _FOLDER, name)


def _about(work: Work, one: Job, root: str) -> list[str]:
    source, target = name_of(one.source_language, "en"), name_of(one.target_language, "en")
    facts = [f"{source} to {target}", f"{one.words} words"]
    if one.deadline:
        facts.append(f"until {iso(work.zone.to_local(one.deadline))[:10]}")
    lines = [f"- Job {one.number}, {one.title}: {', '.join(facts)}."]
    if root:
        lines.append(f"  Its file: {root}/mlang/tm/v1/xliff/fetch/{one.number}")
    if one.note:
        lines.append(f"  Note: {' '.join(one.note.split())}")
    return lines

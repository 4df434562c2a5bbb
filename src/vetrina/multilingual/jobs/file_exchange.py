"""Files of jobs, out of the house and back in: who sends them, what they are of, and what a filled one does.

Not here: the file itself (multilingual/xliff/writer.py, multilingual/xliff/reader.py), remote services
(multilingual/services/dispatch.py).
"""

from __future__ import annotations

from vetrina.access.users import rules as users
from vetrina.content.records import model as record_model
from vetrina.content.records import permalinks
from vetrina.core.unit_of_work import Work
from vetrina.multilingual.jobs import model as job_model
from vetrina.multilingual.jobs import rules as jobs
from vetrina.multilingual.jobs.model import Job
from vetrina.multilingual.jobs.states import Review
from vetrina.multilingual.translations import block_rules
from vetrina.multilingual.xliff import reader as xliff_reader
from vetrina.multilingual.xliff import writer as xliff_writer
from vetrina.multilingual.xliff.writer import Sender

__all__ = ["taken", "written"]


def written(work: Work, of: Job, *, memory: bool = False, for_editor: bool = False, segmented: bool = False) -> str:
    """Return the file of a job.

    memory: whether targets hold what earlier translations lend. for_editor: with the groups that a remote editor shows.
    segmented: whether units tell their sentences apart too.
    """
    manager = users.by_id(work.tx, of.manager) if of.manager else None
    sender = Sender(address=_address(work, of))
    if manager is not None:
        sender = Sender(manager.id, manager.login, manager.email, manager.name, sender.address)
    return xliff_writer.write(
        of, job_model.fields(work, of), sender, memory=memory, for_editor=for_editor, segmented=segmented,
        shortcodes=block_rules.of_site(work).shortcode_names,
    )  # fmt: skip


def taken(
    work: Work,
    of: Job,
    file: str | bytes,
    *,
    complete: bool = True,
    review: Review = Review.NONE,
    draft: bool | None = False,
) -> Job:
    """Store what a filled file says of a job, and finish the job unless it is to stay open.

    Raises NotXmlFile, Invalid, DoesNotMatch, and what jobs.deliver raises.
    """
    _, texts = xliff_reader.of_job(work, file, of)
    if not complete:
        return jobs.save(work, of, texts)
    return jobs.deliver(work, of, texts, review=review, draft=draft)


def _address(work: Work, of: Job) -> str:
    """Return where readers find what a job is of; only records have a page of their own."""
    if of.type != "post":
        return ""
    one = record_model.by_id(work.tx, of.element)
    type = work.frame.types.get(one.type) if one is not None else None
    return permalinks.link(work, type, one) if one is not None and type is not None and type.public else ""

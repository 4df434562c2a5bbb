"""Exchange files of jobs: written for a translator or service, and applied when they come back filled.

Not here: the file format (multilingual/xliff/writer.py, multilingual/xliff/reader.py), remote services
(multilingual/services/dispatch.py).
"""

from __future__ import annotations

from vetrina.access.users import rules as users
from vetrina.content.records import model as record_model, permalinks
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.multilingual.jobs import model as job_model, rules as jobs
from vetrina.multilingual.jobs.model import TranslationJob
from vetrina.multilingual.jobs.states import TranslationReview
from vetrina.multilingual.translations import block_rules
from vetrina.multilingual.xliff import reader as xliff_reader, writer as xliff_writer
from vetrina.multilingual.xliff.writer import XliffSender


def render_job_file(
    work: UnitOfWork, job: TranslationJob, *, memory: bool = False, for_editor: bool = False, segmented: bool = False
) -> str:
    """Return the XLIFF file of a job.

    memory: whether targets are prefilled from earlier translations. for_editor: whether to add the groups that a remote
    editor displays. segmented: whether each unit also has its sentences marked.
    """
    manager = users.find_user(work.tx, job.manager) if job.manager else None
    sender = XliffSender(address=_build_address(work, job))
    if manager is not None:
        sender = XliffSender(manager.id, manager.login, manager.email, manager.name, sender.address)
    return xliff_writer.render_xliff(
        job, job_model.list_job_fields(work, job), sender, memory=memory, for_editor=for_editor, segmented=segmented,
        shortcodes=block_rules.load_rules(work).shortcode_names,
    )  # fmt: skip


def apply_job_file(
    work: UnitOfWork,
    job: TranslationJob,
    file: str | bytes,
    *,
    complete: bool = True,
    review: TranslationReview = TranslationReview.NONE,
    draft: bool | None = False,
) -> TranslationJob:
    """Store the translations of a filled file, and complete the job unless `complete` is False.

    Raises NotXmlFile, InvalidXliff, XliffDoesNotMatch, and what `complete_job` and `save_job_texts` raise.
    """
    _, texts = xliff_reader.parse_job_file(work, file, job)
    if not complete:
        return jobs.save_job_texts(work, job, texts)
    return jobs.complete_job(work, job, texts, review=review, draft=draft)


def _build_address(work: UnitOfWork, job: TranslationJob) -> str:
    """Return the public URL of what a job translates; empty except for records, which alone have a page."""
    if job.type != "post":
        return ""
    one = record_model.find_record(work.tx, job.element)
    type = work.site.types.get(one.type) if one is not None else None
    return permalinks.build_permalink(work, type, one) if one is not None and type is not None and type.public else ""

"""An import as a background job: asked for, run, stopped, kept as a report.

Rules: docs/rules/server.md, 8. What an import does: transfer/importing.py.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from vetrina.core.change_source import Told
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.system.jobs.long_jobs import (
    PROGRESS,
    REPORT,
    SITE_IMPORT_JOB,
    LongJobRunning,
    ProgressNotes,
    find_long_job,
    is_under_way,
    open_own_database,
    save_report,
    start_long_job,
    stop_long_job,
)
from vetrina.system.jobs.rules import BackgroundJob
from vetrina.transfer.import_job.progress import ImportProgressTeller
from vetrina.transfer.import_job.uploaded_files import (
    TABLE_ENDING,
    ExportFileMissing,
    choose_file_name,
    delete_files,
    find_uploaded_file,
    get_transfer_folder,
    keep_file,
)
from vetrina.transfer.importing import ImportUnderWay, import_records
from vetrina.transfer.job_calls import JobEnd, run_to_end
from vetrina.transfer.job_site import JobSite
from vetrina.transfer.options import ImportOptions
from vetrina.transfer.products_csv.source import ProductFileSource
from vetrina.transfer.records import SkippedRecord, Source, SourceError
from vetrina.transfer.remote_access import (
    open_remote_site,
    require_site_address,
    require_whole_credentials,
    seal_credentials,
)
from vetrina.transfer.report import ImportReport
from vetrina.transfer.sources.address.http_connection import SourceCredentials
from vetrina.transfer.sources.wxr.source import ExportFileSource

IMPORT_KIND: Final = "site_import"  # in the audit trail
_PLAN, _SEALED = "plan", "sealed"  # among the arguments of the job
_MAX_REFUSED: Final = 200  # records that are named one by one
_MAX_NOTES: Final = 100
_MAX_LOGINS: Final = 500
_TURN_SECONDS: Final = 60.0  # that a run waits for the end of one that was stopped
_TURN_PAUSE: Final = 0.5  # seconds between two tries


class ImportPlan(msgspec.Struct, frozen=True):
    """What is brought in, and how. address: of a site, empty for the file. file: its name. login: read with.

    keep_ids: None for: on an empty site. author: login of the account that gets everything, empty for none.
    """

    address: str = ""
    file: str = ""
    login: str = ""
    dry_run: bool = True
    files: bool = True
    keep_ids: bool | None = None
    author: str = ""


class ImportState(NamedTuple):
    """How it stands with imports. job: the last one, None for none yet. plan: of what is under way, else of the last.

    report: of the last that ended, empty for none.
    """

    job: BackgroundJob | None
    running: bool
    plan: ImportPlan | None
    report: Mapping[str, Any]
    progress: Mapping[str, Any] | None


def find_import(work: UnitOfWork) -> ImportState:
    """Return how it stands with imports."""
    job = find_long_job(work, SITE_IMPORT_JOB)
    if job is None:
        return ImportState(None, False, None, {}, None)
    running, report = is_under_way(job), job.arguments.get(REPORT, {})
    plan = job.arguments.get(_PLAN) or report.get(_PLAN)
    return ImportState(
        job, running, msgspec.convert(plan, ImportPlan) if plan else None, report,
        job.arguments.get(PROGRESS) if running else None,
    )  # fmt: skip


def start_import(work: UnitOfWork, plan: ImportPlan, credentials: SourceCredentials) -> BackgroundJob:
    """Let a site or a file be brought in, in the background.

    Raises LongJobRunning, InvalidSiteAddress, CredentialsIncomplete, ExportFileMissing.
    """
    require_whole_credentials(credentials)
    if plan.address:
        plan = msgspec.structs.replace(
            plan, address=require_site_address(plan.address), file="", login=credentials.login
        )
    else:
        uploaded = find_uploaded_file(get_transfer_folder(work.site.folder))
        if uploaded is None:
            raise ExportFileMissing
        plan, credentials = msgspec.structs.replace(plan, file=uploaded.path.name), SourceCredentials()
    values = {_PLAN: msgspec.to_builtins(plan), _SEALED: seal_credentials(work.site, credentials)}
    job = start_long_job(work, SITE_IMPORT_JOB, values)
    item = f"job {job.id}"
    work.tell(IMPORT_KIND, item, "created")
    told = {"source": Told(None, plan.address or plan.file), "dry_run": Told(None, plan.dry_run)}
    work.describe(IMPORT_KIND, item, members=told)
    return job


def stop_import(work: UnitOfWork) -> None:
    """Stop an import; another one of the same source goes on where it was. Raises LongJobNotRunning."""
    state = find_import(work)
    end = {"outcome": "stopped", "reason": "", "finished": work.now}
    stop_long_job(work, SITE_IMPORT_JOB, {**end, _PLAN: msgspec.to_builtins(state.plan)})


def prepare_import(work: UnitOfWork, arguments: Mapping[str, Any]) -> Callable[[], JobEnd | None]:
    """Return the call that brings everything in; it returns what came of it, None where it was stopped."""
    site, plan = work.site, msgspec.convert(arguments[_PLAN], ImportPlan)

    def run() -> JobEnd:
        with open_own_database(site) as database:
            note = ProgressNotes(database, SITE_IMPORT_JOB, arguments)
            unread: list[SkippedRecord] = []
            source: Source
            if plan.address:
                source = open_remote_site(site, plan.address, arguments[_SEALED], unread.append)
            else:
                source = _open_file(get_transfer_folder(site.folder) / plan.file)
            options = ImportOptions(plan.keep_ids, plan.dry_run, plan.files, plan.author)
            job_site, tell = JobSite(site, database, SITE_IMPORT_JOB), ImportProgressTeller(note)
            report = _run_in_turn(lambda: import_records(job_site, source, options, tell, unread), note)
        return {"result": _shorten(report)}

    return lambda: run_to_end(run, get_transfer_folder(site.folder).resolve())


def save_import(work: UnitOfWork, arguments: Mapping[str, Any], end: JobEnd | None) -> None:
    """Store what came of it, and forget what it was started with."""
    if end is None:
        return
    plan = arguments[_PLAN]
    save_report(work, SITE_IMPORT_JOB, {}, {**end, "finished": work.now, _PLAN: plan})
    if plan["file"] and not plan["dry_run"] and end["outcome"] == "done":
        folder = get_transfer_folder(work.site.folder)
        work.run_after_commit(lambda: delete_files(folder, before=None))


def keep_upload(work: UnitOfWork, name: str, sent: Path) -> None:
    """Keep a file for the next import, in the place of the one before. sent: where it lies.

    Raises LongJobRunning, ExportFileUnknown.
    """
    last = find_long_job(work, SITE_IMPORT_JOB)
    if last is not None and is_under_way(last):
        raise LongJobRunning(id=last.id)
    keep_file(get_transfer_folder(work.site.folder), choose_file_name(name), sent, work.now)


def _open_file(path: Path) -> Source:
    if not path.is_file():
        raise SourceError("the file is not there any more; send it again")
    return ProductFileSource(path) if path.suffix == TABLE_ENDING else ExportFileSource(path)


def _run_in_turn(run: Callable[[], ImportReport], note: ProgressNotes) -> ImportReport:
    """Run an import, after the end of one that was stopped a moment ago and has not noticed yet.

    Raises ImportUnderWay where that takes too long, LongJobCancelled.
    """
    end = time.monotonic() + _TURN_SECONDS
    while True:
        try:
            return run()
        except ImportUnderWay:
            if time.monotonic() > end:
                raise
        note("", 0, 0)
        time.sleep(_TURN_PAUSE)


def _shorten(report: ImportReport) -> dict[str, Any]:
    """Return a report as it is kept: counts whole, what is named one by one up to a number."""
    return {
        "title": report.title, "keep_ids": report.keep_ids, "seconds": round(report.seconds),
        "resources": [{"resource": name, **vars(one)} for name, one in report.resources.items()],
        "skipped": [
            {"resource": where, "id": str(id), "reason": why} for where, id, why in report.refusals[:_MAX_REFUSED]
        ],
        "left_out": [{"resource": name, "reason": why} for name, why in (report.left_out | report.cut_short).items()],
        "notes": [{"text": text, "records": count} for text, count in report.notes.most_common(_MAX_NOTES)],
        "accounts_without_password": report.resets[:_MAX_LOGINS],
    }  # fmt: skip

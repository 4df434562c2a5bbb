"""Routes of imports from a browser: how it stands, start, stop, send a file. Rules: docs/rules/server.md, 1 and 8.

What imports is imported at the first call: every server would be larger by it, and start later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel.times import format_iso
from vetrina.rest.call import Result
from vetrina.rest.fields import Array, Boolean, Field, Integer, Object, String
from vetrina.rest.route import READ, WRITE, Route
from vetrina.system.jobs.long_jobs import LongJobNotRunning, LongJobRunning
from vetrina.system.jobs.permissions import CannotRunServer, require_server_permission
from vetrina.transfer.import_job import uploaded_files
from vetrina.transfer.job_schema import (
    ADDRESS_FIELD,
    CREDENTIAL_ARGUMENTS,
    NULLABLE,
    STATE_FIELDS,
    read_credentials,
    show_state,
)
from vetrina.transfer.remote_access import CredentialsIncomplete, InvalidSiteAddress

if TYPE_CHECKING:
    from vetrina.transfer.import_job.running import ImportPlan

_PATH: Final = "/cms/v2/site-import"
_FORM_FIELD: Final = "file"
_IDS: Final = {"auto": None, "keep": True, "map": False}
_NAMES_OF_IDS: Final = {value: name for name, value in _IDS.items()}
_MAX_LOGIN: Final = 60

_OPTIONS: Final[dict[str, Field]] = {
    "dry_run": Boolean("Whether nothing is written, and the report tells what would come.", default=True),
    "files": Boolean("Whether the files of the library come.", default=True),
    "ids": String("Whether records keep their ids; `auto`: on an empty site.", enum=tuple(_IDS), default="auto"),
    "author": String("Login of the account here that gets everything; empty for accounts of their own.",
                     max_length=_MAX_LOGIN, default=""),
}  # fmt: skip
_COLLECTION: Final = {"resource": String("Path of the collection.")}
_COUNTS: Final = {
    name: Integer(help)
    for name, help in {
        "created": "How many records are new.",
        "updated": "How many were changed.",
        "unchanged": "How many were here as they are.",
        "found": "How many were here before, under the same name.",
        "skipped": "How many did not come.",
    }.items()
}
_RESULT: Final = Object(
    "What came of the last one; null where it did not run to its end.",
    properties={
        "title": String("Name of the source."),
        "keep_ids": Boolean("Whether records keep their ids."),
        "seconds": Integer("How many seconds it took."),
        "resources": Array("What became of each collection.", items=Object(properties={**_COLLECTION, **_COUNTS})),
        "skipped": Array(
            "Records that did not come; the first 200.",
            items=Object(properties={**_COLLECTION, "id": String("Id there."), "reason": String("Why.")}),
        ),
        "left_out": Array(
            "Collections that none came of, or not all of it.",
            items=Object(properties={**_COLLECTION, "reason": String("Why.")}),
        ),
        "notes": Array(
            "What is worth knowing.",
            items=Object(properties={"text": String("What it is."), "records": Integer("How many it concerns.")}),
        ),
        "accounts_without_password": Array("Logins of new accounts, which need a reset link.", items=String()),
    },
    extra=NULLABLE,
)
_FILE: Final = Object(
    "The file that was sent last; null where there is none.",
    properties={
        "name": String("Its name."),
        "size": Integer("Bytes of it."),
        "date_gmt": String("When it was sent, in GMT.", format="date-time"),
    },
    extra=NULLABLE,
)
_STATE: Final = Object(
    properties={
        **STATE_FIELDS,
        "plan": Object(
            "What is brought in, or was last; null where there was none.",
            properties={
                "address": String("Address of the other site; empty for a file."),
                "file": String("Name of the file; empty for an address."),
                "login": String("Login that the other site is read with."),
                **_OPTIONS,
            },
            extra=NULLABLE,
        ),
        "result": _RESULT,
        "file": _FILE,
        "most_bytes": Integer("Bytes that a file may have."),
    }
)
_REFUSALS: Final = (CannotRunServer, LongJobRunning)


def _show_plan(plan: ImportPlan | None) -> dict[str, Any] | None:
    if plan is None:
        return None
    return {
        "address": plan.address, "file": plan.file, "login": plan.login, "dry_run": plan.dry_run, "files": plan.files,
        "ids": _NAMES_OF_IDS[plan.keep_ids], "author": plan.author,
    }  # fmt: skip


def _build_state(call: Call, status: int = 200) -> Result:
    from vetrina.transfer.import_job import running

    work = call.work
    state = running.find_import(work)
    file = uploaded_files.find_uploaded_file(uploaded_files.get_transfer_folder(work.site.folder))
    body: dict[str, Any] = {
        **show_state(state.job, state.running, state.progress, state.report),
        "plan": _show_plan(state.plan),
        "result": state.report.get("result"),
        "file": file and {"name": file.path.name, "size": file.size, "date_gmt": format_iso(file.sent)},
        "most_bytes": work.site.profile.limits.upload_bytes,
    }
    return Result(body, status=status)


def _read_import(call: Call) -> Result:
    """Read how it stands with imports: the one under way, and what came of the last."""
    return _build_state(call)


def _start_import(call: Call) -> Result:
    """Bring in a site or the file that was sent, in the background; by default only look what would come."""
    from vetrina.transfer.import_job import running

    args = call.args
    plan = running.ImportPlan(
        address=args["address"].strip(), dry_run=args["dry_run"], files=args["files"], keep_ids=_IDS[args["ids"]],
        author=args["author"].strip(),
    )  # fmt: skip
    running.start_import(call.work, plan, read_credentials(args))
    return _build_state(call, 202)


def _stop_import(call: Call) -> Result:
    """Stop the import that is under way; the next one of the same source goes on where it was."""
    from vetrina.transfer.import_job import running

    running.stop_import(call.work)
    return _build_state(call)


def _send_file(call: Call) -> Result:
    """Send an export file or a table of products, in the place of what was sent before."""
    work, sent = call.work, call.request.files.get(_FORM_FIELD)
    if sent is None or not sent.size:
        raise uploaded_files.ExportFileMissing
    from vetrina.transfer.import_job import running

    running.keep_upload(work, sent.name, sent.path)
    return _build_state(call)


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of imports."""
    return (
        Route(READ, _PATH, _read_import, {}, require_server_permission, errors=(CannotRunServer,), answers=_STATE),
        Route(
            WRITE, _PATH, _start_import, {"address": ADDRESS_FIELD, **CREDENTIAL_ARGUMENTS, **_OPTIONS},
            require_server_permission, status=202, answers=_STATE,
            errors=(*_REFUSALS, InvalidSiteAddress, CredentialsIncomplete, uploaded_files.ExportFileMissing),
        ),
        Route(
            WRITE, f"{_PATH}/stop", _stop_import, {}, require_server_permission, answers=_STATE, status=200,
            errors=(CannotRunServer, LongJobNotRunning),
        ),
        Route(
            WRITE, f"{_PATH}/file", _send_file, {}, require_server_permission, slow=True, files=True,
            body_bytes=site.profile.limits.upload_bytes, answers=_STATE, status=200,
            errors=(*_REFUSALS, uploaded_files.ExportFileMissing, uploaded_files.ExportFileUnknown),
        ),
    )  # fmt: skip

"""Routes of a job's XLIFF file: fetched, and delivered with translations.

Translators may access the files of their own jobs, managers those of all. Not here: the files of remote services
(multilingual/services/editor_routes.py, multilingual/services/agency_routes.py). Rules: docs/rules/xliff.md, 1 and 7;
delivering a file is our own addition.
"""

from __future__ import annotations

import base64
import binascii
from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel.errors import ApiError
from vetrina.multilingual.jobs import file_exchange, model as job_model, rules as jobs
from vetrina.multilingual.jobs.routes import serialize_jobs
from vetrina.multilingual.jobs.rules import TranslationJobIncomplete, TranslationJobNotFound, TranslationJobOutdated
from vetrina.multilingual.jobs.schema import JOB_FIELD
from vetrina.multilingual.jobs.states import IllegalJobTransition
from vetrina.multilingual.languages import preferences as language_preferences
from vetrina.multilingual.permissions import TranslationForbidden, require_any_translator_permission
from vetrina.multilingual.services import dispatch
from vetrina.multilingual.xliff import reader as xliff_reader
from vetrina.multilingual.xliff.reader import InvalidXliff, NotXmlFile, NotYourJob, XliffDoesNotMatch
from vetrina.rest.call import Result
from vetrina.rest.fields import Boolean, Field, Object, String
from vetrina.rest.route import READ, WRITE, Route

_PATH: Final = "/mlang/tm/v1/xliff/fetch/{jobId:\\d+}"
_BODY_BYTES: Final = 16 << 20
_FILE: Final = Object(
    properties={"content": String("The file in base64."), "sourceLang": String(), "targetLang": String()}
)


class XliffMissing(ApiError):
    """The body is empty, and no member of it is a file."""

    code = "mlang_xliff_missing"
    message = "Send the XLIFF file as the body (application/xliff+xml), or as the text of the member `xliff`."


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of files."""
    number: dict[str, Field] = {"jobId": String("Number of the job.", pattern=r"^\d+$")}
    out = {
        **number,
        "memory": Boolean("Whether targets hold what earlier translations lend.", default=False),
        "segments": Boolean("Whether units tell their sentences apart too.", default=False),
    }
    back = {
        **number,
        "xliff": String("The filled file, as text or in base64, where the body is JSON."),
        "complete": Boolean("Whether the job is finished by this; texts may else be missing.", default=True),
    }
    wrong = (
        NotXmlFile,
        InvalidXliff,
        XliffDoesNotMatch,
        NotYourJob,
        XliffMissing,
        TranslationJobIncomplete,
        IllegalJobTransition,
        TranslationJobOutdated,
        TranslationJobNotFound,
    )
    return (
        Route(
            READ, _PATH, _read_job_file, out, _require_file_reader,
            errors=(TranslationForbidden, TranslationJobNotFound, NotYourJob), answers=_FILE,
        ),
        Route(
            WRITE, _PATH, _deliver_job_file, back, require_any_translator_permission,
            errors=(TranslationForbidden, *wrong), body_bytes=_BODY_BYTES, answers=JOB_FIELD,
        ),
    )  # fmt: skip


def _require_file_reader(call: Call) -> None:
    """Those with the right `manage_translations` or `translate`; for existing jobs, or where a remote editor is set."""
    require_any_translator_permission(call)
    work = call.work
    # The route is the remote editor's. Where there is none, it serves the files of existing jobs, and nothing else.
    # Also called for a request that was rejected, to list what it may do; then the id may be what was invalid.
    number = _parse_number(call.args.get("jobId", ""))
    if not language_preferences.uses_remote_editor(work) and job_model.find_job(work, number) is None:
        raise TranslationForbidden(bool(work.user))


def _read_job_file(call: Call) -> Result:
    """Return the XLIFF file of a job, in Base64."""
    work = call.work
    found = jobs.get_job(work, _parse_number(call.args["jobId"]))
    xliff_reader.require_job_right(work, found)
    text = file_exchange.render_job_file(work, found, memory=call.args["memory"], segmented=call.args["segments"])
    return Result({
        "content": base64.b64encode(text.encode()).decode(),
        "sourceLang": found.source_language,
        "targetLang": found.target_language,
    })  # fmt: skip


def _deliver_job_file(call: Call) -> Result:
    """Deliver the filled XLIFF file of a job, and write the translation when it is complete."""
    work = call.work
    found = jobs.get_job(work, _parse_number(call.args["jobId"]))
    xliff_reader.require_job_right(work, found)
    done = dispatch.fill_job(work, found, _read_sent_file(call), complete=call.args["complete"])
    [members] = serialize_jobs(work, [done])
    return Result(members)


def _parse_number(text: str) -> int:
    return int(text) if 0 < len(text) < 16 else 0


def _read_sent_file(call: Call) -> str | bytes:
    given: Any = call.args.get("xliff")
    if not given:
        body = call.request.body
        if call.request.json or call.request.form or not body.strip():
            raise XliffMissing
        return body
    text: str = given
    if text.lstrip("\ufeff \t\r\n").startswith("<"):
        return text.lstrip("\ufeff \t\r\n")
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return text

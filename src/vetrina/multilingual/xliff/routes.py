"""The file of a job: fetched to be filled, and taken back filled.

Translators fetch and send the files of their own jobs, managers those of all. Remote services have their own ways
(multilingual/services/editor_routes.py, multilingual/services/agency_routes.py). Rules: facts of the multilingual
layer, "GET xliff/fetch" and "XLIFF 1.2 as written"; sending a file back is an addition of ours.
"""

from __future__ import annotations

import base64
import binascii
from typing import Any, Final

from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel.errors import ApiError
from vetrina.multilingual.jobs import file_exchange
from vetrina.multilingual.jobs import rules as jobs
from vetrina.multilingual.jobs.routes import job_body
from vetrina.multilingual.jobs.rules import JobOutdated, JobUnknown, NoTexts
from vetrina.multilingual.jobs.schema import JOB
from vetrina.multilingual.jobs.states import IllegalMove
from vetrina.multilingual.languages import preferences as language_preferences
from vetrina.multilingual.permissions import Forbidden, translators
from vetrina.multilingual.services import dispatch
from vetrina.multilingual.xliff import reader as xliff_reader
from vetrina.multilingual.xliff.reader import DoesNotMatch, Invalid, NotXmlFile, NotYours
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import Boolean, Field, Object, String
from vetrina.rest.route import READ, WRITE, Route

__all__ = ["routes"]

_PATH: Final = "/mlang/tm/v1/xliff/fetch/{jobId:\\d+}"
_BODY_BYTES: Final = 16 << 20
_FILE: Final = Object(
    properties={"content": String("The file in base64."), "sourceLang": String(), "targetLang": String()}
)


class NoFile(ApiError):
    """Neither the body nor a member of it is a file."""

    code = "mlang_xliff_missing"
    message = "Send the XLIFF file as the body (application/xliff+xml), or as the text of the member `xliff`."


def routes(frame: Frame) -> tuple[Route, ...]:
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
    wrong = (NotXmlFile, Invalid, DoesNotMatch, NotYours, NoFile, NoTexts, IllegalMove, JobOutdated, JobUnknown)
    return (
        Route(READ, _PATH, _fetched, out, _readers, errors=(Forbidden, JobUnknown, NotYours), answers=_FILE),
        Route(
            WRITE, _PATH, _delivered, back, translators, errors=(Forbidden, *wrong), body_bytes=_BODY_BYTES, answers=JOB
        ),
    )


def _readers(call: Call) -> None:
    """Those who have one of the rights `manage_translations`, `translate`; of a job that is there, or by the editor."""
    translators(call)
    work: Work = call.work
    # The route is the remote editor's. Where there is none, files of jobs are given out all the same, nothing else.
    # Asked of a refused request too, for what it may do there; then the number may be what was refused.
    number = _number(call.args.get("jobId", ""))
    if not language_preferences.in_editor(work) and jobs.by_number(work, number) is None:
        raise Forbidden(bool(work.user))


def _fetched(call: Call) -> Result:
    """Write the XLIFF file of a job, in Base64."""
    work: Work = call.work
    found = jobs.existing(work, _number(call.args["jobId"]))
    xliff_reader.require_right(work, found)
    text = file_exchange.written(work, found, memory=call.args["memory"], segmented=call.args["segments"])
    return Result({
        "content": base64.b64encode(text.encode()).decode(),
        "sourceLang": found.source_language,
        "targetLang": found.target_language,
    })  # fmt: skip


def _delivered(call: Call) -> Result:
    """Take a filled XLIFF file of a job, and write the translation when it is complete."""
    work: Work = call.work
    found = jobs.existing(work, _number(call.args["jobId"]))
    xliff_reader.require_right(work, found)
    done = dispatch.fill(work, found, _file(call), complete=call.args["complete"])
    [shown] = job_body(work, [done])
    return Result(shown)


def _number(text: str) -> int:
    return int(text) if 0 < len(text) < 16 else 0


def _file(call: Call) -> str | bytes:
    given: Any = call.args.get("xliff")
    if not given:
        body = call.request.body
        if call.request.json or call.request.form or not body.strip():
            raise NoFile
        return body
    text: str = given
    if text.lstrip("\ufeff \t\r\n").startswith("<"):
        return text.lstrip("\ufeff \t\r\n")
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return text

"""Client of the remote editor (ATE) as a translation service: sends jobs as XLIFF and fetches the filled files.

Not here: the account that signs (multilingual/services/account.py), when the editor is called and what its responses
change (multilingual/services/editor_exchange.py). Rules: docs/rules/translation_jobs.md, 4 and
docs/rules/translation_services.md, 4 and 5.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeGuard

import msgspec

from vetrina.core.site_context import SiteContext
from vetrina.kernel.integers import MAX_SAFE_INTEGER
from vetrina.multilingual.services.account import ServiceAccount
from vetrina.multilingual.services.remote import TranslationServiceClient
from vetrina.multilingual.services.service import JobPayload, ServiceProgress, TranslationServiceError

DELIVERED: Final = 8
_PROGRESS: Final[Mapping[int, ServiceProgress]] = {
    0: ServiceProgress.WAITING,
    1: ServiceProgress.WORKING,
    6: ServiceProgress.WORKING,
    7: ServiceProgress.WORKING,
    DELIVERED: ServiceProgress.DONE,
    15: ServiceProgress.WORKING,
    31: ServiceProgress.WAITING,
    20: ServiceProgress.CANCELLED,
}


class EditorJob(msgspec.Struct, frozen=True):
    """A job as the editor reports it. url: of the filled file, empty before there is one."""

    ate_job_id: int
    status_id: int = 0
    url: str = ""
    unsolvable: bool = False
    message: str = ""

    @property
    def is_delivered(self) -> bool:
        return self.status_id == DELIVERED


class EditorJobPage(msgspec.Struct, frozen=True):
    """A page of the editor's report on many jobs. token, pages: of the further pages, None where there are none."""

    jobs: tuple[EditorJob, ...]
    token: str | None = None
    pages: int | None = None
    eta: dict[str, Any] | None = None


class EditorClient:
    """The editor of a site that has an account. Every method raises TranslationServiceError."""

    name = "ate"

    def __init__(self, site: SiteContext, account: ServiceAccount) -> None:
        if not account:
            raise TranslationServiceError(
                "The site has no account with the translation service: POST /mlang/tm/v1/ams/register_manager."
            )
        self._remote = TranslationServiceClient(site, "ate", account.shared, account.uuid)

    # -- the interface of every service

    def send(self, parcels: Sequence[JobPayload]) -> Mapping[int, int]:
        jobs = [_serialize_payload(parcel) for parcel in parcels]
        answer = self._remote.ask("POST", "/jobs", {"jobs": jobs})
        given = answer.get("jobs") if isinstance(answer, dict) else None
        if not isinstance(given, dict):
            raise TranslationServiceError("The remote editor did not say which numbers it gave.")
        out = {}
        for parcel in parcels:
            number = given.get(str(parcel.number))
            if is_job_number(number):
                out[parcel.number] = number
        return out

    def state(self, number: int) -> ServiceProgress:
        return _PROGRESS.get(self.fetch_job(number).status_id, ServiceProgress.UNKNOWN)

    def fetch(self, number: int) -> str:
        found = self.fetch_job(number)
        if not found.url:
            raise TranslationServiceError(f"The remote editor has no file of its job {number} yet.")
        return self._remote.fetch_file(found.url)

    def cancel(self, number: int) -> None:
        self._remote.ask("POST", "/jobs/hide", {"jobs": [number]})

    # -- the editor's own calls

    def forward_jobs(self, body: Any) -> Any:
        """Forward a request body, and return the editor's response unchanged."""
        return self._remote.ask("POST", "/jobs", body)

    def fetch_job_answer(self, number: int) -> Any:
        """Return the editor's response about one of its jobs, unchanged."""
        return self._remote.ask("GET", f"/jobs/{number}")

    def fetch_job(self, number: int) -> EditorJob:
        """Return the editor's report on one of its jobs."""
        answer = self.fetch_job_answer(number)
        own = answer.get(str(number)) if isinstance(answer, dict) else None
        if not isinstance(own, dict):
            raise TranslationServiceError(f"The remote editor says nothing of its job {number}.")
        return _parse_job({"ate_job_id": number, **own})

    def fetch_first_page(self, numbers: Sequence[int]) -> EditorJobPage:
        """Return the first page of the editor's report on some jobs."""
        return _parse_page(self._remote.ask("POST", "/jobs/sync", {"jobs": list(numbers)}))

    def fetch_next_page(self, token: str, page: int) -> EditorJobPage:
        """Return a further page."""
        return _parse_page(self._remote.ask("POST", "/jobs/sync/page", {"token": token, "page": page}))

    def fetch_file(self, url: str) -> str:
        """Return a file by the URL that the editor gave."""
        return self._remote.fetch_file(url)

    def confirm(self, numbers: Sequence[int]) -> None:
        """Confirm to the editor that the files of some jobs have arrived."""
        self._remote.ask("POST", "/jobs/confirm", {"jobs": list(numbers)})


def is_job_number(value: Any) -> TypeGuard[int]:
    """Say whether a value can be the id of a job."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value <= MAX_SAFE_INTEGER


def _serialize_payload(parcel: JobPayload) -> dict[str, Any]:
    return {
        "id": parcel.number,
        "title": parcel.title,
        "automatic": parcel.automatic,
        "file": {
            "type": "data:application/x-xliff;base64",
            "name": f"{parcel.number}.xliff",
            "content": base64.b64encode(parcel.xliff.encode()).decode(),
        },
        "source_language": {"code": parcel.source_language},
        "target_language": {"code": parcel.target_language},
    }


class _EditorJobAnswer(msgspec.Struct):
    ate_job_id: int
    status_id: int = 0
    translated_xliff: str | None = None
    url: str | None = None
    unsolvable: bool = False
    message: str | None = None


def _parse_job(answer: Any) -> EditorJob:
    try:
        one = msgspec.convert(answer, _EditorJobAnswer)
    except msgspec.ValidationError as error:
        raise TranslationServiceError(f"The remote editor says of a job what cannot be read: {error}") from None
    if not is_job_number(one.ate_job_id):
        raise TranslationServiceError(f"The remote editor calls a job {one.ate_job_id}, which is no number of one.")
    return EditorJob(
        one.ate_job_id, one.status_id, one.url or one.translated_xliff or "", one.unsolvable, one.message or ""
    )


def _parse_page(answer: Any) -> EditorJobPage:
    jobs = answer.get("jobs") if isinstance(answer, dict) else None
    if not isinstance(jobs, list):
        raise TranslationServiceError("The remote editor did not answer with a list of jobs.")
    token, pages, eta = answer.get("ateToken"), answer.get("numberOfPages"), answer.get("eta")
    paged = isinstance(token, str) and isinstance(pages, int) and not isinstance(pages, bool) and pages > 0
    return EditorJobPage(
        tuple(map(_parse_job, jobs)),
        token if paged else None,
        pages if paged else None,
        {**eta, "available": True} if isinstance(eta, dict) else None,
    )

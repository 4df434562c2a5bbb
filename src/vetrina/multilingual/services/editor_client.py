"""The remote editor (ATE) as a translation service: jobs go to it as XLIFF and come back as files.

Not here: the account that signs (multilingual/services/account.py), when it is asked and what becomes of its answers
(multilingual/services/editor_exchange.py). Rules: facts, 6.2 (its states) and 9.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeGuard

import msgspec

from vetrina.core.unit_of_work import Frame
from vetrina.kernel.integers import LARGEST
from vetrina.multilingual.services.account import Account
from vetrina.multilingual.services.remote import Remote
from vetrina.multilingual.services.service import Parcel, Progress, ServiceError

__all__ = ["DELIVERED", "Editor", "Page", "RemoteJob", "is_number"]

DELIVERED: Final = 8
_PROGRESS: Final[Mapping[int, Progress]] = {
    0: Progress.WAITING, 1: Progress.WORKING, 6: Progress.WORKING, 7: Progress.WORKING, DELIVERED: Progress.DONE,
    15: Progress.WORKING, 31: Progress.WAITING, 20: Progress.CANCELLED,
}  # fmt: skip


class RemoteJob(msgspec.Struct, frozen=True):
    """What the editor says of a job. url: of the filled file, empty before there is one."""

    ate_job_id: int
    status_id: int = 0
    url: str = ""
    unsolvable: bool = False
    message: str = ""

    @property
    def is_delivered(self) -> bool:
        return self.status_id == DELIVERED


class Page(msgspec.Struct, frozen=True):
    """A part of what the editor says of many jobs. token, pages: of the further parts, None where there are none."""

    jobs: tuple[RemoteJob, ...]
    token: str | None = None
    pages: int | None = None
    eta: dict[str, Any] | None = None


class Editor:
    """The editor of a site that has an account. Every method raises ServiceError."""

    name = "ate"

    def __init__(self, frame: Frame, mine: Account) -> None:
        if not mine:
            raise ServiceError(
                "The site has no account with the translation service: POST /mlang/tm/v1/ams/register_manager."
            )
        self._remote = Remote(frame, "ate", mine.shared, mine.uuid)

    # -- what every service can do

    def send(self, parcels: Sequence[Parcel]) -> Mapping[int, int]:
        jobs = [_packed(parcel) for parcel in parcels]
        told = self._remote.ask("POST", "/jobs", {"jobs": jobs})
        given = told.get("jobs") if isinstance(told, dict) else None
        if not isinstance(given, dict):
            raise ServiceError("The remote editor did not say which numbers it gave.")
        out = {}
        for parcel in parcels:
            number = given.get(str(parcel.number))
            if is_number(number):
                out[parcel.number] = number
        return out

    def state(self, number: int) -> Progress:
        return _PROGRESS.get(self.job(number).status_id, Progress.UNKNOWN)

    def fetch(self, number: int) -> str:
        found = self.job(number)
        if not found.url:
            raise ServiceError(f"The remote editor has no file of its job {number} yet.")
        return self._remote.file(found.url)

    def cancel(self, number: int) -> None:
        self._remote.ask("POST", "/jobs/hide", {"jobs": [number]})

    # -- what this one can do beside

    def handed(self, body: Any) -> Any:
        """Return what the editor answers to a body that is handed on as it is."""
        return self._remote.ask("POST", "/jobs", body)

    def told(self, number: int) -> Any:
        """Return what the editor answers about one of its jobs, as it is."""
        return self._remote.ask("GET", f"/jobs/{number}")

    def job(self, number: int) -> RemoteJob:
        """Return what the editor says of one of its jobs."""
        told = self.told(number)
        own = told.get(str(number)) if isinstance(told, dict) else None
        if not isinstance(own, dict):
            raise ServiceError(f"The remote editor says nothing of its job {number}.")
        return _job({"ate_job_id": number, **own})

    def look(self, numbers: Sequence[int]) -> Page:
        """Return the first page of what the editor says of some jobs."""
        return _page(self._remote.ask("POST", "/jobs/sync", {"jobs": list(numbers)}))

    def next_page(self, token: str, page: int) -> Page:
        """Return a further page."""
        return _page(self._remote.ask("POST", "/jobs/sync/page", {"token": token, "page": page}))

    def file(self, url: str) -> str:
        """Return a file that the editor named."""
        return self._remote.file(url)

    def confirm(self, numbers: Sequence[int]) -> None:
        """Tell the editor that the files of some jobs have arrived."""
        self._remote.ask("POST", "/jobs/confirm", {"jobs": list(numbers)})


def is_number(value: Any) -> TypeGuard[int]:
    """Say whether a value can be the number of a job."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value <= LARGEST


def _packed(parcel: Parcel) -> dict[str, Any]:
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


class _Told(msgspec.Struct):
    ate_job_id: int
    status_id: int = 0
    translated_xliff: str | None = None
    url: str | None = None
    unsolvable: bool = False
    message: str | None = None


def _job(told: Any) -> RemoteJob:
    try:
        one = msgspec.convert(told, _Told)
    except msgspec.ValidationError as error:
        raise ServiceError(f"The remote editor says of a job what cannot be read: {error}") from None
    if not is_number(one.ate_job_id):
        raise ServiceError(f"The remote editor calls a job {one.ate_job_id}, which is no number of one.")
    return RemoteJob(
        one.ate_job_id, one.status_id, one.url or one.translated_xliff or "", one.unsolvable, one.message or ""
    )


def _page(told: Any) -> Page:
    jobs = told.get("jobs") if isinstance(told, dict) else None
    if not isinstance(jobs, list):
        raise ServiceError("The remote editor did not answer with a list of jobs.")
    token, pages, eta = told.get("ateToken"), told.get("numberOfPages"), told.get("eta")
    paged = isinstance(token, str) and isinstance(pages, int) and not isinstance(pages, bool) and pages > 0
    return Page(
        tuple(map(_job, jobs)),
        token if paged else None,
        pages if paged else None,
        {**eta, "available": True} if isinstance(eta, dict) else None,
    )

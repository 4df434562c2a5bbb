"""Agencies behind the translation proxy (TP) as a translation service: batches of jobs go out, files come back.

Calls are signed with the project's key, which the profile has. Not here: when an agency is asked and what becomes of
its answers (multilingual/services/agency_exchange.py). Rules: facts, 6.3 (its states) and 8, `tp/*`.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any, Final

from vetrina.core.unit_of_work import Frame
from vetrina.kernel.integers import LARGEST
from vetrina.multilingual.services.remote import Remote
from vetrina.multilingual.services.service import Parcel, Progress, ServiceError

__all__ = ["Agency", "has_agency"]

_PROGRESS: Final[Mapping[str, Progress]] = {
    "received": Progress.WAITING,
    "waiting_translation": Progress.WORKING,
    "translation_ready": Progress.DONE,
    "delivered": Progress.DONE,
    "cancelled": Progress.CANCELLED,
}


def has_agency(frame: Frame) -> bool:
    """Say whether the profile names a project at an agency."""
    told = frame.profile.translation
    return told.tp_key != "" and (told.tp_url or told.service_url) != ""


class Agency:
    """The agency of a site. batch: the number that it gave the jobs sent last. Every method raises ServiceError."""

    def __init__(self, frame: Frame) -> None:
        told = frame.profile.translation
        if not told.tp_key:
            raise ServiceError("The site's profile names no project at an agency; set translation.tp_key.")
        self._remote = Remote(frame, "tp", told.tp_key, str(told.tp_service))
        self._name = str(told.tp_service)
        self.batch: int | None = None

    @property
    def name(self) -> str:
        return self._name

    def send(self, parcels: Sequence[Parcel]) -> Mapping[int, int]:
        told = self._remote.ask("POST", "/batches", {"jobs": [_packed(parcel) for parcel in parcels]})
        given = told.get("jobs") if isinstance(told, dict) else None
        if not isinstance(given, dict):
            raise ServiceError("The agency did not say which numbers it gave.")
        self.batch = _number(told.get("batch"))
        numbers = {parcel.number: _number(given.get(str(parcel.number))) for parcel in parcels}
        return {own: number for own, number in numbers.items() if number is not None}

    def state(self, number: int) -> Progress:
        return _PROGRESS.get(self.word(number), Progress.UNKNOWN)

    def word(self, number: int) -> str:
        """Return what the agency says of one of its jobs, in its own word."""
        told = self._remote.ask("GET", f"/jobs/{number}")
        word = told.get("state") if isinstance(told, dict) else None
        if not isinstance(word, str):
            raise ServiceError(f"The agency says nothing of its job {number}.")
        return word

    def fetch(self, number: int) -> str:
        return self._remote.file(f"{self._remote.base}/jobs/{number}/xliff")

    def cancel(self, number: int) -> None:
        self._remote.ask("POST", f"/jobs/{number}/cancel")

    def synchronise(self, batches: Sequence[int]) -> list[int]:
        """Ask the agency to bring some batches up to date, and return those that it has queued."""
        return _numbers(self._remote.ask("POST", "/batches/sync", {"batches": list(batches)}))

    def queued(self) -> list[int]:
        """Return the batches that are being brought up to date."""
        return _numbers(self._remote.ask("GET", "/batches/sync"))


def _packed(parcel: Parcel) -> dict[str, Any]:
    return {
        "id": parcel.number,
        "title": parcel.title,
        "source_language": parcel.source_language,
        "target_language": parcel.target_language,
        "file": base64.b64encode(parcel.xliff.encode()).decode(),
    }


def _number(value: Any) -> int | None:
    fitting = isinstance(value, int) and not isinstance(value, bool) and 0 < value <= LARGEST
    return value if fitting else None


def _numbers(told: Any) -> list[int]:
    found = told.get("batches") if isinstance(told, dict) else None
    if not isinstance(found, list):
        raise ServiceError("The agency did not answer with a list of batches.")
    return [number for one in found if (number := _number(one)) is not None]

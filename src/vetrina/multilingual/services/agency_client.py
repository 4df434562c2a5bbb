"""Client of agencies behind the translation proxy (TP): sends batches of jobs and fetches their files.

Calls are signed with the project's key from the profile. Not here: when an agency is called, and what its responses
change (multilingual/services/agency_exchange.py). Rules: docs/rules/translation_jobs.md, 8 and
docs/rules/translation_services.md, 1, 2 and 3.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any, Final

from vetrina.core.site_context import SiteContext
from vetrina.kernel.integers import MAX_SAFE_INTEGER
from vetrina.multilingual.services.remote import TranslationServiceClient
from vetrina.multilingual.services.service import JobPayload, ServiceProgress, TranslationServiceError

_PROGRESS: Final[Mapping[str, ServiceProgress]] = {
    "received": ServiceProgress.WAITING,
    "waiting_translation": ServiceProgress.WORKING,
    "translation_ready": ServiceProgress.DONE,
    "delivered": ServiceProgress.DONE,
    "cancelled": ServiceProgress.CANCELLED,
}


class AgencyClient:
    """The agency of a site. Every method raises TranslationServiceError.

    batch: the agency's id of the batch that was sent last.
    """

    def __init__(self, site: SiteContext) -> None:
        config = site.profile.translation
        if not config.tp_key:
            raise TranslationServiceError("The site's profile names no project at an agency; set translation.tp_key.")
        self._remote = TranslationServiceClient(site, "tp", config.tp_key, str(config.tp_service))
        self._name = str(config.tp_service)
        self.batch: int | None = None

    @property
    def name(self) -> str:
        return self._name

    def send(self, parcels: Sequence[JobPayload]) -> Mapping[int, int]:
        answer = self._remote.ask("POST", "/batches", {"jobs": [_serialize_payload(parcel) for parcel in parcels]})
        given = answer.get("jobs") if isinstance(answer, dict) else None
        if not isinstance(given, dict):
            raise TranslationServiceError("The agency did not say which numbers it gave.")
        self.batch = _parse_number(answer.get("batch"))
        numbers = {parcel.number: _parse_number(given.get(str(parcel.number))) for parcel in parcels}
        return {own: number for own, number in numbers.items() if number is not None}

    def state(self, number: int) -> ServiceProgress:
        return _PROGRESS.get(self.fetch_status_word(number), ServiceProgress.UNKNOWN)

    def fetch_status_word(self, number: int) -> str:
        """Return the agency's own status word of one of its jobs."""
        answer = self._remote.ask("GET", f"/jobs/{number}")
        word = answer.get("state") if isinstance(answer, dict) else None
        if not isinstance(word, str):
            raise TranslationServiceError(f"The agency says nothing of its job {number}.")
        return word

    def fetch(self, number: int) -> str:
        return self._remote.fetch_file(f"{self._remote.base}/jobs/{number}/xliff")

    def cancel(self, number: int) -> None:
        self._remote.ask("POST", f"/jobs/{number}/cancel")

    def synchronize_batches(self, batches: Sequence[int]) -> list[int]:
        """Ask the agency to update some batches, and return the ids of those that it has queued."""
        return _parse_batch_numbers(self._remote.ask("POST", "/batches/sync", {"batches": list(batches)}))

    def list_queued_batches(self) -> list[int]:
        """Return the ids of the batches that are being updated."""
        return _parse_batch_numbers(self._remote.ask("GET", "/batches/sync"))


def _serialize_payload(parcel: JobPayload) -> dict[str, Any]:
    return {
        "id": parcel.number,
        "title": parcel.title,
        "source_language": parcel.source_language,
        "target_language": parcel.target_language,
        "file": base64.b64encode(parcel.xliff.encode()).decode(),
    }


def _parse_number(value: Any) -> int | None:
    fitting = isinstance(value, int) and not isinstance(value, bool) and 0 < value <= MAX_SAFE_INTEGER
    return value if fitting else None


def _parse_batch_numbers(answer: Any) -> list[int]:
    found = answer.get("batches") if isinstance(answer, dict) else None
    if not isinstance(found, list):
        raise TranslationServiceError("The agency did not answer with a list of batches.")
    return [number for one in found if (number := _parse_number(one)) is not None]

"""The protocol of all translation services, local or remote.

Calls may wait for another server, so they are made outside every transaction (multilingual/services/dispatch.py), and
their results are stored afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Protocol

import msgspec


class TranslationServiceError(Exception):
    """A call to a service failed or was refused; the message is for users. status: the HTTP status, 0 for none."""

    def __init__(self, message: str, status: int = 0) -> None:
        super().__init__(message)
        self.status = status


class ServiceProgress(Enum):
    """The progress of a job at a service."""

    WAITING = "waiting"
    WORKING = "working"
    DONE = "done"
    CANCELLED = "cancelled"
    UNKNOWN = "unknown"


class JobPayload(msgspec.Struct, frozen=True):
    """A job as it is sent. number: the job's id. xliff: the whole file. automatic: whether a machine may fill it."""

    number: int
    xliff: str
    source_language: str
    target_language: str
    automatic: bool = False
    title: str = ""


class TranslationProvider(Protocol):
    """A translation service. Every method raises TranslationServiceError."""

    @property
    def name(self) -> str:
        """The name that jobs are marked with: `local`, or that of a remote service."""

    def send(self, parcels: Sequence[JobPayload]) -> Mapping[int, int]:
        """Send jobs, and return the service's ids by the jobs' own."""

    def state(self, number: int) -> ServiceProgress:
        """Return the progress of a job, by the service's id."""

    def fetch(self, number: int) -> str:
        """Return the filled file of a job, by the service's id."""

    def cancel(self, number: int) -> None:
        """Tell the service that the job is no longer wanted."""

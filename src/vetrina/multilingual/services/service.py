"""What every translation service can do, be it the one of the house or a remote one.

Calls may wait for another server, so they are made outside every transaction (multilingual/services/dispatch.py); what
a service told is kept afterwards. Not here: the service of the house (multilingual/services/local_service.py), remote
ones (their clients).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Protocol

import msgspec

__all__ = ["Parcel", "Progress", "Service", "ServiceError"]


class ServiceError(Exception):
    """A service could not be asked, or refused; the message says why, for people. status: the HTTP status it gave."""

    def __init__(self, message: str, status: int = 0) -> None:
        super().__init__(message)
        self.status = status


class Progress(Enum):
    """How far a service is with a job."""

    WAITING = "waiting"
    WORKING = "working"
    DONE = "done"
    CANCELLED = "cancelled"
    UNKNOWN = "unknown"


class Parcel(msgspec.Struct, frozen=True):
    """A job as it is sent. number: the job's. xliff: the whole file. automatic: whether a machine may fill it."""

    number: int
    xliff: str
    source_language: str
    target_language: str
    automatic: bool = False
    title: str = ""


class Service(Protocol):
    """A translation service. Every method raises ServiceError."""

    @property
    def name(self) -> str:
        """What jobs are marked with: `local`, or the name of a remote one."""

    def send(self, parcels: Sequence[Parcel]) -> Mapping[int, int]:
        """Hand jobs over and return the numbers that the service gave them, by the jobs' own."""

    def state(self, number: int) -> Progress:
        """Return how far the service is with one of its numbers."""

    def fetch(self, number: int) -> str:
        """Return the filled file of one of its numbers."""

    def cancel(self, number: int) -> None:
        """Tell the service that the job is not wanted any more."""

"""The heartbeat: what the site counts about its connection, asked for or sent once a day.

Not here: the route (the namespace), how jobs are carried out (domain/jobs.py). Rules: facts of the connector, 11.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from vetrina.backends import queue as jobs
from vetrina.domain.work import Work

from . import identity, introduction, remote, state
from .remote import Failed

__all__ = ["LAST", "SEND", "keep", "numbers", "sent", "sweep"]

LAST: Final = "last_heartbeat"
SEND: Final = "connector.heartbeat"  # kind of the job

_SECONDS: Final = 23 * 3600  # between two of them
_PREFIX: Final = "v2-"


def numbers(work: Work, prefix: str = "") -> dict[str, Any]:
    """Return what is counted, each name with a prefix; nothing on a site that is not registered."""
    if not state.is_registered(work):
        return {}
    told = {
        "standalone-connection": [slug for slug, _ in introduction.PLUGINS],
        "connector_package_versions": introduction.PACKAGES,
    }
    return {f"{prefix}{name}": value for name, value in told.items()}


def sweep(work: Work) -> None:
    """Note that a heartbeat is due."""
    if _is_due(work):
        jobs.bring_forward(work.tx, SEND, {}, due=work.now, now=work.now, key=SEND)


def sent(work: Work, arguments: Mapping[str, Any]) -> Callable[[], bool] | None:
    """Return the call that sends a heartbeat, None when none is due."""
    if not _is_due(work):
        return None
    call = remote.prepared(work, "/heartbeat", numbers(work, _PREFIX), user=0)

    def carried() -> bool:
        try:
            remote.refused(call())
        except Failed:
            return False
        return True

    return carried


def keep(work: Work, arguments: Mapping[str, Any], found: bool) -> None:
    """Keep that a heartbeat was sent; one that failed counts, too: a day has no second."""
    state.put(work, LAST, work.now)


def _is_due(work: Work) -> bool:
    due = work.now - int(state.get(work, LAST, 0)) >= _SECONDS
    return due and state.is_registered(work) and not state.is_offline(work.frame) and not identity.in_crisis(work)

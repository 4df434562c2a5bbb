"""The heartbeat: what the site counts about its connection, asked for or sent once a day.

Not here: the route (the namespace), how jobs are carried out (system/job_runner.py). Rules: facts of the connector, 11.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from vetrina.backends import job_queue
from vetrina.connector.connection import introduction
from vetrina.connector.connection import remote as connection_remote
from vetrina.connector.connection import state as connection_state
from vetrina.connector.connection.remote import Failed
from vetrina.connector.identity import rules as identity
from vetrina.core.unit_of_work import Work

__all__ = ["LAST", "SEND", "keep", "numbers", "sent", "sweep"]

LAST: Final = "last_heartbeat"
SEND: Final = "connector.heartbeat"  # kind of the job

_SECONDS: Final = 23 * 3600  # between two of them
_PREFIX: Final = "v2-"


def numbers(work: Work, prefix: str = "") -> dict[str, Any]:
    """Return what is counted, each name with a prefix; nothing on a site that is not registered."""
    if not connection_state.is_registered(work):
        return {}
    told = {
        "standalone-connection": [slug for slug, _ in introduction.PLUGINS],
        "connector_package_versions": introduction.PACKAGES,
    }
    return {f"{prefix}{name}": value for name, value in told.items()}


def sweep(work: Work) -> None:
    """Note that a heartbeat is due."""
    if _is_due(work):
        job_queue.bring_forward(work.tx, SEND, {}, due=work.now, now=work.now, key=SEND)


def sent(work: Work, arguments: Mapping[str, Any]) -> Callable[[], bool] | None:
    """Return the call that sends a heartbeat, None when none is due."""
    if not _is_due(work):
        return None
    call = connection_remote.prepared(work, "/heartbeat", numbers(work, _PREFIX), user=0)

    def carried() -> bool:
        try:
            connection_remote.refused(call())
        except Failed:
            return False
        return True

    return carried


def keep(work: Work, arguments: Mapping[str, Any], found: bool) -> None:
    """Keep that a heartbeat was sent; one that failed counts, too: a day has no second."""
    connection_state.put(work, LAST, work.now)


def _is_due(work: Work) -> bool:
    due = work.now - int(connection_state.get(work, LAST, 0)) >= _SECONDS
    return (
        due
        and connection_state.is_registered(work)
        and not connection_state.is_offline(work.frame)
        and not identity.in_crisis(work)
    )

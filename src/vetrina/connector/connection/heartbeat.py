"""The heartbeat: figures about the connection, sent to the service once a day or read on request.

Rules: docs/rules/connector.md, 11.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from vetrina.backends import job_queue
from vetrina.connector import stored_values
from vetrina.connector.connection import introduction, remote as connection_remote, state as connection_state
from vetrina.connector.connection.remote import ConnectorServiceFailed
from vetrina.connector.identity import rules as identity
from vetrina.core.unit_of_work import UnitOfWork

LAST: Final = "last_heartbeat"
SEND: Final = "connector.heartbeat"  # kind of the job

_SECONDS: Final = 23 * 3600  # between two heartbeats
_PREFIX: Final = "v2-"


def collect_heartbeat_figures(work: UnitOfWork, prefix: str = "") -> dict[str, Any]:
    """Return the figures, each name with a prefix; none on a site that is not registered."""
    if not connection_state.is_registered(work):
        return {}
    figures = {
        "standalone-connection": [slug for slug, _ in introduction.PLUGINS],
        "connector_package_versions": introduction.PACKAGES,
    }
    return {f"{prefix}{name}": value for name, value in figures.items()}


def enqueue_heartbeat(work: UnitOfWork) -> None:
    """Enqueue a heartbeat that is due."""
    if _is_due(work):
        job_queue.enqueue_missing_job(work.tx, SEND, {}, due=work.now, now=work.now, key=SEND)


def prepare_heartbeat(work: UnitOfWork, arguments: Mapping[str, Any]) -> Callable[[], bool] | None:
    """Return the call that sends a heartbeat, None when none is due."""
    if not _is_due(work):
        return None
    call = connection_remote.prepare_request(work, "/heartbeat", collect_heartbeat_figures(work, _PREFIX), user=0)

    def carried() -> bool:
        try:
            connection_remote.parse_reply(call())
        except ConnectorServiceFailed:
            return False
        return True

    return carried


def record_heartbeat(work: UnitOfWork, arguments: Mapping[str, Any], sent: bool) -> None:
    """Record that a heartbeat was sent; a failed one counts too, so there is no second one on that day."""
    stored_values.save_value(work, LAST, work.now)


def _is_due(work: UnitOfWork) -> bool:
    due = work.now - int(stored_values.get_value(work, LAST, 0)) >= _SECONDS
    return (
        due
        and connection_state.is_registered(work)
        and not connection_state.is_offline(work.site)
        and not identity.is_in_crisis(work)
    )

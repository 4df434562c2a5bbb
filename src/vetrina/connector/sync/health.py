"""The health of sync: whether the service has what the site has, as the service says it.

Rules: docs/rules/connector_tables.md, 5.
"""

from __future__ import annotations

from typing import Final

from vetrina.connector import stored_values
from vetrina.connector.sync import settings as sync_settings
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError

IN_SYNC, OUT_OF_SYNC, DISABLED, UNKNOWN = "in_sync", "out_of_sync", "disabled", "unknown"

_HEALTH: Final = "sync_health"


class InvalidSyncHealth(ApiError):
    """Only two values of health can be set."""

    code = "invalid_status"
    message = "The health {status!r} is not known; tell in_sync or out_of_sync."


def get_sync_health(work: UnitOfWork) -> str:
    """Return the health of sync."""
    if sync_settings.get_sync_number(work, "disable"):
        return DISABLED
    found: str = stored_values.get_value(work, _HEALTH, UNKNOWN)
    return found


def set_sync_health(work: UnitOfWork, status: str) -> None:
    """Store the health of sync. Raises InvalidSyncHealth."""
    if status not in (IN_SYNC, OUT_OF_SYNC):
        raise InvalidSyncHealth(status=status[:40])
    stored_values.save_value(work, _HEALTH, status)


def forget_sync_health(work: UnitOfWork) -> None:
    """Delete what the service said of the health."""
    stored_values.delete_values(work, _HEALTH)

"""How long the audit trail is kept: as many days as the setting says, then it is deleted in small steps.

Rules: docs/rules/audit.md, 4.
"""

from __future__ import annotations

from typing import Final

from vetrina.access.audit import store
from vetrina.core.unit_of_work import UnitOfWork

_DAY_SECONDS: Final = 86_400
_STEP: Final = 1_000  # entries that are deleted at once; the next minute goes on


def delete_old_entries(work: UnitOfWork, most: int = _STEP) -> None:
    """Delete the oldest entries that are kept no longer, at most so many; any where the site keeps no trail."""
    days = work.site.profile.accounts.audit_days
    store.delete_entries_before(work.tx, work.now - days * _DAY_SECONDS + (days <= 0), most)

"""The statuses that a record may have, and what each means for its readers.

Not here: which status a write may set and what follows from it (content/records/statuses.py).
Rules: docs/rules/statuses.md, 1 and 5; docs/rules/types.md, 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from vetrina.content.records.dates import FLOATING_STATUSES


@dataclass(frozen=True)
class RecordStatus:
    """A status.

    public: everybody may read such records and filter lists by the status.
    private: only the author and those with the right to private records may read such records.
    protected: the record is not public yet, so only those who may edit it read it.
    listed: an editor's list of everything contains such records.
    """

    name: str
    label: str
    public: bool = False
    private: bool = False
    protected: bool = False
    listed: bool = True

    @property
    def date_floating(self) -> bool:
        """Return whether a record with this status has no date of its own until one is given."""
        return self.name in FLOATING_STATUSES


SHOWN_STATUSES: Final = {
    status.name: status
    for status in (
        RecordStatus("publish", "Published", public=True),
        RecordStatus("future", "Scheduled", protected=True),
        RecordStatus("draft", "Draft", protected=True),
        RecordStatus("pending", "Pending", protected=True),
        RecordStatus("private", "Private", private=True),
        RecordStatus("trash", "Trash", listed=False),
    )
}

# Statuses that the site itself uses; filters accept them, but no route describes them.
INNER_STATUSES: Final = frozenset(
    {
        "auto-draft", "inherit", "request-pending", "request-confirmed", "request-failed", "request-completed",
        "ext-disabled",
    }
)  # fmt: skip
ALL_STATUSES: Final = frozenset(SHOWN_STATUSES) | INNER_STATUSES

"""The states that a record may be in, and what each of them means for its readers.

Not here: which state a write may choose and what follows from it (content/records/lifecycle.py).
Rules: interface.md, "Status values"; facts, "Settings, kinds, states, taxonomies, search".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from vetrina.content.records.lifecycle import FLOATING

__all__ = ["INNER", "SHOWN", "Status"]


@dataclass(frozen=True)
class Status:
    """One state.

    public: everybody may read records in it, and ask lists for them.
    private: only the author and those with the right to private records read it.
    protected: it is on its way to be public, so only those who may edit the record read it.
    listed: an editor's list of everything shows records in it.
    """

    name: str
    label: str
    public: bool = False
    private: bool = False
    protected: bool = False
    listed: bool = True

    @property
    def date_floating(self) -> bool:
        """Say whether a record in this state has no date of its own until one is given."""
        return self.name in FLOATING


SHOWN: Final = {
    status.name: status
    for status in (
        Status("publish", "Published", public=True),
        Status("future", "Scheduled", protected=True),
        Status("draft", "Draft", protected=True),
        Status("pending", "Pending", protected=True),
        Status("private", "Private", private=True),
        Status("trash", "Trash", listed=False),
    )
}

# States that the site itself uses; filters know them, but they are described to nobody.
INNER: Final = frozenset(
    {
        "auto-draft", "inherit", "request-pending", "request-confirmed", "request-failed", "request-completed",
        "ext-disabled",
    }
)  # fmt: skip

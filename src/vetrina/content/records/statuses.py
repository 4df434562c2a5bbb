"""Statuses: which ones there are, and which a record may get.

Not here: which status follows from a date (content/records/scheduling.py), the trash (content/records/trash.py).
Rules: docs/rules/statuses.md, 1 to 3; docs/rules/kinds.md, 4.
"""

from __future__ import annotations

from vetrina.access.roles.capabilities import may_publish_records
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import PermissionDenied

WRITABLE_STATUSES = ("publish", "future", "draft", "pending", "private", "ext-disabled")
STORED_STATUSES = (
    "publish", "future", "draft", "pending", "private", "trash", "auto-draft", "inherit", "request-pending",
    "request-confirmed", "request-failed", "request-completed", "ext-disabled",
)  # fmt: skip
FILTERABLE_STATUSES = (*STORED_STATUSES, "any")
ANY_STATUSES = ("publish", "future", "draft", "pending", "private")  # what the status filter `any` means
PUBLISHED_STATUSES = ("publish", "future", "private")  # those of records that are finished


class CannotPublishRecord(PermissionDenied):
    code = "rest_cannot_publish"
    message = "You may not give records of this type the status {status}; save it as draft or pending."


def require_status(work: UnitOfWork, type: ContentType, status: str, language: str) -> None:
    """Raise CannotPublishRecord when the caller may not set this status on a record in a language."""
    if status in ("publish", "future", "private") and not may_publish_records(work.user, type, language):
        raise CannotPublishRecord(bool(work.user), status=status)

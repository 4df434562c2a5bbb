"""The launch of a shop: what is recorded of it.

Not here: coming-soon mode (shop/admin/coming_soon.py). Rules: docs/rules/shop_admin.md, 8.
"""

from __future__ import annotations

from typing import Final

from vetrina.core.unit_of_work import UnitOfWork

_SURVEY: Final = "shop_admin_launch_your_store_survey_completed"


def get_survey_status(work: UnitOfWork) -> str:
    """Return `yes` once the owner has answered the survey, otherwise `no`."""
    return "yes" if work.stored_option(_SURVEY) == "yes" else "no"


def answer_survey(work: UnitOfWork, status: str) -> None:
    """Store whether the survey was answered."""
    if status and work.stored_option(_SURVEY) != status:
        work.set_option(_SURVEY, status)

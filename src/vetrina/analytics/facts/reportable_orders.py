"""Which orders count in reports, and by which of their dates.

Rules: facts, "Which rows count": by default all but the statuses of a setting, and never what is in the trash or was
begun and not finished.
"""

from __future__ import annotations

from typing import Final, Literal

from vetrina.core.unit_of_work import Work
from vetrina.shop.orders import statuses as order_statuses
from vetrina.shop.settings import rules as settings

__all__ = ["DATES", "EXCLUDED_SETTING", "KINDS", "Dates", "date_setting", "excluded"]

Dates = Literal["created", "paid", "completed"]
DATES: Final[dict[str, Dates]] = {"date_created": "created", "date_paid": "paid", "date_completed": "completed"}
KINDS: Final = tuple(DATES.values())
EXCLUDED_SETTING: Final = "shop_excluded_report_order_statuses"
_NEVER: Final = ("auto-draft", order_statuses.DRAFT, order_statuses.TRASH)


def excluded(work: Work) -> tuple[str, ...]:
    """Return the statuses that do not count unless they are asked for, in order."""
    told = settings.shop_option(work, EXCLUDED_SETTING)
    return tuple(sorted({*_NEVER, *(told if isinstance(told, list) else ())}))


def date_setting(work: Work) -> Dates:
    """Return the date that orders and revenue go by."""
    return DATES.get(settings.shop_option(work, "shop_date_type"), "paid")

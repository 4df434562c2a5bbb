"""Which orders count in reports, and by which of their dates.

Rules: docs/rules/analytics_rows.md, 7 and 8; docs/rules/analytics_exports.md, 4: by default all but the statuses of a
setting; never trashed or unfinished orders.
"""

from __future__ import annotations

from typing import Final, Literal

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.orders import statuses as order_statuses
from vetrina.shop.settings import rules as settings

OrderDate = Literal["created", "paid", "completed"]
DATES: Final[dict[str, OrderDate]] = {"date_created": "created", "date_paid": "paid", "date_completed": "completed"}
KINDS: Final = tuple(DATES.values())
EXCLUDED_SETTING: Final = "shop_excluded_report_order_statuses"
_NEVER: Final = ("auto-draft", order_statuses.DRAFT, order_statuses.TRASH)


def get_excluded_statuses(work: UnitOfWork) -> tuple[str, ...]:
    """Return the statuses that do not count unless requested, in order."""
    value = settings.get_shop_option(work, EXCLUDED_SETTING)
    return tuple(sorted({*_NEVER, *(value if isinstance(value, list) else ())}))


def get_date_setting(work: UnitOfWork) -> OrderDate:
    """Return which date orders and revenue are reported by."""
    return DATES.get(settings.get_shop_option(work, "shop_date_type"), "paid")

"""The totals of a shop's reports over its whole time: what a moved shop must show to the cent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

REPORT_PATHS: Final = tuple(
    f"/shop-analytics/reports/{name}/stats"
    for name in ("revenue", "orders", "products", "variations", "coupons", "taxes", "customers")
)
# A span that no order lies outside of, in no more years than a page has; the same for every site and every day.
_WHOLE_TIME: Final = {
    "after": "2001-01-01T00:00:00",
    "before": "2099-12-31T23:59:59",
    "interval": "year",
    "per_page": 100,
}
_NOT_TOTALS: Final = frozenset({"segments"})


def read_shop_reports(ask: Callable[[str, dict[str, Any]], Any]) -> dict[str, Any]:
    """Return the totals of each report by its path; those that a site doesn't show are left out.

    ask: (path, query) -> the answer, None where it is refused.
    """
    found: dict[str, Any] = {}
    for path in REPORT_PATHS:
        answer = ask(path, {} if path.endswith("customers/stats") else dict(_WHOLE_TIME))
        totals = answer.get("totals") if isinstance(answer, dict) else None
        if isinstance(totals, dict):
            found[path] = {name: value for name, value in totals.items() if name not in _NOT_TOTALS}
    return found

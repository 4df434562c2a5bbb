"""Random histories of a shop, as a reference answered them, each sent to a new test site.

Its clock is set to that of the reference, as far as responses to writes tell: which of two objects is newer, and which
are of the same second, is the same here. Only on SQLite; the recordings (test_recordings.py) are sent to both
databases. Intended differences: docs/deviations.md.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from types import ModuleType
from typing import Any, Final

import pytest

from .replaying import FOLDER, ROOT, Waiting, judge, needs_folder

RANDOM: Final = FOLDER / "random"
DAY: Final = 86_400
BEGIN: Final = 1_795_305_600  # 2026-11-22, the day on which the reference was asked

_RATED = Waiting("Ratings move with the review", r"(.*\.)?(average_rating|rating_count)", "OVERRIDES 13")
_FOUND_BY_RATING = _RATED._replace(where=r"|header x-cms-total(pages)?")
_ALL_THE_SAME = Waiting("A list that is asked for in an order it cannot have", r"|header x-cms-total(pages)?")
_SHOWN_TERMS = Waiting("The total of groups that are not empty", "header x-cms-total")
_TIES = Waiting("Products with equally many reviews", r"\d+\.id")
_FIELDS = Waiting("Extra fields of an order are listed as they came", r"meta_data\.\d+\.value")
# Labels of up to five words are the same; what differs is longer.
_SENTENCES = Waiting(
    "Sentences in the settings of ways of shipping",
    r"method_description|settings\.\w+\.(description|tip|options\.\w+)", "OVERRIDES 11",
)  # fmt: skip
_STALE = "A cart keeps no stale figures"
_SHIPPED_NOTHING = Waiting(_STALE, r"totals\.total_shipping(_tax)?|has_calculated_shipping")
_TAKEN_OFF = Waiting(_STALE, r"coupons\.0\.totals\.total_discount")
_OLD_TAXES = Waiting(_STALE, "tax_lines")
_SOLD = Waiting(
    "Segments of `variations/stats` by product and category", r"(totals|intervals\.\d+\.subtotals)\.segments.*",
    "OVERRIDES 9",
)  # fmt: skip
_NEWEST_SALE = Waiting("Rows of the reports on products and variations by date", r"\d+\..*|\d+")
_EQUAL = Waiting(_NEWEST_SALE.reason, r"\d+\..*|\d+|intervals\..*")
_ONCE = Waiting(
    "A product that is asked for by number and by category counts once", r"header x-cms-total(pages)?|\d+\..*"
)
_CHOSEN_BEFORE = Waiting(
    _STALE, r"totals\.(total_shipping_tax|total_price|total_tax|tax_lines)|shipping_rates\.0\.shipping_rates\.0\.taxes"
)


def _each(why: Waiting, *numbers: int) -> dict[str, Waiting]:
    """Return the steps of these numbers with why they may differ."""
    return {f"request {number}": why for number in numbers}


# fmt: off
WAITING: Final[dict[str, dict[str, Waiting]]] = {
    "random-lists-101": {
        **_each(
            _RATED,
            130, 134, 184, 212, 223, 251, 280, 291, 297, 304, 306, 337, 338, 339, 342, 350, 373, 376, 387, 392,
            401, 406, 421, 463, 492, 516, 619,
        ),
        **_each(_ALL_THE_SAME, 182, 241), **_each(_SHOWN_TERMS, 221), **_each(_TIES, 577),
    },
    "random-lists-102": {
        **_each(
            _RATED,
            143, 175, 178, 294, 346, 381, 382, 384, 397, 420, 430, 440, 476, 492, 525, 530, 542, 546, 561, 600,
        ),
        **_each(_FOUND_BY_RATING, 539), **_each(_ALL_THE_SAME, 312),
    },
    "random-money-102": _each(_FIELDS, 53, 54, 56),
    "random-store-101": {**_each(_SENTENCES, 22, 23, 26, 27, 28, 29, 32, 33), **_each(_SHIPPED_NOTHING, 470)},
    "random-store-102": {
        **_each(_SENTENCES, 20, 23, 24, 27, 28, 31, 32), **_each(_TAKEN_OFF, 217, 218), **_each(_OLD_TAXES, 357, 412),
        **_each(_CHOSEN_BEFORE, 464, 468, 472),
    },
    "random-reports-101": {
        **_each(_SOLD, 182, 207, 243, 388, 431, 437, 442, 493, 495, 497),
        **_each(
            _NEWEST_SALE, 196, 238, 253, 254, 267, 283, 303, 346, 358, 378, 393, 399, 409, 415, 427, 482, 504,
        ),
        **_each(_EQUAL, 312, 368, 401, 430, 448),
    },
    "random-reports-102": {
        **_each(_SOLD, 213, 284, 306, 332, 368, 501, 517),
        **_each(
            _NEWEST_SALE, 159, 160, 200, 209, 211, 219, 252, 253, 267, 279, 285, 288, 313, 322, 347, 366, 375, 378,
            414, 419, 429, 439, 455, 478, 493, 518,
        ),
        **_each(_EQUAL, 188, 391, 401, 446, 509), **_each(_ONCE, 291),
    },
}
# fmt: on


class Moments:
    """A clock set to the time of the step that is replayed. at: seconds since 1970."""

    def __init__(self) -> None:
        self.at = BEGIN

    def now(self) -> int:
        return self.at

    def reach(self, step: dict[str, Any]) -> None:
        """Move to the time when a step was answered, where its response tells; never back."""
        body = step["expect"]["body"]
        if step["request"]["method"] != "GET" and isinstance(body, dict):
            told = (body.get(name) for name in ("date_created_gmt", "date_modified_gmt"))
            moments = [int(datetime.fromisoformat(f"{one}Z").timestamp()) for one in told if isinstance(one, str)]
            # A date in a request may be of any day.
            self.at = max([self.at, *(one for one in moments if one < BEGIN + DAY)])


def scenarios() -> list[str]:
    """Return the names of the scenarios that have to agree."""
    return [file.stem for file in sorted(RANDOM.glob("*.json"))]


@needs_folder
@pytest.mark.parametrize("name", scenarios())
def test_a_random_life_agrees(
    name: str, send: Any, checker: ModuleType, record_property: Callable[[str, object], None]
) -> None:
    scenario = json.loads((RANDOM / f"{name}.json").read_text(encoding="utf-8"))
    clock = Moments()
    transport, users = send("second", clock)
    steps = iter(scenario["steps"])

    def at_its_moment(*asked: Any) -> Any:
        clock.reach(next(steps))
        return transport(*asked)

    checker.transport = at_its_moment
    results = checker.run(scenario, ROOT, users, False, False)
    assert results, "the scenario has no steps"
    wrong, count = judge(scenario["steps"], results, WAITING.get(name, {}))
    record_property("contract", count)
    assert not wrong, "\n" + "\n".join(wrong)

"""A site that moved answers as the old one did: random reads of both, after a random life."""

from __future__ import annotations

import os
import time
from pathlib import Path
from random import Random
from typing import Final

import pytest

from conftest import SetClock, Stand, made
from vetrina.cli.site_connection import LocalConnection
from vetrina.settings import load_profile
from vetrina.transfer.importing import import_records
from vetrina.transfer.options import ImportOptions
from vetrina.transfer.sources.address.site_source import SiteSource

from .old_catalogue import SECRET, list_damage, open_shop
from .random_content_life import ContentLife
from .random_reads import AnswerComparison, RandomReads
from .random_shop_life import ShopLife

pytestmark = pytest.mark.in_process("both sites are read at one moment, which stands still")

READS: Final = 250
FIRST, _, LAST = os.environ.get("VETRINA_SEEDS", "1-2").partition("-")  # `VETRINA_SEEDS=1-100 pytest …` looks at more
SEEDS: Final = range(int(FIRST), int(LAST) + 1)
# What a site knows of itself or does not hand out: its logs, jobs and services, whom it told what, who may sign in how;
# what docs/moving-in.md says does not come; what has other numbers here. A site without a navigation makes one.
LEFT_OUT: Final = (
    "/access/v1/audit-entries", "/access/v1/capabilities", "/access/v1/sessions",
    "/cms-block-editor/v1/navigation-fallback", "/cms-site-health", "/cms/v2/backups", "/cms/v2/changes",
    "/cms/v2/global-styles/{}/revisions", "/cms/v2/jobs", "/cms/v2/redirects", "/cms/v2/template-parts/{}/revisions",
    "/cms/v2/templates/{}/revisions", "/cms/v2/users/{}/application-passwords", "/connector",
    "/mlang/st/v1/strings", "/mlang/tm/v1/ams/synchronize", "/mlang/tm/v1/jobs", "/shop-analytics/admin/notes",
    "/shop-analytics/reports/downloads", "/shop/v1/system_status", "/shop/v2/system_status", "/shop/v3/system_status",
    "/shop/v3/webhooks", "/vendor",
)  # fmt: skip
MENU_ITEMS: Final = "/cms/v2/menu-items"  # do not show when they were made
DRAWN: Final = ("related_ids", "last_used")  # members that are others at every reading


class StoppedClock(SetClock):
    """A clock that stands still, so that two answers tell the same moment."""

    def __init__(self) -> None:
        self._at = int(time.time())

    def now(self) -> int:
        return self._at + self.ahead


@pytest.fixture
def stopped() -> StoppedClock:
    return StoppedClock()


def list_different_answers(old: Stand, new: Stand, random: Random) -> list[str]:
    reads = RandomReads(old.client("admin"), random, LEFT_OUT)
    sides = [(one.client("admin"), one.client()) for one in (old, new)]
    comparison = AnswerComparison(sides[0], sides[1], ("https://old.example", "https://new.example"))
    count, found = 0, []
    for read in reads.draw(READS):
        if read.path == MENU_ITEMS and not read.query.keys().isdisjoint(("after", "before")):
            continue
        count += 1
        found += [
            f"{read.path} {read.query} {one.place}: {one.a!r} {one.b!r}"
            for one in comparison.compare(read)
            if not any(name in one.place for name in DRAWN) and not read.path.endswith("/related")
        ]
    assert count > READS // 3
    return found


def check_move(old: Stand, new: Stand, random: Random) -> None:
    try:
        report = import_records(new.site, SiteSource(LocalConnection(old.site), revisions=True), ImportOptions())
        assert (report.refusals, report.cut_short) == ([], {})
        assert list_different_answers(old, new, random) == []
        assert list_damage(new) == []
    finally:
        old.site.close()
        new.site.close()


@pytest.fixture(scope="session")
def prepared_first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("first")
    site = made(folder, load_profile("first"), secret=SECRET)
    site.database.connection().execute("PRAGMA wal_checkpoint(TRUNCATE)")
    site.close()
    return folder


@pytest.mark.parametrize("seed", SEEDS)
def test_a_shop_answers_as_before(prepared_shop: Path, tmp_path: Path, stopped: StoppedClock, seed: int) -> None:
    random = Random(seed)
    old, new = (open_shop(prepared_shop, tmp_path, name, clock=stopped) for name in ("old", "new"))
    ShopLife(old, stopped, random).live(70)
    check_move(old, new, random)


@pytest.mark.parametrize("seed", SEEDS)
def test_content_answers_as_before(prepared_first: Path, tmp_path: Path, stopped: StoppedClock, seed: int) -> None:
    random = Random(seed)
    old, new = (open_shop(prepared_first, tmp_path, name, profile="first", clock=stopped) for name in ("old", "new"))
    ContentLife(old, stopped, random).live(70)
    check_move(old, new, random)

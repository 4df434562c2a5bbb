"""The screen of background jobs says in words what each of them does."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from vetrina.modules import MODULES, load_modules

SCREEN: Final = Path(__file__).parents[2] / "admin" / "src" / "screens" / "jobs" / "job.ts"
LABEL: Final = re.compile(r"^\t'?([a-z][a-z_.]+)'?: \(\) => t\(", re.MULTILINE)


def test_each_kind_of_job_has_words_and_nothing_else_has() -> None:
    table = SCREEN.read_text(encoding="utf-8").partition("const KINDS")[2].partition("\n};")[0]
    declared = [module.load_background() for module in load_modules(MODULES)]
    kinds = {kind for one in declared for kind in (*one.handlers, *one.external_tasks)}
    assert len(kinds) > 30
    assert set(LABEL.findall(table)) == kinds

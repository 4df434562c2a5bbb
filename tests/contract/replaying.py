"""Sends recorded exchanges to a test site, and compares the responses with the recordings' own checker.

The folder is `../shared/contract` beside the repository, or what VETRINA_CONTRACT names. Without it nothing here runs.
"""

from __future__ import annotations

import importlib.util
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest

NAMED = os.environ.get("VETRINA_CONTRACT", "")
FOLDER = Path(NAMED) if NAMED else Path(__file__).resolve().parents[2].parent / "shared" / "contract"
ROOT = "http://vetrina.test/en/cms-json"

needs_folder = pytest.mark.skipif(
    not NAMED and not FOLDER.is_dir(), reason="there are no recordings: VETRINA_CONTRACT names their folder"
)


def loaded(name: str) -> ModuleType:
    """Return a module of the folder."""
    found = importlib.util.spec_from_file_location(f"contract_{name}", FOLDER / f"{name}.py")
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def with_own_names(scenario: dict[str, Any], checker: ModuleType, users: dict[str, str]) -> None:
    """Replace the reference's names in a recorded Location by the site's own.

    The scenario says which names the site may choose (its theme); the checker replaces them in bodies only.
    """
    for name, recorded in scenario.get("varied", {}).items():
        step = next(step for step in scenario["steps"] if isinstance(step.get("save", {}).get(name), str))
        assert step["request"]["method"] == "GET"
        _, _, body = checker.send(ROOT, step["request"], users.get(step.get("as", "")))
        own = checker.dig(body, step["save"][name])
        for step in scenario["steps"]:
            headers = step["expect"]["headers"]
            if "location" in headers:
                headers["location"] = headers["location"].replace(f"/{recorded}/", f"/{own}/")


def prescribed(step: dict[str, Any], problems: list[tuple[str, str]]) -> bool:
    """Say whether a step differs only because the checker treats every 5xx as an error.

    `rest_trash_not_supported`, and the shop's own, are 501 by prescription (docs/rules/statuses.md, 12;
    docs/rules/shop_requests.md, 5), and recorded so.
    """
    expect = step["expect"]
    code = (expect["body"] or {}).get("code") if isinstance(expect["body"], dict) else None
    return (
        expect["status"] == 501
        and code in ("rest_trash_not_supported", "shop_rest_trash_not_supported")
        and [where for where, _ in problems] == ["status"]
        and problems[0][1].startswith("501, ")
        and f'"code": "{code}"' in problems[0][1]
    )


class Waiting(NamedTuple):
    """The reason why a step may differ, and where: patterns of the whole path of each difference.

    law: what prescribes that it differs, above the recordings; empty where it only is the better answer, or no rule of
    the reference's is known.
    """

    reason: str
    where: str = ".*"
    law: str = ""


def judge(
    steps: Sequence[dict[str, Any]], results: Sequence[tuple[str, list[tuple[str, str]], str]],
    waiting: Mapping[str, Waiting],
) -> tuple[list[str], dict[str, int]]:  # fmt: skip
    """Return the problems of a replayed scenario, and how many steps agree, are prescribed otherwise, wait or differ.

    waiting: by the title of a step; for a repeated title, `title #2`. A waiting step that agrees is a problem too.
    """
    left = dict(waiting)
    seen: dict[str, int] = {}
    wrong: list[str] = []
    count = dict.fromkeys(("agree", "statuses", "prescribed", "wait", "differ"), 0)
    for step, (title, problems, line) in zip(steps, results, strict=True):
        seen[title] = seen.get(title, 0) + 1
        key = title if seen[title] == 1 else f"{title} #{seen[title]}"
        awaited = left.pop(key, None)
        if not problems:
            count["agree"] += 1
            if awaited is not None:
                wrong.append(f"{key}: agrees now; take it out of WAITING ({awaited.reason})")
        elif prescribed(step, problems):
            count["statuses"] += 1
        elif awaited is not None and all(re.fullmatch(awaited.where, where) for where, _ in problems):
            count["prescribed" if awaited.law else "wait"] += 1
        else:
            count["differ"] += 1
            wrong.append(f"{key}: {line}")
            wrong += [f"    {where}: {what}" for where, what in problems]
    wrong += [f"{key}: WAITING names a step that the scenario does not have" for key in left]
    return wrong, count

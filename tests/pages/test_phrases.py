"""What public pages say by themselves is said in Italian, too: each text of the code is in the files beside it."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import vetrina

SOURCE = Path(vetrina.__file__).parent
# Their texts are declared rather than written in calls: tests/shop/test_texts_in_italian.py.
DECLARED = {"shop/settings", "shop/payments", "shop/shipping", "system/health"}
FOLDERS = sorted(
    path.parent
    for path in SOURCE.rglob("languages")
    if path.is_dir() and "themes" not in path.parts and path.parent.relative_to(SOURCE).as_posix() not in DECLARED
)


def iterate_texts(folder: Path) -> Iterator[str]:
    """Yield the literal texts that the code of a folder translates: in calls of `translate`, and its `notices`."""
    for file in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) == "translate":
                yield from (
                    one.value for one in node.args if isinstance(one, ast.Constant) and isinstance(one.value, str)
                )
            if isinstance(node, ast.keyword) and node.arg == "notices" and isinstance(node.value, ast.Dict):
                yield from (
                    one.value
                    for one in node.value.values
                    if isinstance(one, ast.Constant) and isinstance(one.value, str)
                )


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda one: str(one.relative_to(SOURCE)))
def test_each_text_is_in_italian_and_no_other(folder: Path) -> None:
    file = folder / "languages" / "it.json"
    known = set(json.loads(file.read_text(encoding="utf-8"))) if file.exists() else set()
    used = set(iterate_texts(folder))
    assert used - known == set(), f"write them into {file.relative_to(SOURCE)}"
    assert known - used == set(), f"no code says them any more: {file.relative_to(SOURCE)}"

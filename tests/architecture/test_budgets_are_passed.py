"""No call in the server renders a text without the budget of its request."""

from __future__ import annotations

import ast
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "vetrina"
RENDERS = {"content": "budget", "excerpt": "budget", "title": 2, "has_smilies": 3}
# A record rendered by another version is rendered once, by its next reader.
# Captions are charged once and cached.
OWN = {"content/records/model.py", "content/text/rendering.py", "media/attachments/markup.py"}


def unpaid() -> list[str]:
    found = []
    for path in SOURCE.rglob("*.py"):
        name = path.relative_to(SOURCE).as_posix()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if name not in OWN else ():
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            called = node.func
            if not isinstance(called.value, ast.Name) or called.value.id != "rendering" or called.attr not in RENDERS:
                continue
            wanted = RENDERS[called.attr]
            by_name = any(word.arg == "budget" for word in node.keywords)
            if not by_name and not (isinstance(wanted, int) and len(node.args) >= wanted):
                found.append(f"{name}:{node.lineno} rendering.{called.attr}")
    return found


def test_every_rendering_is_paid_for() -> None:
    assert not unpaid()

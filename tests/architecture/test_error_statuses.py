"""An error says what kind of failure it is; only the REST layer's table knows which HTTP status that has."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import vetrina
from vetrina.kernel.errors import Failure
from vetrina.rest.error_statuses import STATUSES

SOURCE = Path(vetrina.__file__).parent
FILES = [path for path in SOURCE.rglob("*.py") if path.relative_to(SOURCE).parts[0] != "client"]
ANSWERS = re.compile(r"(?:rest|http)/|(?:.*/)?(?:\w+_)?routes\.py$")  # files that make responses of errors


def iterate_error_classes() -> Iterator[tuple[str, ast.ClassDef]]:
    """Yield each class that derives from ApiError, after the file that it is in."""
    classes = [
        (path.relative_to(SOURCE).as_posix(), node)
        for path in FILES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    ]
    errors, before = {"ApiError"}, 0
    while len(errors) > before:
        before = len(errors)
        errors |= {node.name for _, node in classes if errors & {ast.unparse(base) for base in node.bases}}
    return ((file, node) for file, node in classes if node.name in errors)


def test_each_failure_has_one_status() -> None:
    assert set(STATUSES) == set(Failure)
    assert len(set(STATUSES.values())) == len(STATUSES)


def test_no_error_states_a_status() -> None:
    found = list(iterate_error_classes())
    assert len(found) > 400
    stating = [
        f"{file}: {node.name}"
        for file, node in found
        for part in ast.walk(node)
        if isinstance(part, ast.Constant) and part.value in STATUSES.values()
    ]
    assert stating == []


def test_the_table_is_read_where_responses_are_made() -> None:
    reading = [
        path.relative_to(SOURCE).as_posix() for path in FILES if "error_statuses" in path.read_text(encoding="utf-8")
    ]
    # The kernel's errors say where the table is.
    assert [file for file in reading if not ANSWERS.match(file)] == ["kernel/errors.py"]

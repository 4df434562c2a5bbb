"""The cells of a file of products: lists in one, texts in one line, and what must not look like a formula."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

_PARTS: Final = re.compile(r"(?<!\\),")
_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?")
_FORMULA_SIGNS: Final = ("=", "+", "-", "@", "\t", "\r")
_GUARD: Final = "'"
_YES: Final = ("1", "yes", "true")


def split_list(cell: str) -> list[str]:
    r"""Return the values of a cell; a comma within one has a backslash before it."""
    return [part for one in _PARTS.split(cell) if (part := one.replace("\\,", ",").strip())]


def join_list(values: Iterable[str]) -> str:
    """Return a cell with some values."""
    return ", ".join(value.replace(",", "\\,") for value in values)


def decode_text(cell: str) -> str:
    r"""Return a text whose lines are parted by `\n` in a cell; a backslash before that keeps it."""
    return re.sub(r"\\(\\n|n)", lambda found: "\n" if found[1] == "n" else "\\n", cell)


def encode_text(text: str) -> str:
    """Return a text in one line."""
    return text.replace("\\n", "\\\\n").replace("\r\n", "\n").replace("\n", "\\n")


def guard_cell(cell: str) -> str:
    """Return a cell that no program for tables takes for a formula."""
    return _GUARD + cell if cell.startswith(_FORMULA_SIGNS) and not _NUMBER.fullmatch(cell) else cell


def unguard_cell(cell: str) -> str:
    """Return what was written into a cell, by this program or another one that guards cells."""
    return cell[1:] if cell.startswith(_GUARD) and cell[1:].startswith(_FORMULA_SIGNS) else cell


def parse_yes(cell: str) -> bool:
    """Return whether a cell says yes."""
    return cell.strip().lower() in _YES

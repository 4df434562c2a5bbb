"""Files and names in ARCHITECTURE.md exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "ARCHITECTURE.md"
SOURCE = ROOT / "src" / "vetrina"
PATH = re.compile(r"^[\w.-]+(?:/[\w.-]+)*(?:/|\.(?:py|md|toml))$")


def named() -> list[str]:
    return re.findall(r"`([^`\n]+)`", PAGE.read_text(encoding="utf-8"))


def test_every_path_that_it_names_is_there() -> None:
    paths = [one for one in named() if PATH.match(one)]
    assert len(paths) > 20
    known = (SOURCE, ROOT)
    folders = {path.name for path in SOURCE.rglob("*") if path.is_file()}
    missing = [
        one for one in paths if not any((base / one).exists() for base in known) and ("/" in one or one not in folders)
    ]
    assert missing == []


def test_every_floor_of_the_package_has_its_row() -> None:
    rows = set(re.findall(r"^\| `([\w.]+)/?` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE))
    rooms = {
        path.name
        for path in SOURCE.iterdir()
        if (path.suffix == ".py" and path.stem != "__init__") or (path / "__init__.py").is_file()
    }
    assert rows == rooms


def test_it_stays_on_one_page() -> None:
    assert len(PAGE.read_text(encoding="utf-8").split()) < 1450

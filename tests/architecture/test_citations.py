"""Everything that code and tests cite exists: files, and sections of docs/rules; every such section is cited."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RULES = ROOT / "docs" / "rules"
SOURCE = ROOT / "src" / "vetrina"
CITATION = re.compile(r"docs/rules/(\w+)\.md,[\s#]+(\d+(?:(?:,|[\s#]+and|[\s#]+to)[\s#]+\d+)*)")
NUMBERS = re.compile(r"(\d+)(?:[\s#]+to[\s#]+(\d+))?")
HEADING = re.compile(r"^## (\d+)\. ", re.MULTILINE)
# A file that a docstring or a comment names: `shop/coupons/eligibility.py`, `benchmarks/run.py`, `conftest.py`.
FILE = re.compile(r"(?<![\w./<{-])((?:[a-z_0-9]+/)*[a-z_0-9]+\.py)\b")
PAGES = sorted(page for page in RULES.glob("*.md") if page.stem != "index")


def iterate_texts() -> Iterator[tuple[Path, str]]:
    """Yield the texts that may cite: code, tests, profiles, benchmarks."""
    for folder in ("src/vetrina", "tests", "benchmarks", "docs/derive"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".py", ".toml") and path != Path(__file__):
                yield path, path.read_text(encoding="utf-8")


def list_sections(page: Path) -> list[int]:
    return [int(one) for one in HEADING.findall(page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_sections_are_numbered_without_gaps(page: Path) -> None:
    sections = list_sections(page)
    assert sections == list(range(1, len(sections) + 1))
    assert sections


def test_every_citation_exists_and_every_section_is_cited() -> None:
    there = {(page.stem, number) for page in PAGES for number in list_sections(page)}
    cited = {
        (name, number)
        for _, text in iterate_texts()
        for name, numbers in CITATION.findall(text)
        for first, last in NUMBERS.findall(numbers)
        for number in range(int(first), int(last or first) + 1)
    }
    assert cited - there == set(), "cited, but not there"
    assert there - cited == set(), "a rule that nothing follows"


def test_nothing_cites_what_is_not_in_the_repository() -> None:
    outside = re.compile(r"\.\./shared|\bOVERRIDES\b|\bfacts(?:, \"| of the )|interface\.md")
    # Tests that replay recordings say where these are.
    named = {
        path.relative_to(ROOT).as_posix()
        for path, text in iterate_texts()
        if outside.search(text) and "tests/contract" not in path.as_posix()
    }
    assert named == set()


def test_every_file_that_is_named_is_there() -> None:
    missing = set()
    for path, text in iterate_texts():
        if SOURCE not in path.parents:
            continue
        bases = (SOURCE, ROOT, path.parent)
        for name in FILE.findall(text):
            if not any((base / name).is_file() for base in bases):
                missing.add((path.relative_to(ROOT).as_posix(), name))
    assert missing == set()

"""`vetrina audit`: the trail as a table and as CSV."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

from click.testing import Result

from .conftest import Made

Vetrina = Callable[..., Result]


def test_it_shows_who_did_what(vetrina: Vetrina, made: Made) -> None:
    vetrina("user", "add", "maria", "--email", "m@example.org", "--role", "editor", "--site", made.folder)
    result = vetrina("audit", "--site", made.folder, "--kind", "user")
    assert result.exit_code == 0, result.output
    heading, first, *_ = result.output.splitlines()
    assert heading.split() == ["date", "(GMT)", "account", "from", "action", "what", "title", "changes"]
    assert first.split()[1:] == ["command", "created", "user", "2", "maria", "roles:", "null", "→", '["editor"]']
    assert len(vetrina("audit", "--site", made.folder, "--most", "1").output.splitlines()) == 2


def test_it_is_filtered_and_written_as_csv(vetrina: Vetrina, made: Made, tmp_path: Path) -> None:
    vetrina("user", "password", "admin", "--password-stdin", "--site", made.folder, input="my own words\n")
    file = tmp_path / "audit.csv"
    result = vetrina(
        "audit",
        "--site",
        made.folder,
        "--action",
        "changed",
        "--kind",
        "user",
        "--search",
        "ADMIN",
        "--most",
        "1",
        "--csv",
        str(file),
    )
    assert result.output == f"1 entries are in {file}.\n"
    with file.open(encoding="utf-8", newline="") as text:
        (row,) = csv.DictReader(text)
    assert (row["action"], row["kind"], row["title"], row["changes"]) == ("changed", "user", "admin", "password")
    assert "my own words" not in file.read_text(encoding="utf-8")
    shown = vetrina("audit", "--site", made.folder, "--csv", "-", "--since", "2999-01-01").output
    assert [line.split(",")[0] for line in shown.splitlines()] == ["id"]
    assert " admin " in vetrina("audit", "--site", made.folder, "--account", "admin", "--most", "1").output


def test_what_nobody_can_mean_is_told(vetrina: Vetrina, made: Made) -> None:
    for words, said in (
        (("--account", "nobody"), "there is no account 'nobody'"),
        (("--since", "yesterday"), "'yesterday' is no date"),
        (("--action", "sung"), "'sung' is not one of"),
    ):
        result = vetrina("audit", "--site", made.folder, *words)
        assert (result.exit_code, said in result.output) == (2, True), result.output

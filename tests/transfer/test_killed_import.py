"""An import that is killed again and again, and goes on: nothing is lost, nothing is there twice."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from vetrina.cli import main

VETRINA = Path(sys.executable).with_name("vetrina")
KILLS = 5
ORDERS = "300"
# What docs/moving-in.md says of webhooks.
NAMED = {("/shop/v3/webhooks", "status")}


def run(*command: str, status: int = 0) -> str:
    answer = CliRunner().invoke(main, command, catch_exceptions=False)
    assert answer.exit_code == status, answer.output
    return answer.output


@pytest.fixture(scope="module")
def export(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A shop in two languages, as a folder."""
    folder = tmp_path_factory.mktemp("old")
    run("demo", "second", "--orders", ORDERS, "--site", str(folder / "site"))
    run("export", str(folder / "export"), "--site", str(folder / "site"))
    return folder / "export"


def kill_while_it_writes(command: list[str], pause: float) -> None:
    """Kill an import some seconds after it has said what comes, unless it ended before; the first pause is none."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert "their ids are kept" in process.stderr.readline()
        time.sleep(pause)
        process.kill()
    assert pause or process.returncode == -signal.SIGKILL


def test_an_import_that_is_killed_again_and_again_goes_on(export: Path, tmp_path: Path) -> None:
    run("init", str(tmp_path / "site"), "--profile", "second", "--empty", "--url", "https://new.example")
    seed = time.time_ns() % 1_000_000
    print(f"seed {seed}")
    moments = random.Random(seed)
    command = [str(VETRINA), "import", str(export), "--site", str(tmp_path / "site")]
    for pause in (0.0, *(moments.uniform(0.0, 1.5) for _ in range(1, KILLS))):
        kill_while_it_writes(command, pause)
    run(*command[1:])
    assert "Everything fits together." in run("check", "--site", str(tmp_path / "site"))
    run("export", str(tmp_path / "export"), "--site", str(tmp_path / "site"))
    compared = json.loads(run("compare", str(export), str(tmp_path / "export"), "--json", status=1))
    assert {
        (one["label"] if one["resource"] == "reports" else one["resource"], each["member"])
        for one in compared["differences"]
        for each in one["members"]
    } <= NAMED
    assert [one["path"] for one in compared["collections"] if one["only_a"] or one["only_b"]] == []

"""The ten requests of docs/store.md run as they stand against the shop that `make serve PROFILE=second` makes."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from served import Server
from vetrina.cli import main

PAGE = Path(__file__).parents[2] / "docs" / "store.md"
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Every refusal ends the script.
BEFORE = 'set -euo pipefail\ncurl() { command curl --fail-with-body -sS "$@"; }\n'


def test_the_requests_of_the_guide_sell_something(tmp_path: Path) -> None:
    bash, curl = shutil.which("bash"), shutil.which("curl")
    if bash is None or curl is None:
        pytest.skip("there is no bash, or no curl")
    if "--json" not in subprocess.run([curl, "--help", "all"], capture_output=True, text=True, check=True).stdout:
        pytest.skip("this curl is older than its option --json")
    folder = tmp_path / "site"
    assert CliRunner().invoke(main, ["demo", "second", "--site", str(folder), "--orders", "0"]).exit_code == 0
    [block] = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    with Server(folder) as server:
        script = block.replace("http://127.0.0.1:8000", f"http://{server.host}:{server.port}")
        done = subprocess.run([bash, "-c", BEFORE + script], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout[-1000:] + done.stderr
    placed = json.loads((tmp_path / "order.json").read_text(encoding="utf-8"))
    assert placed["status"] == "on-hold"
    assert f'"id":{placed["order_id"]},' in done.stdout
    assert '"code":"welcome10"' in done.stdout

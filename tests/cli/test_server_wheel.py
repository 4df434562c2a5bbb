"""The wheel of the server alone: what it leaves out, that it serves without it, and what commands say then."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytest.importorskip("hatchling")

ROOT = Path(__file__).parents[2]
LEFT_OUT = ("vetrina/demo/", "vetrina/fake_service/", "vetrina/client/")


def build_wheel(folder: Path, which: str) -> zipfile.ZipFile:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    environment = {**os.environ, "VETRINA_WHEEL": which}
    subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, timeout=120)
    [wheel] = folder.glob("*.whl")
    return zipfile.ZipFile(wheel)


@pytest.fixture(scope="module")
def server_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The server's wheel, unpacked."""
    folder = tmp_path_factory.mktemp("server")
    with build_wheel(folder, "server") as wheel:
        wheel.extractall(folder / "unpacked")
    return folder / "unpacked"


def run_command(unpacked: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "vetrina.cli", *map(str, words)]
    environment = {**os.environ, "PYTHONPATH": str(unpacked)}
    return subprocess.run(command, cwd=unpacked, env=environment, capture_output=True, text=True, timeout=120)


def test_the_whole_wheel_has_more_than_that_of_the_server_by_three_packages(server_wheel: Path, tmp_path: Path) -> None:
    with build_wheel(tmp_path, "") as wheel:
        whole = {name for name in wheel.namelist() if name.startswith("vetrina/")}
    server = {
        file.relative_to(server_wheel).as_posix() for file in server_wheel.rglob("vetrina/**/*") if file.is_file()
    }
    assert whole - server == {name for name in whole if name.startswith(LEFT_OUT)}
    assert not server - whole
    assert all(any(name.startswith(package) for name in whole) for package in LEFT_OUT)
    # What is not Python comes along.
    assert {"vetrina/multilingual/xml_config/configuration.xsd", "vetrina/profiles/first.toml"} <= server
    assert [name for name in server if name.endswith("_first_tables.sqlite.sql")]
    assert list(server_wheel.glob("vetrina-*.dist-info/licenses/LICENSE"))


@pytest.mark.parametrize("command", ["demo", "connector-peer"])
def test_a_command_of_what_is_left_out_says_what_to_install(server_wheel: Path, command: str) -> None:
    done = run_command(server_wheel, command, "--help")
    assert (done.returncode, done.stderr) == (
        1,
        f"Error: `vetrina {command}` is not in the wheel of the server alone; install the whole package instead\n",
    )


def test_a_site_is_made_and_checked_without_what_is_left_out(server_wheel: Path, tmp_path: Path) -> None:
    words = ("init", tmp_path / "site", "--profile", "second")
    made = run_command(server_wheel, *words)
    assert made.returncode == 0, made.stderr
    checked = run_command(server_wheel, "check", "--site", tmp_path / "site")
    assert checked.returncode == 0, checked.stderr

"""A served site in both dialects, and the clients, installed where their registries can be reached."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

HERE = Path(__file__).parent
GENERATORS = HERE / "generators"
PASSWORD = "abcd efgh ijkl mnop"
KEY, SECRET = "ck_" + "a1" * 20, "cs_" + "b2" * 20
_INSTALL = 180  # seconds
_START = 30  # seconds


@dataclass(frozen=True)
class Served:
    """A site that is served over HTTP."""

    address: str

    def run(
        self, *command: str | Path, at: str = "/", folder: Path, pair: tuple[str, str] = ("admin", PASSWORD)
    ) -> dict[str, object]:
        """Run a client's program against the site, and return its output; pair: its credentials."""
        words = [*map(str, command), self.address + at, *pair]
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        found: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
        return found


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    yield from _served(tmp_path, "first")


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Served]:
    """A served site with a shop, whose administrator has a consumer key."""
    yield from _served(tmp_path, "second")


def _served(tmp_path: Path, profile: str) -> Iterator[Served]:
    users = tmp_path / "users.json"
    account = {"login": "admin", "role": "administrator", "email": "a@example.org", "application_password": PASSWORD}
    users.write_text(json.dumps([{**account, "consumer_key": KEY, "consumer_secret": SECRET}]))
    command = [Path(sys.executable).with_name("vetrina"), "serve", "--ephemeral", "--users", users, "--port", "0"]
    command += ["--profile", profile]
    process = subprocess.Popen([*command, "--dialect", "wordpress"], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        line, until = "", time.monotonic() + _START
        while "answers at" not in line and time.monotonic() < until:
            line = process.stdout.readline()
        yield Served(line.partition("answers at ")[2].partition("/en/")[0])
    finally:
        process.terminate()
        process.wait(_START)
        if process.stdout is not None:
            process.stdout.close()


@pytest.fixture(scope="session")
def node_modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the clients of npm and the programs that use them."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        pytest.skip("there is no node here")
    folder = tmp_path_factory.mktemp("node")
    for file in (*HERE.glob("*.json"), *HERE.glob("*.?js")):
        shutil.copy(file, folder)
    install_packages([npm, "ci", "--no-audit", "--no-fund", "--ignore-scripts"], folder, "npm's")
    return folder


@pytest.fixture(scope="session")
def python_client(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the client of PyPI and the program that uses it."""
    folder = tmp_path_factory.mktemp("python")
    for name in ("python_client.py", "shop_client.py"):
        shutil.copy(HERE / name, folder)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", str(folder)]
    install_packages([*pip, "--require-hashes", "-r", str(HERE / "requirements.txt")], folder, "Python's")
    return folder


@pytest.fixture(scope="session")
def node_generators(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the generators of npm and the programs that use their clients."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        pytest.skip("there is no node here")
    folder = tmp_path_factory.mktemp("generators")
    shutil.copytree(GENERATORS, folder, dirs_exist_ok=True)
    install_packages([npm, "ci", "--no-audit", "--no-fund", "--ignore-scripts"], folder, "npm's")
    return folder


@pytest.fixture(scope="session")
def python_tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the commands of a virtual environment of its own, with what requirements.txt names."""
    folder = tmp_path_factory.mktemp("tools")
    install_packages([sys.executable, "-m", "venv", "--without-pip", "venv"], folder, "Python's")
    commands = folder / "venv" / "bin"
    pip = [sys.executable, "-m", "pip", "--python", str(commands / "python"), "install", "--quiet"]
    requirements = ["--disable-pip-version-check", "-r", str(GENERATORS / "requirements.txt")]
    install_packages([*pip, *requirements], folder, "Python's")
    return commands


def install_packages(command: list[str], folder: Path, whose: str) -> None:
    """Run a command that installs packages in a folder; skip the test where their registry cannot be reached."""
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=_INSTALL)
    except subprocess.TimeoutExpired:
        pytest.skip(f"{whose} registry does not answer")
    if done.returncode:
        pytest.skip(f"{whose} registry cannot be reached, or has not what the lock names: {done.stderr[-300:]}")

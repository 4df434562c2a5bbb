"""The client for JavaScript, installed and built once a run, and the stand-ins that its tests are given."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib import resources
from pathlib import Path

import pytest

from browser.conftest import chromium, program, pytest_runtest_teardown, tab
from vetrina.pytest_plugin import SiteFactory
from vetrina.testing import LocalTestServer

__all__ = ["chromium", "program", "pytest_runtest_teardown", "tab"]  # of the browser tests

SOURCE = Path(__file__).parents[2] / "clients" / "js"
_NOT_SOURCE = shutil.ignore_patterns("node_modules", "dist", "build")
# The options of a program that uses it.
STRICT = {
    "strict": True, "noUncheckedIndexedAccess": True, "exactOptionalPropertyTypes": True, "noEmit": True,
    "noPropertyAccessFromIndexSignature": True, "skipLibCheck": False, "target": "es2022", "types": [],
    "lib": ["es2022", "dom", "dom.iterable", "dom.asynciterable"],
}  # fmt: skip
_PATIENCE = 180.0  # seconds for npm, and for its tests


@dataclass(frozen=True)
class Package:
    """The package in a folder of its own, installed and built."""

    folder: Path

    def run(
        self, *command: str | Path, at: str | Path = ".", environment: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run a command in the folder, with what npm installed on its path."""
        path = f"{self.folder / 'node_modules' / '.bin'}{os.pathsep}{os.environ.get('PATH', '')}"
        return subprocess.run(
            [*map(str, command)], cwd=self.folder / at, capture_output=True, text=True, timeout=_PATIENCE,
            env={**os.environ, "PATH": path, "NO_COLOR": "1", **(environment or {})},
        )  # fmt: skip

    def list_files(self, pattern: str) -> list[Path]:
        """Return the files that a pattern names, in order, by their paths in the folder."""
        return sorted(path.relative_to(self.folder) for path in self.folder.glob(pattern))

    def bundle(self, target: Path) -> bytes:
        """Write everything as one minified module for browsers, and return it."""
        done = self.run(
            "esbuild", "dist/index.js", "--bundle", "--minify", "--format=esm", "--target=es2022", f"--outfile={target}"
        )
        assert done.returncode == 0, done.stderr
        return target.read_bytes()

    def compile_in_program(self, folder: Path, module: str = "nodenext", resolution: str = "nodenext") -> None:
        """Check the types of a folder's sources as a strict program's that has the package installed."""
        modules = folder / "node_modules" / "@vetrina"
        modules.mkdir(parents=True)
        (modules / "client").symlink_to(self.folder)
        (folder / "package.json").write_text('{"type": "module"}')
        options = {**STRICT, "module": module, "moduleResolution": resolution}
        (folder / "tsconfig.json").write_text(json.dumps({"compilerOptions": options, "include": ["*.ts"]}))
        done = self.run("tsc", "--project", folder / "tsconfig.json")
        assert done.returncode == 0, done.stdout


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory) -> Package:
    """The built package; skipped where there is no npm, or its registry cannot be reached."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        pytest.skip("there is no node here")
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    folder = shared / "js-client"
    # The workers of a run share it: whoever comes first installs it.
    with (shared / "js-client.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            shutil.copytree(SOURCE, folder, ignore=_NOT_SOURCE)
            (folder / "skipped").write_text(_install(npm, folder), encoding="utf-8")
    if reason := (folder / "skipped").read_text(encoding="utf-8"):
        pytest.skip(reason)
    return Package(folder)


@pytest.fixture
def stand_ins(vetrina_site: SiteFactory) -> dict[str, LocalTestServer]:
    """A stand-in of each built-in profile, the shop's in both dialects."""
    return {"first": vetrina_site("first"), "second": vetrina_site("second", dialects=["wordpress"])}


@pytest.fixture
def environment(stand_ins: dict[str, LocalTestServer]) -> dict[str, str]:
    """Where the tests in JavaScript find the stand-ins, and the words of the dialects."""
    told = {
        name: {
            "url": site.url,
            "key": site.control_key,
            "accounts": {who: asdict(account) for who, account in site.accounts.items()},
        }
        for name, site in stand_ins.items()
    }
    dialects = resources.files("vetrina.client").joinpath("dialects.json").read_text(encoding="utf-8")
    return {"VETRINA_SITES": json.dumps(told), "VETRINA_DIALECTS": dialects}


def _install(npm: str, folder: Path) -> str:
    """Install and build; return why that cannot be done here, empty where it is done."""
    command = [npm, "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline"]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=_PATIENCE)
    except subprocess.TimeoutExpired:
        return "npm's registry does not answer"
    if done.returncode:
        return f"npm's registry cannot be reached, or has not what the lock names: {done.stderr[-300:]}"
    built = Package(folder).run("npm", "run", "build")
    assert built.returncode == 0, built.stdout + built.stderr
    return ""

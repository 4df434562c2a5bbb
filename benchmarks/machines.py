"""Measure groups of workers behind nginx, with the database on a machine of its own and another that follows it.

    python benchmarks/machines.py [--posts 100000] [--groups 1,2,3] [--workers 1] [--seconds 4] [--kept build/bench]

The machines are network namespaces of this one, joined by a bridge: the balancer, a group of workers each, the first
database and its standby. Groups share no memory (`/dev/shm` is one each), as on machines of their own. Processors they
do share, so what counts is the processor time that each part takes for an answer: it says how many machines of which
kind some load needs, and which part is full first. Needs root, iproute2 and nginx. Not here: one server alone (run.py).
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
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import kept as kept_sites
import postgres
from cases import CASES, POSTS
from run import CONNECTIONS, compile_load

NETWORK = "10.99.0"
BALANCER, FIRST, STANDBY, GROUP = f"{NETWORK}.1", f"{NETWORK}.11", f"{NETWORK}.12", f"{NETWORK}.2"
PORT = 8000
ASKED = ("collection of 10, cached", "collection of 10, uncached", "single record, uncached", "create, durable")
_TICKS = os.sysconf("SC_CLK_TCK")
_VETRINA = Path(sys.executable).with_name("vetrina")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--posts", type=int, default=100_000)
    parser.add_argument("--groups", default="1,2,3", help="how many groups of workers")
    parser.add_argument("--workers", type=int, default=1, help="processes of a group")
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--kept", type=Path, default=Path("build/bench"), help="folder of the sites")
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="vetrina-machines-")))
        folder.chmod(0o755)
        machines = stack.enter_context(joined_machines(max(map(int, args.groups.split(",")))))
        rules = folder / "pg_hba.conf"
        rules.write_text(f"local all,replication all trust\nhost all,replication all {NETWORK}.0/24 trust\n")
        options = {"listen_addresses": FIRST, "hba_file": str(rules), "max_connections": "200"}
        with postgres.running(args.kept / "postgres") as server:
            kept_sites.ready(args.kept, args.posts, server)
        server = stack.enter_context(postgres.running(args.kept / "postgres", machines["first"], options))
        server.make("machines", kept_sites.name_of(args.posts))
        stack.callback(server.drop, "machines")
        print(f"{'':34}{'groups':>7}{'a second':>10}{'median':>8}{'99 %':>8}   processor, µs an answer")
        for count in map(int, args.groups.split(",")):
            measure_groups(args, folder, machines, count)
        with standby_server(args.kept / "standby", folder, machines["standby"], server):
            measure_groups(args, folder, machines, count, "create, durable", "create, on two databases")


@contextmanager
def joined_machines(groups: int) -> Iterator[dict[str, list[str]]]:
    """Make the namespaces; return what runs a command in each, by the name of the machine."""
    addresses = {"balancer": BALANCER, "first": FIRST, "standby": STANDBY}
    addresses |= {f"group{number}": f"{GROUP}{number}" for number in range(1, groups + 1)}
    run_all(f"ip link add vtbridge type bridge\nip addr add {NETWORK}.254/24 dev vtbridge\nip link set vtbridge up")
    try:
        for at, (name, address) in enumerate(addresses.items()):
            run_all(f"""ip netns add vt-{name}
                ip link add vt{at} type veth peer name eth0 netns vt-{name}
                ip link set vt{at} master vtbridge up
                ip -n vt-{name} addr add {address}/24 dev eth0
                ip -n vt-{name} link set eth0 up
                ip -n vt-{name} link set lo up""")
        yield {name: ["ip", "netns", "exec", f"vt-{name}"] for name in addresses}
    finally:
        for name in addresses:
            subprocess.run(["ip", "netns", "del", f"vt-{name}"], stderr=subprocess.DEVNULL)
        subprocess.run(["ip", "link", "del", "vtbridge"])


def run_all(commands: str) -> None:
    for command in commands.splitlines():
        subprocess.run(command.split(), check=True)


@contextmanager
def standby_server(data: Path, folder: Path, machine: list[str], first: postgres.Server) -> Iterator[None]:
    """Run a copy of the first server that follows it, and have commits wait for it."""
    import psycopg

    shutil.rmtree(data, ignore_errors=True)
    data.mkdir()
    copy = ["-h", str(first.socket), "-U", "vetrina", "-D", str(data.resolve() / "data"), "-X", "stream", "-R"]
    subprocess.run([postgres.find_programs() / "pg_basebackup", *copy, "-c", "fast"], check=True)
    for path in (data, *data.rglob("*")):
        shutil.chown(path, "nobody", "nogroup")
    options = {
        "listen_addresses": STANDBY, "hba_file": str(folder / "pg_hba.conf"), "max_connections": "200",
        "primary_conninfo": f"host={FIRST} user=vetrina application_name=standby",
    }  # fmt: skip
    with postgres.running(data, machine, options), psycopg.connect(first.url("postgres"), autocommit=True) as asked:
        asked.execute("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
        asked.execute("SELECT pg_reload_conf()")
        while asked.execute("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'").fetchone() is None:
            time.sleep(0.1)
        try:
            yield
        finally:
            asked.execute("ALTER SYSTEM RESET synchronous_standby_names")
            asked.execute("SELECT pg_reload_conf()")
    shutil.rmtree(data)


def measure_groups(
    args: argparse.Namespace, folder: Path, machines: dict[str, list[str]], count: int, only: str = "", told: str = ""
) -> None:
    """Serve the site by some groups and print what they manage, of answers that are kept and that are not."""
    for server in ("cached", "uncached"):
        cases = [one for one in CASES if one.server == server and one.name in ASKED and only in one.name]
        if not cases:
            continue
        with ExitStack() as stack:
            parts = {}
            for number in range(1, count + 1):
                words = ["--set", "cache_bytes=0"] if server == "uncached" else []
                group = serve_group(args, folder / f"group{number}", machines[f"group{number}"], number, words)
                parts[f"group {number}"] = stack.enter_context(group).pid
            parts["balancer"] = stack.enter_context(serve_balancer(folder, machines["balancer"], count)).pid
            parts["database"] = int((args.kept / "postgres/data/postmaster.pid").read_text().split()[0])
            if told:
                parts["standby"] = int((args.kept / "standby/data/postmaster.pid").read_text().split()[0])
            for case in cases:
                print_measured(told or case.name, count, parts, *load_balancer(args, folder, parts, case))


@contextmanager
def serve_group(
    args: argparse.Namespace, site: Path, machine: list[str], number: int, words: list[str]
) -> Iterator[subprocess.Popen[bytes]]:
    """Serve the site on a machine that shares memory with no other one."""
    source = kept_sites.site_of(args.kept, args.posts)
    shutil.rmtree(site, ignore_errors=True)
    shutil.copytree(source, site, ignore=shutil.ignore_patterns("*.sqlite*", "*.toml"))
    address = f"postgresql://vetrina@{FIRST}/machines"
    (site / "vetrina.toml").write_text((source / "vetrina.toml").read_text() + f'database = "{address}"\n')
    serve = [_VETRINA, "serve", "--site", site, "--host", f"{GROUP}{number}", "--port", PORT]
    serve += ["--workers", args.workers, "--log", "error", *words]
    command = [*machine, "sh", "-c", 'mount -t tmpfs tmpfs /dev/shm && exec "$@"', "sh", *map(str, serve)]
    with run_server(command, f"http://{GROUP}{number}:{PORT}{POSTS}") as process:
        yield process


@contextmanager
def serve_balancer(folder: Path, machine: list[str], groups: int) -> Iterator[subprocess.Popen[bytes]]:
    """Run nginx before the groups."""
    servers = "".join(f"server {GROUP}{number}:{PORT}; " for number in range(1, groups + 1))
    settings = folder / "nginx.conf"
    settings.write_text(f"""
        daemon off; master_process off; pid {folder}/nginx.pid; error_log {folder}/nginx.log error;
        events {{ worker_connections 1024; }}
        http {{
            access_log off; keepalive_requests 1000000000; client_body_temp_path {folder}/body;
            proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u;
            scgi_temp_path {folder}/s;
            upstream workers {{ {servers} keepalive 64; keepalive_requests 1000000000; }}
            server {{
                listen {BALANCER}:{PORT};
                location / {{
                    proxy_pass http://workers; proxy_http_version 1.1; proxy_set_header Connection "";
                    proxy_set_header Host $http_host;
                }}
            }}
        }}
    """)
    with run_server([*machine, "nginx", "-c", str(settings)], f"http://{BALANCER}:{PORT}{POSTS}") as process:
        yield process


@contextmanager
def run_server(command: list[str], address: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a server until it answers, and stop it at the end."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)
    try:
        until = time.monotonic() + 60
        while True:
            try:
                urllib.request.urlopen(address, timeout=60).close()
                break
            except OSError:
                if process.poll() is not None or time.monotonic() > until:
                    raise SystemExit(f"{' '.join(command)} does not answer") from None
                time.sleep(0.05)
        yield process
    finally:
        process.terminate()
        process.wait(60)


def load_balancer(
    args: argparse.Namespace, folder: Path, parts: dict[str, int], case: Any
) -> tuple[dict[str, float], dict[str, float]]:
    """Put load on the balancer; return what the generator says, and the processor seconds of each part."""
    load, requests = compile_load(args.kept), folder / "requests"
    asked = case.requests(PORT, args.posts, [])
    requests.write_bytes(b"".join(b"%d\n%s" % (len(one), one) for one in asked))
    words = [str(load), BALANCER, str(PORT), str(CONNECTIONS)]
    subprocess.run([*words, "0.5", str(requests)], check=True, stdout=subprocess.DEVNULL)
    before = {name: count_seconds(pid) for name, pid in parts.items()}
    answer = subprocess.run([*words, str(args.seconds), str(requests)], check=True, capture_output=True)
    found: dict[str, float] = json.loads(answer.stdout)
    if found["wrong"]:
        raise SystemExit(f"{case.name}: {found['wrong']} answers were not 2xx")
    return found, {name: count_seconds(pid) - before[name] for name, pid in parts.items()}


def count_seconds(process: int) -> float:
    """Return the processor seconds that a process and its children have taken until now."""
    children: dict[int, list[int]] = {}
    took: dict[int, float] = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        children.setdefault(int(fields[1]), []).append(int(status.parent.name))
        # Its own, and those of children that have ended.
        took[int(status.parent.name)] = sum(map(int, fields[11:15])) / _TICKS
    waiting, total = [process], 0.0
    while waiting:
        one = waiting.pop()
        total += took.get(one, 0.0)
        waiting += children.get(one, [])
    return total


def print_measured(
    name: str, groups: int, parts: dict[str, int], found: dict[str, float], took: dict[str, float]
) -> None:
    answers = found["answers"]
    workers = sum(seconds for part, seconds in took.items() if part.startswith("group"))
    costs = {"workers": workers} | {part: took[part] for part in parts if not part.startswith("group")}
    told = ", ".join(f"{part} {1e6 * seconds / answers:,.0f}" for part, seconds in costs.items())
    median, slowest = found["median_us"] / 1000, found["p99_us"] / 1000
    print(f"{name:34}{groups:7}{found['rate']:10,.0f}{median:8.2f}{slowest:8.2f}   {told}", flush=True)


if __name__ == "__main__":
    main()

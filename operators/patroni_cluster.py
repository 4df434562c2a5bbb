"""A PostgreSQL cluster of three machines for drills: Patroni, etcd and PostgreSQL of Debian's packages, each machine a
network namespace of this one with a small disk of its own (a tmpfs).

    apt-get install -y --no-install-recommends postgresql patroni etcd-server etcd-client

Namespaces and disks need root; Missing says what else is not there. A machine can be killed, frozen, cut off from all
or from the other two, and its disk can be filled. Not here: what is asked of the cluster meanwhile (failover.py).
"""

from __future__ import annotations

import contextlib
import json
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

__all__ = ["NODES", "PATIENCE", "Cluster", "Missing", "Node", "running_cluster"]

NODES: Final = 3
PATIENCE: Final = 120.0  # seconds that a cluster may take to become whole
_PACKAGES: Final = "apt-get install -y --no-install-recommends postgresql patroni etcd-server etcd-client"
_DISK: Final = "256m"  # of a machine, for the data of a drill and its log; etcd has one of its own
_USER: Final = "postgres"  # that Debian's packages bring; the server does not run as root
_SCOPE: Final = "vetrina"
_NOWHERE: Final = "02:00:00:00:00:fe"  # the address of no network card
_DCS: Final = {
    "ttl": 10,
    "loop_wait": 2,
    "retry_timeout": 4,
    "maximum_lag_on_failover": 16 << 20,
    "synchronous_mode": True,
    # A primary that does not come up again is followed by another one at once.
    "primary_start_timeout": 0,
    "postgresql": {
        "use_pg_rewind": True,
        "use_slots": True,
        "parameters": {
            "max_connections": 150,
            "shared_buffers": "32MB",
            "wal_keep_size": "16MB",
            "min_wal_size": "8MB",
            "max_wal_size": "64MB",
            "max_slot_wal_keep_size": "64MB",
            "wal_log_hints": True,
            "hot_standby": True,
            # A walsender and a walreceiver notice within this that the other one is gone.
            "wal_sender_timeout": "5s",
            "wal_receiver_timeout": "5s",
            "tcp_keepalives_idle": 2,
            "tcp_keepalives_interval": 1,
            "tcp_keepalives_count": 3,
            "tcp_user_timeout": "5s",
        },
    },
}


class Missing(Exception):
    """The cluster cannot be run here; the message says why."""


class Node:
    """One machine of the cluster. number: from 1. address: in the network of the drill."""

    def __init__(self, number: int, prefix: str, network: str, folder: Path, programs: Path) -> None:
        self.number, self.name, self.address = number, f"node{number}", f"{network}.{number}"
        self._space, self._link, self._bridge = f"{prefix}n{number}", f"{prefix}l{number}", f"{prefix}br"
        self._network, self.folder, self._programs = network, folder, programs
        self._etcd = folder.with_name(f"etcd{number}")
        self._processes: dict[str, subprocess.Popen[bytes]] = {}

    @property
    def others(self) -> list[str]:
        """Return the addresses of the other machines."""
        return [f"{self._network}.{number}" for number in range(1, NODES + 1) if number != self.number]

    # -- its making

    def make(self) -> None:
        """Make network and disk."""
        _run("ip", "netns", "add", self._space)
        _run("ip", "link", "add", self._link, "type", "veth", "peer", "name", "eth0", "netns", self._space)
        _run("ip", "link", "set", self._link, "master", self._bridge, "up")
        for words in (["addr", "add", f"{self.address}/24", "dev", "eth0"], ["link", "set", "eth0", "up"],
                      ["link", "set", "lo", "up"]):  # fmt: skip
            _run("ip", "-n", self._space, *words)
        for disk in (self.folder, self._etcd):
            disk.mkdir(mode=0o755)
            _run("mount", "-t", "tmpfs", "-o", f"size={_DISK},mode=0755", "tmpfs", disk)
            shutil.chown(disk, _USER, _USER)
        (self.folder / "patroni.json").write_text(json.dumps(self._build_settings(), indent=1))

    def _build_settings(self) -> dict[str, Any]:
        login = {"username": "postgres", "password": "pass word of the drill"}
        return {
            "scope": _SCOPE,
            "name": self.name,
            "log": {"level": "INFO", "dir": str(self.folder.parent / "logs"), "file_num": 2, "file_size": 20 << 20},
            "restapi": {"listen": f"{self.address}:8008", "connect_address": f"{self.address}:8008"},
            # Not etcd3: by that Patroni 3.0 takes the leader's key without comparing, when a machine is back.
            "etcd": {"hosts": [f"{self._network}.{number}:2379" for number in range(1, NODES + 1)]},
            "bootstrap": {
                "dcs": _DCS,
                "initdb": [{"encoding": "UTF8"}, {"locale": "C.UTF-8"}, {"wal-segsize": "1"}, "data-checksums"],
            },
            "postgresql": {
                "listen": f"{self.address}:5432",
                "connect_address": f"{self.address}:5432",
                "data_dir": str(self.folder / "data"),
                "bin_dir": str(self._programs),
                "pgpass": str(self.folder / "pgpass"),
                "authentication": {"superuser": login, "replication": login, "rewind": login},
                "pg_hba": [
                    f"host {base} all {self._network}.0/24 trust" for base in ("all", "replication")
                ] + ["local all all trust"],
                "parameters": {"unix_socket_directories": str(self.folder)},
            },
        }  # fmt: skip

    # -- its processes

    def start(self) -> None:
        """Start what does not run."""
        self._start("etcd", [
            "etcd", "--name", self.name, "--data-dir", self._etcd / "data", "--log-level", "error",
            "--heartbeat-interval", "200", "--election-timeout", "2000", "--enable-v2=true", "--pre-vote",
            "--initial-cluster", ",".join(
                f"node{number}=http://{self._network}.{number}:2380" for number in range(1, NODES + 1)
            ),
            *(part for kind, port in (("listen-peer", 2380), ("initial-advertise-peer", 2380), ("listen-client", 2379),
                                      ("advertise-client", 2379))
              for part in (f"--{kind}-urls", f"http://{self.address}:{port}")),
        ])  # fmt: skip
        self._start("patroni", ["patroni", self.folder / "patroni.json"])

    def _start(self, name: str, words: list[Any]) -> None:
        process = self._processes.get(name)
        if process is not None and process.poll() is None:
            return
        user = pwd.getpwnam(_USER)
        rights = ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
        command = ["ip", "netns", "exec", self._space, *rights, *map(str, words)]
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "LANG": "C.UTF-8"}
        with (self.folder.parent / "logs" / f"{self.name}.txt").open("ab") as log:
            self._processes[name] = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment, start_new_session=True,
                cwd=self.folder,
            )  # fmt: skip

    def list_processes(self, *, with_etcd: bool = False) -> list[int]:
        """Return the processes of PostgreSQL and Patroni."""
        found = _run("ip", "netns", "pids", self._space, check=False).split()
        etcd = self._processes.get("etcd")
        return [int(one) for one in found if with_etcd or etcd is None or int(one) != etcd.pid]

    def find_postmaster(self) -> int | None:
        """Return the first process of PostgreSQL."""
        with contextlib.suppress(OSError, ValueError, IndexError):
            return int((self.folder / "data" / "postmaster.pid").read_text().split("\n")[0])
        return None

    # -- what happens to it

    def kill(self) -> None:
        """Kill PostgreSQL and Patroni with -9, as where the machine loses its power."""
        for number in self.list_processes():
            _signal(number, signal.SIGKILL)

    def crash(self) -> None:
        """Kill PostgreSQL with -9; Patroni goes on."""
        postmaster = self.find_postmaster()
        if postmaster is not None:
            _signal(postmaster, signal.SIGKILL)

    def freeze(self) -> None:
        """Stop every process where it is; the machine's network goes on acknowledging."""
        for number in self.list_processes(with_etcd=True):
            _signal(number, signal.SIGSTOP)

    def thaw(self) -> None:
        """Let what was frozen go on."""
        for number in self.list_processes(with_etcd=True):
            _signal(number, signal.SIGCONT)

    def cut_off(self) -> None:
        """Lose every packet from and to the machine, without a word to anybody."""
        _run("ip", "link", "set", self._link, "nomaster")

    def isolate(self) -> None:
        """Lose what the machine sends to the other two; the site reaches it as before."""
        for address in self.others:
            words = ["neigh", "replace", address, "lladdr", _NOWHERE, "dev", "eth0", "nud", "permanent"]
            _run("ip", "-n", self._space, *words)

    def fill_disk(self) -> None:
        """Leave not a byte on the machine's disk."""
        with (self.folder / "filled").open("wb", buffering=0) as file:
            for piece in (1 << 20, 4096, 1):
                with contextlib.suppress(OSError):
                    while file.write(bytes(piece)) == piece:
                        pass

    def heal(self) -> None:
        """Undo whatever happened to it."""
        (self.folder / "filled").unlink(missing_ok=True)
        _run("ip", "link", "set", self._link, "master", self._bridge, "up")
        for address in self.others:
            _run("ip", "-n", self._space, "neigh", "del", address, "dev", "eth0", check=False)
        self.thaw()
        self.start()

    def remove(self) -> None:
        """End its processes and remove network and disk."""
        for number in self.list_processes(with_etcd=True):
            _signal(number, signal.SIGKILL)
        for process in self._processes.values():
            process.kill()
            process.wait()
        _run("ip", "netns", "del", self._space, check=False)
        _run("ip", "link", "del", self._link, check=False)
        until = time.monotonic() + 5
        for disk in (self.folder, self._etcd):
            while disk.is_mount() and time.monotonic() < until:
                _run("umount", disk, check=False)
                time.sleep(0.05)


class Cluster:
    """Three machines; url: of the database on whichever is the primary."""

    def __init__(self, nodes: list[Node], programs: Path) -> None:
        self.nodes, self._programs = nodes, programs
        self.hosts = ",".join(f"{node.address}:5432" for node in nodes)

    def url(self, name: str) -> str:
        """Return the URL of a database, as libpq finds the primary among the machines."""
        return f"postgresql://postgres@{self.hosts}/{name}?target_session_attrs=read-write"

    def list_views(self) -> list[list[dict[str, Any]]]:
        """Return what Patroni says of the members on each machine that answers; one that was cut off may be behind."""
        found = []
        for node in self.nodes:
            address = f"http://{node.address}:8008/cluster"
            with contextlib.suppress(OSError, ValueError), urllib.request.urlopen(address, timeout=1) as answer:
                found.append(json.load(answer)["members"])
        return found

    def find_primary(self) -> Node | None:
        """Return the machine that most take for the leader, None while there is none."""
        named = Counter(one["name"] for view in self.list_views() for one in view if one["role"] == "leader")
        most = named.most_common(1)
        return next(node for node in self.nodes if node.name == most[0][0]) if most else None

    def is_whole(self) -> bool:
        """Return whether all agree that one leads, two follow it and one of these confirms what is committed."""
        views = self.list_views()
        return (
            len(views) == NODES and all(_is_whole(view) for view in views) and len(set(map(_name_leader, views))) == 1
        )

    def wait_until_whole(self, patience: float = PATIENCE) -> None:
        """Return when the cluster is whole. Raises TimeoutError."""
        until = time.monotonic() + patience
        while not self.is_whole():
            if time.monotonic() > until:
                raise TimeoutError(f"the cluster is not whole after {patience:.0f} s: {self.list_views()}")
            for node in self.nodes:
                node.start()
            time.sleep(0.3)

    def switch_over(self) -> None:
        """Ask Patroni for another primary, in order; return when it has done so or refused."""
        primary = self.find_primary()
        if primary is None:
            return
        body = json.dumps({"leader": primary.name}).encode()
        asked = urllib.request.Request(f"http://{primary.address}:8008/switchover", body)
        with contextlib.suppress(OSError):
            urllib.request.urlopen(asked, timeout=30).close()

    def make_database(self, name: str) -> None:
        """Create an empty database."""
        primary = self.find_primary()
        if primary is None:
            raise TimeoutError("the cluster has no primary")
        sql = f'CREATE DATABASE "{name}" TEMPLATE template0'
        _run(self._programs / "psql", "-h", primary.address, "-U", "postgres", "-c", sql, "postgres")


def _is_whole(members: list[dict[str, Any]]) -> bool:
    roles = sorted(member["role"] for member in members)
    states = {member["state"] for member in members}
    lines = {member.get("timeline") for member in members}
    return roles == ["leader", "replica", "sync_standby"] and states <= {"running", "streaming"} and len(lines) == 1


def _name_leader(members: list[dict[str, Any]]) -> str:
    return next(str(member["name"]) for member in members if member["role"] == "leader")


@contextmanager
def running_cluster(folder: Path) -> Iterator[Cluster]:
    """Run a cluster with its logs in `folder`/logs, and end it. Raises Missing."""
    programs = _require_programs()
    folder = folder.resolve()
    (folder / "logs").mkdir(parents=True, exist_ok=True)
    shutil.chown(folder / "logs", _USER, _USER)
    prefix, network = f"vf{os.getpid() % 100_000}", f"10.{200 + os.getpid() % 50}.{os.getpid() // 50 % 250}"
    nodes = [Node(number, prefix, network, folder / f"node{number}", programs) for number in range(1, NODES + 1)]
    with contextlib.ExitStack() as stack:
        try:
            _run("ip", "link", "add", f"{prefix}br", "type", "bridge")
            stack.callback(_run, "ip", "link", "del", f"{prefix}br", check=False)
            _run("ip", "addr", "add", f"{network}.254/24", "dev", f"{prefix}br")
            _run("ip", "link", "set", f"{prefix}br", "up")
            for node in nodes:
                stack.callback(node.remove)
                node.make()
        except subprocess.CalledProcessError as error:
            raise Missing(f"machines of their own cannot be made here: {error.stderr.strip()}") from None
        cluster = Cluster(nodes, programs)
        for node in nodes:
            node.start()
        cluster.wait_until_whole()
        yield cluster


def _require_programs() -> Path:
    """Return the folder of PostgreSQL's programs. Raises Missing."""
    absent = [name for name in ("patroni", "etcd", "ip", "setpriv") if shutil.which(name) is None]
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[4]))
    if absent or not found:
        raise Missing(f"{', '.join(absent) or 'postgres'} is not installed: {_PACKAGES}")
    if os.geteuid() != 0:
        raise Missing("machines of their own (namespaces, small disks) are made by root alone")
    return found[-1].parent


def _run(*words: object, check: bool = True) -> str:
    """Run a command and return what it writes."""
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=check).stdout


def _signal(number: int, what: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(number, what)


if __name__ == "__main__":
    folder = Path(tempfile.mkdtemp(prefix="vetrina-cluster-"))
    folder.chmod(0o755)
    with running_cluster(folder) as cluster:
        print(cluster.url("postgres"), folder, flush=True)
        signal.sigwait({signal.SIGINT, signal.SIGTERM})

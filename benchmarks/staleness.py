"""Read kept answers and write what they are made of, in several processes that are stopped, killed and cut off.

    python benchmarks/staleness.py [--steps 100000] [--seed 1] [--database sqlite|postgresql] [--url URL]
                                   [--processes 4] [--machines 2]

The processes are those of so many machines: those of one share memory, those of two do not. Each draws what it does: it
writes a value of its own keys, or reads one of all keys as a server does, by kept answers (backends/response_cache.py)
or by what they are made of, for which a read needs no snapshot (backends/fragment_cache.py). A read that begins after
a write was acknowledged must not return less than that write; on one machine that alone writes, after another read not
less than that one did. Meanwhile processes are stopped for longer than a lease, killed (and begun again), and their
connections are cut. The exit status is 1 where an answer was stale.
"""

from __future__ import annotations

import argparse
import contextlib
import logging
import mmap
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from sqlalchemy import bindparam, select, update

from vetrina.backends import answer_leases, commit_marks, database_schema
from vetrina.backends.answer_leases import LeasedReading
from vetrina.backends.change_log import log_change
from vetrina.backends.change_log_follower import ChangeLogFollower
from vetrina.backends.commit_marks import CommitMarks
from vetrina.backends.database import Database, Statement, Transaction, open_database
from vetrina.backends.fragment_cache import FragmentCache
from vetrina.backends.id_sequences import allocate_id
from vetrina.backends.response_cache import ChangeAwareCache
from vetrina.backends.tables.records import counter
from vetrina.backends.transaction_retries import DatabaseBusy, run_with_retries

_KEYS: Final = 12
_MOST: Final = 16  # processes, and machines
_ACKNOWLEDGED, _SENT, _STEPS, _HITS, _UNASKED, _STALE, _SHOWN = (at * _MOST for at in range(7))
_WORDS: Final = (7 + _MOST) * _MOST
_SET: Final = Statement(update(counter).where(counter.c.name == bindparam("key")).values(value=bindparam("number")))
_GET: Final = Statement(select(counter.c.value).where(counter.c.name == bindparam("key")))
_PATIENCE: Final = 120.0  # seconds without a step


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--url", help="of an empty database; else one is made")
    parser.add_argument("--processes", type=int, default=4)
    parser.add_argument("--machines", type=int, default=2)
    parser.add_argument("--process", nargs=2, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.process:
        number, folder = int(args.process[0]), Path(args.process[1])
        _work(args.url, number, args.machines, args.processes, folder, args.seed)
        return
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="vetrina-stale-")))
        folder.chmod(0o755)
        url = args.url or f"sqlite:///{folder / 'site.sqlite'}"
        if not args.url and args.database == "postgresql":
            import postgres

            server = stack.enter_context(postgres.running(folder / "postgresql"))
            server.make("stale")
            url = server.url("stale")
        found = _drill(url, folder, args)
    sys.exit(found)


def _drill(url: str, folder: Path, args: argparse.Namespace) -> str | None:
    """Run the processes until they have made their steps; return what is wrong."""
    database = open_database(url, durable=False)
    database_schema.create_schema(database)
    with database.begin_write() as tx:
        for key in range(_KEYS):
            allocate_id(tx, f"key {key}")
    (folder / "words").write_bytes(bytes(8 * _WORDS))
    words = _map_words(folder)
    chance, told = random.Random(f"{args.seed} what happens"), {"stopped": 0, "killed": 0, "cut off": 0}
    command = [sys.executable, __file__, "--url", url, "--seed", str(args.seed), "--machines", str(args.machines),
               "--processes", str(args.processes)]  # fmt: skip
    begun, running, lives = time.monotonic(), dict[int, subprocess.Popen[bytes]](), 0
    try:
        while sum(words[_STEPS : _STEPS + _MOST]) < args.steps and not any(words[_STALE : _STALE + _MOST]):
            for number in range(args.processes):
                if number not in running:
                    lives += 1
                    running[number] = subprocess.Popen([*command, "--process", str(number), str(folder)])
                elif running[number].poll() is not None:
                    return f"process {number} ended by itself"
            before, since = sum(words[_STEPS : _STEPS + _MOST]), time.monotonic()
            while sum(words[_STEPS : _STEPS + _MOST]) < before + chance.randint(20, 1500):
                if time.monotonic() - since > _PATIENCE:
                    return "nothing goes on any more"
                time.sleep(0.002)
            number = chance.randrange(args.processes)
            process = running[number]
            what = chance.choices(("stopped", "killed", "cut off"), (6, 2, 2))[0]
            told[what] += 1
            if what == "stopped":
                process.send_signal(signal.SIGSTOP)
                time.sleep(chance.uniform(0.01, 0.3))
                process.send_signal(signal.SIGCONT)
            elif what == "killed":
                process.kill()
                process.wait()
                del running[number]
            elif database.kind == "postgresql":
                _cut_connections(url, chance)
    finally:
        for process in running.values():
            process.kill()
            process.wait()
        database.close()
    steps, hits, unasked = (sum(words[first : first + _MOST]) for first in (_STEPS, _HITS, _UNASKED))
    writes, stale = sum(words[_ACKNOWLEDGED : _ACKNOWLEDGED + _KEYS]), sum(words[_STALE : _STALE + _MOST])
    print(
        f"seed {args.seed}, {database.kind}: {steps} steps in {time.monotonic() - begun:.0f} s; the numbers of last "
        f"writes add up to {writes}; {hits} reads answered by what was kept, {unasked} looks without asking; {told}; "
        f"stale: {stale}",
        flush=True,
    )
    return "an answer was stale" if stale else None


def _cut_connections(url: str, chance: random.Random) -> None:
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        found = connection.execute(
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        ).fetchall()
        for (pid,) in chance.sample(found, min(len(found), chance.randint(1, 4))):
            connection.execute("SELECT pg_terminate_backend(%s)", (pid,))


def _map_words(folder: Path) -> memoryview:
    with (folder / "words").open("rb+") as file:
        return memoryview(mmap.mmap(file.fileno(), 8 * _WORDS)).cast("Q")


def _work(url: str, number: int, machines: int, processes: int, folder: Path, seed: int) -> None:
    """Read and write until this process is killed."""
    machine = number % machines
    words, shown = _map_words(folder), _SHOWN + machine * _MOST
    memory = folder / f"machine {machine}"
    memory.mkdir(exist_ok=True)
    commit_marks._SHARED_MEMORY = memory  # type: ignore[misc]
    answer_leases._REST_SECONDS = 0.2  # type: ignore[misc]
    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)  # it tells of each connection that is cut
    is_newest = LeasedReading.is_newest

    def count_newest(reading: LeasedReading, marks: CommitMarks) -> bool:
        found = is_newest(reading, marks)
        words[_UNASKED + number] += found
        return found

    LeasedReading.is_newest = count_newest  # type: ignore[method-assign, assignment]
    database = open_database(url, durable=False)
    database.leases_answers = True
    log = ChangeLogFollower(database)
    cache, fragments = ChangeAwareCache[int](log, 1 << 20), FragmentCache[int](1 << 20, log)
    chance = random.Random(f"{seed} {number} {os.getpid()}")
    own = [key for key in range(_KEYS) if key % processes == number]
    while True:
        try:
            if own and chance.random() < 0.03:
                _write(database, words, chance.choice(own), chance.random() < 0.5)
            else:
                key = chance.randrange(_KEYS)
                acknowledged, seen = words[_ACKNOWLEDGED + key], words[shown + key]
                if chance.random() < 0.5:
                    value = _read(database, cache, key, words, number)
                else:
                    value = _read_fragment(database, fragments, key, words, number)
                if value < acknowledged or (machines == 1 and value < seen):
                    words[_STALE + number] += 1
                    print(f"key {key}: {value} after {acknowledged} was acknowledged and {seen} shown", flush=True)
                words[shown + key] = max(value, words[shown + key])
        except DatabaseBusy:
            pass
        words[_STEPS + number] += 1


def _write(database: Database, words: memoryview, key: int, gathers: bool) -> None:
    value = words[_SENT + key] = words[_SENT + key] + 1

    def write(tx: Transaction) -> None:
        tx.run(_SET, key=f"key {key}", number=value)
        log_change(tx, f"key {key}", key, "changed", 0)

    def once() -> None:
        with database.begin_write() as tx:
            write(tx)

    if not gathers:
        run_with_retries(once)
    else:
        # As a request in the event loop, which answers when its commits may be acknowledged.
        with database.open_group_commit() as commits:
            try:
                once()
            except Exception:
                return
        if commits.made:
            commits.keep()
    words[_ACKNOWLEDGED + key] = value


def _read(database: Database, cache: ChangeAwareCache[int], key: int, words: memoryview, number: int) -> int:
    kept = cache.get(key)
    if kept is not None:
        words[_HITS + number] += 1
        return kept
    mark = cache.mark()

    def once() -> int:
        with database.begin_read() as tx:
            return int(tx.value(_GET, key=f"key {key}"))

    value = run_with_retries(once)
    cache.put(key, mark, frozenset({f"key {key}"}), value, 1)
    return value


def _read_fragment(database: Database, fragments: FragmentCache[int], key: int, words: memoryview, number: int) -> int:
    form = fragments.number_form("value")

    def once() -> int:
        with database.begin_read() as tx:
            tx.may_assume = True
            kept = fragments.get_all(form, [key], tx)[0]
            if kept is not None:
                words[_HITS + number] += 1
                return kept
            value = int(tx.value(_GET, key=f"key {key}"))
            fragments.put(form, key, fragments.log.catch_up(tx), frozenset({f"key {key}"}), value, 1)
            return value

    return run_with_retries(once)


if __name__ == "__main__":
    main()

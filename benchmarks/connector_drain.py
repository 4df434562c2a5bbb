"""How fast a site's changes are drained through checkout and close, in buffers of 500, over HTTP.

    python benchmarks/connector_drain.py [CHANGES]

A site of 1,000 posts of 2 KB each is changed CHANGES times (10,000), then drained twice: only taken and acknowledged,
and applied to the peer's mirror. Then the site is left alone for a while, and what it uses of a core is told.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from vetrina.access.users import rules as users
from vetrina.backends import database_schema
from vetrina.connector import stored_values
from vetrina.connector.identity import rules as identity
from vetrina.connector.sync import queue as sync_queue
from vetrina.content.records import rules as records
from vetrina.core.user import NOBODY
from vetrina.fake_service.mirror import SiteMirror
from vetrina.fake_service.sync_puller import MirrorPuller, SiteRefused
from vetrina.settings import load_profile, load_settings
from vetrina.site import Site
from vetrina.system.bootstrap import InitialAccount, bootstrap_site

SERVICE = "http://127.0.0.1:9"  # nobody is there, and nobody is asked
TOKEN = "BENCHMARK.SECRETSECRETSECRET"
POSTS, BUFFER, IDLE = 1_000, 500, 20.0
TEXT = "<!-- wp:paragraph --><p>" + "Lorem ipsum dolor sit amet. " * 70 + "</p><!-- /wp:paragraph -->"


def prepared(folder: Path) -> Site:
    """Return a durable site of posts that is registered."""
    (folder / "vetrina.toml").write_text('profile = "second"\nsecret = "secret of the benchmark"\n')
    site = Site(load_profile("second", {"connector.service_url": SERVICE}), load_settings(folder), folder)
    database_schema.create_schema(site.database)
    with site.work() as work:
        bootstrap_site(work, [InitialAccount("admin", "administrator", application_password="pass")])
        stored_values.save_value(work, "id", 1)
        stored_values.save_encrypted_value(work, "blog_token", TOKEN)
        identity.save_registered_home(work)
        sync_queue.begin_queue(work)
    with site.work(read=True) as work:
        admin = users.find_user(work.tx, 1)
    with site.work(admin or NOBODY) as work:
        for at in range(POSTS):
            given = {"title": f"Post {at}", "content": TEXT, "status": "publish"}
            records.create_record(work, work.site.types["post"], given)
    return site


def change(site: Site, count: int) -> None:
    """Note changes of posts, and hand out nothing that was noted before."""
    with site.work() as work:
        sync_queue.begin_queue(work)
        for at in range(count):
            work.note("post", 1 + at % POSTS, "changed")


@contextmanager
def served(folder: Path) -> Iterator[tuple[str, int]]:
    """Serve a site and give its address and process."""
    command: list[str | Path] = [
        Path(sys.executable).with_name("vetrina"), "serve", "--site", folder, "--port", "0", "--log", "error",
        "--set", f'connector.service_url="{SERVICE}"',
    ]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    address = re.search(r"http://[^ /]+", process.stdout.readline())
    assert address
    yield address[0], process.pid
    process.terminate()
    process.wait()


def drained(puller: MirrorPuller, site: int, apply: bool) -> int:
    """Take everything that waits; apply: into the mirror, too."""
    count = 0
    while True:
        try:
            sent = puller.ask(site, "POST", "/sync/checkout", {"queue": "sync", "number_of_items": BUFFER})
        except SiteRefused as error:
            if error.code == "queue_size":
                return count
            raise
        if apply:
            puller.mirror.apply(site, "sync", sent["items"])
        names = [*sent["items"], *sent["skipped_items"]]
        puller.ask(site, "POST", "/sync/close", {"queue": "sync", "buffer_id": sent["buffer_id"], "item_ids": names})
        count += len(names)


def used(pid: int) -> float:
    """Return the seconds of a core that a process and its children have used."""
    ticks = 0
    for one in Path("/proc").iterdir():
        if one.name.isdecimal():
            try:
                parts = (one / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(parts[1]) == pid or int(one.name) == pid:
                ticks += int(parts[11]) + int(parts[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def main(count: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        site = prepared(folder)
        with served(folder) as (address, pid):
            mirror = SiteMirror(folder / "peer.sqlite")
            number = mirror.add(address, f"{address}/en/cms-json", TOKEN)
            puller = MirrorPuller(mirror)
            for words, apply in (("taken and acknowledged", False), ("applied to a mirror", True)):
                change(site, count)
                begun, before = time.perf_counter(), used(pid)
                done = drained(puller, number, apply)
                seconds = time.perf_counter() - begun
                own = used(pid) - before
                print(f"{done} changes {words}: {seconds:.2f} s, {done / seconds:,.0f}/s; the site's own {own:.2f} s")
            before = used(pid)
            time.sleep(IDLE)
            print(f"left alone: {100 * (used(pid) - before) / IDLE:.2f} % of a core")
            mirror.close()
        site.close()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)

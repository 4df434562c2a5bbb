"""Site and fake service are killed at random while content changes; in the end the mirror equals the site.

VETRINA_SYNC_CHANGES: the number of changes (300); 10,000 take a quarter of an hour.
"""

from __future__ import annotations

import http.client
import json
import os
import random
import sqlite3
import threading
import time
from pathlib import Path
from typing import Any

from connector.processes import PeerProcess, SiteProcess, ask, founded
from vetrina.connector.sync import modules
from vetrina.connector.sync.codec import decode_payload
from vetrina.core.site_context import SiteContext
from vetrina.settings import load_profile, load_settings
from vetrina.site import Site

CHANGES = int(os.environ.get("VETRINA_SYNC_CHANGES", "300"))
KILLS = 4 + CHANGES // 1000


class Writer(threading.Thread):
    """A client that changes a site at random, and continues when the site is back."""

    def __init__(self, site: SiteProcess, seed: int, changes: int) -> None:
        super().__init__(daemon=True)
        self.site, self.random, self.left = site, random.Random(seed), changes
        self.posts: list[int] = []
        self.tags: list[int] = []
        self.kinds: dict[int, str] = {}
        self.number = 0

    def run(self) -> None:
        while self.left > 0:
            try:
                self.change()
                self.left -= 1
            except (OSError, http.client.HTTPException):
                time.sleep(0.1)

    def change(self) -> None:
        self.number += 1
        chance, text = self.random.random(), f"Text {self.number} è {self.random.random()}"
        if chance < 0.35 or not self.posts:
            kind = self.random.choice(("posts", "pages"))
            self.posts.append(self.made(f"/cms/v2/{kind}", {"title": text, "content": text, "status": "publish"}, kind))
        elif chance < 0.65:
            of = self.random.choice(self.posts)
            self.site.rest("POST", f"/cms/v2/{self.kinds[of]}/{of}", {"content": text})
        elif chance < 0.75:
            of = self.random.choice(self.posts)
            self.site.rest("DELETE", f"/cms/v2/{self.kinds[of]}/{of}?force=true")
            self.posts.remove(of)
        elif chance < 0.9 or not self.tags:
            self.tags.append(self.made("/cms/v2/tags", {"name": text}, "tags"))
        else:
            of = self.tags.pop(self.random.randrange(len(self.tags)))
            self.site.rest("DELETE", f"/cms/v2/tags/{of}?force=true")

    def made(self, path: str, members: dict[str, Any], kind: str) -> int:
        if kind == "posts" and self.tags:
            members["tags"] = [self.random.choice(self.tags)]
        status, told = self.site.rest("POST", path, members)
        assert status == 201, (told, self.site.errors.read_text()[-3000:])
        self.kinds[told["id"]] = kind
        id: int = told["id"]
        return id


def wait_until_left(writers: list[Writer], left: int) -> None:
    """Wait until the writers have so many changes left; however fast the machine, as much is killed."""
    while sum(writer.left for writer in writers) > left:
        assert all(writer.is_alive() or writer.left == 0 for writer in writers), "a writer gave up"
        time.sleep(0.01)


def registered(site: SiteProcess) -> None:
    """Register a site, and let its administrator authorize the service."""
    status, told = site.rest("POST", "/connector/v4/connection/register", {})
    assert status == 200, told
    assert ask("GET", told["authorizeUrl"])[0] == 200
    assert site.rest("POST", "/connector/v4/sync/full-sync", {})[1] == {"scheduled": True}


def test_a_mirror_equals_its_site_however_often_either_was_killed(tmp_path: Path) -> None:
    folder, chance = founded(tmp_path / "site"), random.Random(7)
    file = tmp_path / "peer.sqlite"
    with PeerProcess(file, pull=0.05) as peer, SiteProcess(folder, peer.url) as site:
        registered(site)
        # Every change goes through the service's buffers, so that they can be counted.
        site.rest("POST", "/connector/v4/sync/settings", {"sync_via_cron": 0})
        writers = [Writer(site, seed, CHANGES // 2) for seed in (1, 2)]
        for writer in writers:
            writer.start()
        for left in sorted(chance.sample(range(1, CHANGES), KILLS), reverse=True):
            wait_until_left(writers, left)
            (peer if chance.random() < 0.5 else site).restart()
        wait_until_left(writers, 0)
        peer.post("/pull/1")
        assert set(peer.post("/compare/1").values()) == {True}
        state = peer.post("/state/1")["sync"]
        waiting = site.rest("GET", "/connector/v4/sync/status")[1]["queue_size"]
        assert (waiting, contents(site, file)) == (0, {})
        assert state["applied"] >= CHANGES // 2
        # None was lost, none counted twice: each logged change was applied, or its object had been deleted.
        assert state["applied"] + state["skipped"] == noted(folder)


def noted(folder: Path) -> int:
    """Return the number of synced changes in the site's log since it was registered."""
    known = modules.list_synced_kinds(stored_frame(folder))
    with sqlite3.connect(folder / "site.sqlite") as log:
        words = "SELECT max(sequence) FROM change WHERE kind = 'connector' AND item = 'blog_token'"
        begun = log.execute(words).fetchone()[0]
        return sum(
            log.execute("SELECT count(*) FROM change WHERE sequence > ? AND kind = ?", (begun, kind)).fetchone()[0]
            for kind in known
        )


def stored_frame(folder: Path) -> SiteContext:
    site = Site(load_profile("second"), load_settings(folder), folder)
    site.close()
    return site.context


def contents(site: SiteProcess, file: Path) -> dict[str, Any]:
    """Return the records whose content differs; checksums cover the modification time only."""
    with sqlite3.connect(file) as mirror:
        rows = mirror.execute("SELECT id, data FROM thing WHERE module = 'posts'").fetchall()
    wanted = {"module_name": "posts", "object_type": "post", "object_ids": [row[0] for row in rows]}
    told = decode_payload(site.rest("POST", "/connector/v4/sync/object", wanted)[1]["objects"])
    return {id: told.get(id) for id, data in rows if json.loads(data) != told.get(id)}

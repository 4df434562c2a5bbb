"""The search index never changes the result of a search: caught up, behind, or in between."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from conftest import Stand
from vetrina.backends import search_index
from vetrina.kernel.folding import fold_text
from vetrina.system import job_runner

WORDS = ("mela", "Pera", "città", "ab", 'so "detto"', "100%", "under_score", "ĳsvogel", "l'uomo", "zz")
ASKED = (*WORDS, "ela", "itt", "cit", "b", "nothing at all", "%", "_sc", '"detto"')


@pytest.mark.parametrize("seed", range(5))
def test_a_search_finds_what_the_texts_say(site: Stand, seed: int) -> None:
    random, admin = Random(seed), site.client("admin")
    texts: dict[int, str] = {}
    for _ in range(12):
        for _ in range(4):
            _write(random, admin, texts)
        with site.site.database.begin_write() as tx:
            search_index.index_changes(tx, list(site.site.context.types), most=random.choice((1, 3, 500)))
        for asked in random.sample(ASKED, 5):
            answer = admin.get("/cms/v2/posts", query={"search": f'"{asked.strip(chr(34))}"', "per_page": 100})
            wanted = {id for id, text in texts.items() if fold_text(asked.strip('"')) in text}
            assert {item["id"] for item in answer.json} == wanted
            assert answer.headers["x-cms-total"] == str(len(wanted))


def _write(random: Random, admin: Any, texts: dict[int, str]) -> None:
    title, content = (" ".join(random.choices(WORDS, k=random.randint(1, 4))) for _ in range(2))
    if texts and random.random() < 0.3:
        id = random.choice(list(texts))
        admin.post(f"/cms/v2/posts/{id}", {"title": title, "content": content})
    elif texts and random.random() < 0.2:
        id = random.choice(list(texts))
        admin.delete(f"/cms/v2/posts/{id}", query={"force": True})
        del texts[id]
        return
    else:
        answer = admin.post("/cms/v2/posts", {"title": title, "content": content, "status": "publish"})
        id = answer.json["id"]
    texts[id] = fold_text(f"{title.strip()}\x1f{content}\x1f")


def test_the_consumer_lets_the_index_catch_up(site: Stand) -> None:
    admin = site.client("admin")
    for number in range(7):
        admin.post("/cms/v2/posts", {"title": f"Numero {number}", "status": "publish"})
    consumer = job_runner.build_consumer(site.site.context, site.site.database)
    consumer.catch_up(whole=True)
    with site.site.database.begin_read() as tx:
        assert search_index.count_unindexed_changes(tx) == 0
    assert admin.get("/cms/v2/posts", query={"search": "umer"}).headers["x-cms-total"] == "7"


def test_an_index_that_was_stopped_in_the_middle_goes_on(site: Stand) -> None:
    admin = site.client("admin")
    for number in range(5):
        admin.post("/cms/v2/posts", {"title": f"Numero {number}", "status": "publish"})

    class Killed(Exception):
        pass

    def interrupted() -> None:
        with site.site.database.begin_write() as tx:
            search_index.index_changes(tx, list(site.site.context.types), most=3)
            raise Killed

    with pytest.raises(Killed):
        interrupted()
    job_runner.build_consumer(site.site.context, site.site.database).catch_up(whole=True)
    assert admin.get("/cms/v2/posts", query={"search": "Numero"}).headers["x-cms-total"] == "5"

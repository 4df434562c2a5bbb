"""Single texts that the machine translates while a person does; no job is made."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from conftest import Client, Stand, made
from multilingual.test_local_service import profile
from vetrina.multilingual.jobs import translators

TEXTS = "/mlang/tm/v1/machine/texts"
PAIR = {"source_language": "en", "target_language": "it"}


@contextmanager
def a_site(tmp_path: Path, machine: str) -> Iterator[Stand]:
    stand = Stand(made(tmp_path, profile(machine)))
    yield stand
    stand.site.close()


def ask(client: Client, *texts: str, **members: Any) -> Any:
    return client.post(TEXTS, {**PAIR, "texts": list(texts), **members})


def test_texts_come_back_in_their_order_with_their_tags_and_no_job_is_made(tmp_path: Path) -> None:
    with a_site(tmp_path, "multilingual.machines:shout") as stand:
        admin = stand.client("admin")
        answer = ask(admin, "One", "<b>Two</b> of them")
        assert (answer.status, answer.json) == (200, {"texts": ["it: One", "it: <b>Two</b> of them"]})
        assert admin.get("/mlang/tm/v1/jobs").json["jobs"] == []


def test_translators_may_ask_for_their_own_pair_alone(tmp_path: Path) -> None:
    with a_site(tmp_path, "multilingual.machines:shout") as stand:
        author = stand.client("author")
        me = author.get("/cms/v2/users/me").json
        assert (ask(author, "One").status, ask(stand.client(), "One").status) == (403, 401)
        with stand.site.work() as work:
            translators.grant_language_pair(work, translators.get_translator(work, me["id"]), "en", "it")
        assert ask(author, "One").json == {"texts": ["it: One"]}
        answer = ask(author, "Uno", source_language="it", target_language="en")
        assert (answer.status, answer.code) == (403, "rest_forbidden")


@pytest.mark.parametrize("machine", ["forget", "stumble", "nowhere"])
def test_a_machine_that_fails_is_told_as_that(tmp_path: Path, machine: str) -> None:
    with a_site(tmp_path, f"multilingual.machines:{machine}") as stand:
        answer = ask(stand.client("admin"), "One")
        assert (answer.status, answer.code) == (424, "mlang_service_failed")
        assert "machine" in answer.json["message"]


def test_without_a_machine_the_way_to_one_is_told(admin: Client) -> None:
    answer = ask(admin, "One")
    assert (answer.status, answer.code) == (409, "mlang_no_machine")


def test_what_cannot_be_sent_is_refused_by_its_name(tmp_path: Path) -> None:
    with a_site(tmp_path, "multilingual.machines:shout") as stand:
        admin = stand.client("admin")
        wrong: list[tuple[dict[str, Any], str]] = [
            ({"target_language": "en"}, "target_language"), ({"target_language": "xx"}, "target_language"),
            ({"texts": []}, "texts"), ({"texts": ["x"] * 51}, "texts"), ({"texts": ["x" * 10_001] * 2}, "texts"),
            ({"texts": [{}]}, "texts"),
        ]  # fmt: skip
        for members, name in wrong:
            answer = admin.post(TEXTS, {**PAIR, "texts": ["x"], **members})
            assert (answer.status, list(answer.json["data"]["params"])) == (400, [name]), members

"""Per-client memory of a process stays within its bounds, however long the values that clients send."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Client, made
from memory import peak

LONG = "a" * 15_000


@pytest.mark.in_process("what it remembers is looked at")
def test_long_addresses_of_kept_answers(tmp_path: Path) -> None:
    site = made(tmp_path, secret="secret of the tests", cache_bytes=1 << 20)
    anyone = Client(site)
    for number in range(200):
        assert anyone.get("/cms/v2/tags", query=f"junk={number}{LONG}").status == 200
    assert site._response_cache is not None
    remembered = sum(len(query) for _, query, _, _ in site._response_cache._kept)  # type: ignore[misc]
    assert len(LONG) < remembered <= 1 << 20
    site.close()


@pytest.mark.in_process("what it remembers is looked at")
def test_long_filters(tmp_path: Path) -> None:
    site = made(tmp_path, secret="secret of the tests", cache_bytes=0)
    anyone = Client(site)
    for number in range(400):
        assert anyone.get("/cms/v2/posts", query=f"search={number}{LONG}").status == 200
    remembered = sum(len(repr(key)) for key in site.context.filter_cache._kept)
    assert len(LONG) < remembered <= 4 << 20
    site.close()


@pytest.mark.in_process("its memory is measured")
def test_long_choices_of_members(tmp_path: Path) -> None:
    site = made(tmp_path, secret="secret of the tests")
    someone = Client(site, "subscriber", "subscriber pass word")

    def ask(at: int) -> None:
        chosen = ",".join(["id", *(f"{'f' * 50}{at}x{number}" for number in range(900))])
        answer = someone.post("/cms/v2/users/me", {"_fields": chosen})
        assert list(answer.json) == ["id"]

    ask(0)
    with peak() as taken:
        for at in range(1, 200):
            ask(at)
    assert taken.kept < 16
    site.close()

"""Kept answers are never older than the last write, whoever wrote."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
import pytest

from conftest import Client, Stand
from vetrina.settings import load_profile
from vetrina.site import Site

READS = (
    "/",
    "/cms/v2/posts",
    "/cms/v2/posts?per_page=2&orderby=title&order=asc",
    "/cms/v2/posts?search=mela",
    "/cms/v2/posts?_embed",
    "/cms/v2/posts?categories=1&_fields=id,categories",
    "/cms/v2/posts?mlang_language=it",
    "/cms/v2/pages?_fields=id,link,parent",
    "/cms/v2/pages?_embed=up",
    "/cms/v2/categories",
    "/cms/v2/tags?hide_empty=true",
    "/cms/v2/users",
    "/cms/v2/intervento",
)


def _answers(client: Client, numbers: list[tuple[str, int]]) -> dict[str, tuple[int, Any, str | None]]:
    targets = [*READS, *(f"/cms/v2/{base}/{number}?_embed" for base, number in numbers)]
    out = {}
    for target in targets:
        answer = client.get(target)
        out[target] = (answer.status, answer.json, answer.headers.get("x-cms-total"))
    return out


@pytest.mark.every_database
@pytest.mark.parametrize("seed", range(6))
def test_a_kept_answer_equals_one_made_anew(site: Stand, seed: int) -> None:
    """Two sites share one database: one keeps answers, one does not; writes go through either."""
    settings = msgspec.structs.replace(site.site.frame.settings, cache_bytes=0)
    plain = Site(load_profile("first"), settings, site.site.folder)
    other = Stand(plain)
    try:
        random = Random(seed)
        writers = [site.client("admin"), other.client("admin")]
        numbers: list[tuple[str, int]] = []
        terms: list[tuple[str, int]] = []
        for step in range(25):
            _write(random, random.choice(writers), numbers, terms, step)
            kept, again, anew = (_answers(client, numbers) for client in (site.client(), site.client(), other.client()))
            assert kept == anew
            assert again == anew
    finally:
        plain.close()


def _write(
    random: Random, writer: Client, numbers: list[tuple[str, int]], terms: list[tuple[str, int]], step: int
) -> None:
    words = random.choice(("mela", "pera", "mela e pera", "Zebra"))

    def new_record() -> None:
        base = random.choice(("posts", "posts", "pages", "intervento"))
        body: dict[str, Any] = {"title": f"{words} {step}", "status": random.choice(("publish", "publish", "draft"))}
        if base == "posts" and terms:
            body["categories"] = [number for kind, number in terms if kind == "categories"]
        if base == "pages":
            parents = [number for kind, number in numbers if kind == "pages"]
            body["parent"] = random.choice([0, *parents])
        answer = writer.post(f"/cms/v2/{base}", body, query={"mlang_language": random.choice(("en", "en", "it"))})
        if answer.status == 400:  # the parent that was chosen is gone
            return
        assert answer.status == 201
        numbers.append((base, answer.json["id"]))

    def change_record() -> None:
        base, number = random.choice(numbers)
        writer.post(
            f"/cms/v2/{base}/{number}",
            random.choice((
                {"title": f"{words} changed {step}"},
                {"status": "draft"},
                {"status": "publish"},
                {"slug": f"slug-{step}"},
                {"sticky": True},
                {"password": "x"},
                {"content": words},
            )),
        )  # fmt: skip

    def remove_record() -> None:
        base, number = random.choice(numbers)
        writer.delete(f"/cms/v2/{base}/{number}", query={"force": random.choice((True, False))})

    def autosave() -> None:
        base, number = random.choice(numbers)
        writer.post(f"/cms/v2/{base}/{number}/autosaves", {"content": f"{words} {step}"})

    def new_term() -> None:
        base = random.choice(("categories", "tags"))
        answer = writer.post(f"/cms/v2/{base}", {"name": f"{words} {step}"})
        terms.append((base, answer.json["id"]))

    def change_term() -> None:
        base, number = random.choice(terms)
        writer.post(f"/cms/v2/{base}/{number}", {"name": f"{words} {step}", "slug": f"term-{step}"})

    def remove_term() -> None:
        base, number = terms.pop(random.randrange(len(terms)))
        assert writer.delete(f"/cms/v2/{base}/{number}", query={"force": True}).status == 200

    def change_user() -> None:
        writer.post("/cms/v2/users/me", {"name": f"Admin {step}"})

    choices: list[Callable[[], None]] = [new_record, new_term, change_user]
    if numbers:
        choices += [new_record, change_record, change_record, change_record, remove_record, autosave]
    if terms:
        choices += [change_term, remove_term]
    random.choice(choices)()

"""The async client: the same names, concurrent calls."""

from __future__ import annotations

import asyncio
import inspect
from pathlib import Path

import pytest

from vetrina import client as package
from vetrina.client import AsyncClient, AsyncCollection, BatchFailed, Client, Collection, NotFound
from vetrina.client.resource_groups import AsyncReports, AsyncShop, AsyncTranslations, Reports, Shop, Translations
from vetrina.testing import LocalTestServer


@pytest.mark.parametrize("dialect", ["neutral", "wordpress"])
def test_what_waits_can_be_awaited(site: LocalTestServer, dialect: str, tmp_path: Path) -> None:
    asyncio.run(_used(site, dialect, tmp_path))


async def _used(site: LocalTestServer, dialect: str, folder: Path) -> None:
    (folder / "note.txt").write_bytes(b"A note")
    async with site.async_client(dialect=dialect) as client:
        made = await asyncio.gather(*(client.posts.create(title=f"Post {n}", status="publish") for n in range(5)))
        found = [post["id"] async for post in client.posts.list(per_page=2)]
        assert sorted(found) == sorted(post["id"] for post in made)
        assert len(await client.posts.list().all()) == 5
        assert (await client.posts.list().page()).total == 5
        with pytest.raises(NotFound):
            await client.posts.get(999_999)
        file = await client.media.upload(folder / "note.txt")
        assert file["mime_type"] == "text/plain"
        assert (await client.media.upload(b"raw", "raw.txt", raw=True))["slug"] == "raw"
        async with await client.batch() as batch:
            part = batch.of(client.tags).create(name="Boats")
        assert part.value["name"] == "Boats"
        with pytest.raises(BatchFailed):
            async with await client.batch() as batch:
                batch.of(client.tags).create(name="Boats")
        cup = await client.shop.products.create(name="Cup", regular_price="4.00")
        done = await client.shop.products.many(delete=[cup["id"]])
        assert done["delete"][0]["id"] == cup["id"]
        mug = await client.shop.products.create(name="Mug", regular_price="5.00", status="publish")
        cart = await client.cart()
        assert (await cart.add(mug["id"], 2))["items_count"] == 2
        assert (await client.reports.totals("orders"))["orders_count"] == 0
        assert await client.reports.rows("products").all() == []
        assert await client.translations.jobs().all() == []
        assert (await client.me())["username"] == "admin"
        assert (await client.change_settings(title="Quay"))["title"] == (await client.settings())["title"]
        assert (await client.index())["name"] == "Quay"
        assert len(await client.search("post")) == 5
        assert await client.ask("GET", "/cms/v2/comments") == []


@pytest.mark.parametrize(
    ("waits", "awaited"),
    [(Client, AsyncClient), (Collection, AsyncCollection), (Shop, AsyncShop), (Reports, AsyncReports),
     (Translations, AsyncTranslations)],
)  # fmt: skip
def test_both_ways_have_the_same_names_and_arguments(waits: type, awaited: type) -> None:
    one, other = _signatures(waits), _signatures(awaited)
    assert one.keys() == other.keys()
    for name, arguments in one.items():
        if name != "__init__":
            assert arguments == other[name], name


def test_both_clients_have_the_same_collections() -> None:
    waiting = Client("http://localhost")
    awaited = AsyncClient("http://localhost")
    assert set(vars(waiting)) == set(vars(awaited))
    assert set(vars(waiting.shop)) == set(vars(awaited.shop))
    waiting.close()
    asyncio.run(awaited.close())


def test_what_the_package_names_is_there() -> None:
    assert all(hasattr(package, name) for name in package.__all__)


def _signatures(kind: type) -> dict[str, list[tuple[str, object, object]]]:
    found = inspect.getmembers(kind, inspect.isfunction)
    return {
        name: [(one.name, one.kind, one.default) for one in inspect.signature(function).parameters.values()]
        for name, function in found
        if not name.startswith("_") or name == "__init__"
    }

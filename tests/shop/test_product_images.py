"""Images of products: by id, by an external URL, by the URL of the site's own file."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from conftest import Client, Stand
from foreign_host import Host, answer, outbound_to
from pictures import picture
from vetrina.settings import Settings, load_profile
from vetrina.site import Site

PRODUCTS = "/shop/v3/products"
INNER = {"interno.example": ["10.0.0.1"]}
Served = Callable[[Callable[[BaseHTTPRequestHandler], None]], tuple[Client, Host]]


@pytest.fixture
def served(prepared_shop: Path, tmp_path: Path) -> Iterator[Served]:
    """Return a foreign site's server, and a manager of a shop that can reach nothing else."""
    opened: list[Any] = []

    def start(respond: Callable[[BaseHTTPRequestHandler], None]) -> tuple[Client, Host]:
        shutil.copy(prepared_shop / "site.sqlite", tmp_path / "site.sqlite")
        host = Host(respond)
        settings = Settings(secret="secret of the tests")
        site = Site(load_profile("second"), settings, tmp_path, durable=False, outbound=outbound_to(host, INNER))
        opened.extend((host, site))
        return Stand(site).client("shop_manager"), host

    yield start
    for one in opened:
        one.close()


def sends(body: bytes, kind: str) -> Callable[[BaseHTTPRequestHandler], None]:
    return lambda handler: answer(handler, body, Content_Type=kind)


def files(client: Client) -> list[Path]:
    return [path for path in (client.site.folder / "media").rglob("*") if path.is_file()]


def test_an_image_is_fetched_and_kept(served: Served) -> None:
    manager, host = served(sends(picture(40, 30), "image/jpeg"))
    src = "http://pictures.example/a/mug.jpg"
    made = manager.post(PRODUCTS, {"name": "Mug", "images": [{"src": src, "name": "A mug", "alt": "Blue"}]})
    assert made.status == 201, made.json
    image = made.json["images"][0]
    assert (image["name"], image["alt"], image["src"].rpartition("/")[2]) == ("A mug", "Blue", "mug.jpg")
    assert len(host.asked) == 1
    again = manager.put(f"{PRODUCTS}/{made.json['id']}", {"images": [{"src": image["src"]}, {"id": image["id"]}]})
    assert ([one["id"] for one in again.json["images"]], len(host.asked)) == ([image["id"]], 1)
    assert manager.put(f"{PRODUCTS}/{made.json['id']}", {"images": []}).json["images"] == []


@pytest.mark.in_process("it looks into the folder of files")
def test_what_is_no_image_is_refused_and_nothing_is_kept(served: Served) -> None:
    manager, _ = served(sends(b"<html>", "text/html"))
    refused = manager.post(PRODUCTS, {"name": "Mug", "images": [{"src": "http://pictures.example/mug.jpg"}]})
    assert (refused.status, refused.code) == (400, "shop_product_image_upload_error")
    assert (manager.get(PRODUCTS).json, files(manager)) == ([], [])


@pytest.mark.in_process("it looks into the folder of files")
def test_a_refused_member_of_a_batch_leaves_no_file(served: Served) -> None:
    manager, _ = served(sends(picture(40, 30), "image/jpeg"))
    assert manager.post(PRODUCTS, {"name": "Taken", "sku": "T"}).status == 201
    image = [{"src": "http://pictures.example/mug.jpg"}]
    body = {"create": [{"name": "Bad", "sku": "T", "images": image}]}
    assert manager.post(f"{PRODUCTS}/batch", body).json["create"][0]["error"]["code"] == "product_invalid_sku"
    assert files(manager) == []
    good = manager.post(f"{PRODUCTS}/batch", {"create": [{"name": "Good", "images": image}]}).json["create"][0]
    assert good["images"][0]["src"].endswith("/mug.jpg")


def test_addresses_of_inner_networks_are_not_asked(served: Served) -> None:
    manager, host = served(sends(picture(4, 3), "image/jpeg"))
    refused = manager.post(PRODUCTS, {"name": "Mug", "images": [{"src": "http://interno.example/mug.jpg"}]})
    assert (refused.code, host.asked) == ("shop_product_image_upload_error", [])


def test_a_write_without_images_does_not_wait_for_those_with_them(served: Served) -> None:
    """While all image memory is taken, a product with an image waits, and others are stored."""
    client, _ = served(sends(picture(400, 300), "image/jpeg"))
    image = {"name": "With", "images": [{"src": "http://pictures.example/a/mug.jpg"}]}
    with ThreadPoolExecutor(8) as clients:
        with client.site.context.decoding.hold(1 << 60):
            waiting = [clients.submit(client.post, PRODUCTS, image) for _ in range(6)]
            for number in range(6):
                stored = clients.submit(client.post, PRODUCTS, {"name": f"Without {number}"})
                assert stored.result(20).status == 201
            assert not any(one.done() for one in waiting)
        assert [one.result(60).status for one in waiting] == [201] * 6

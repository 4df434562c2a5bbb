"""Generators make clients of a site's document that compile under strict settings, and that work.

The document is that which a stand-in serves; the programs are in generators/. Skipped where npm or PyPI cannot be
reached. openapi-python-client gets the routes that its program calls: a whole namespace is two thousand files.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from vetrina.rest.openapi_records import iterate_references

from .conftest import GENERATORS, KEY, SECRET, Served

ROUTES = {
    "cms/v2": ("/cms/v2/posts", "/cms/v2/posts/{id}"),
    "shop/v3": ("/shop/v3/products", "/shop/v3/orders", "/shop/v3/orders/{id}"),
}


def test_typescript_clients_compile_and_work(served: Served, shop: Served, node_generators: Path) -> None:
    _write_document(served, "cms/v2", node_generators / "content.json")
    _write_document(shop, "shop/v3", node_generators / "shop.json")
    commands = node_generators / "node_modules" / ".bin"
    plugins = ["-p", "@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"]
    for command in (
        ["openapi-typescript", "content.json", "-o", "content-schema.ts"],
        ["openapi-ts", "-i", "shop.json", "-o", "hey", *plugins],
        ["tsc", "--project", "."],
    ):
        _run([commands / command[0], *command[1:]], node_generators)
    saw = served.run("node", "built/content.js", at="", folder=node_generators)
    assert saw == {
        "titles": ["ONE", "TWO", "THREE"], "lengths": 2, "total": "3", "rest": 1, "type": "post", "status": "publish",
        "code": "rest_post_invalid_id",
    }  # fmt: skip
    sold = shop.run("node", "built/shop.js", at="", folder=node_generators, pair=(KEY, SECRET))
    assert sold == {
        "price": "12.50", "names": ["Lamp"], "total": "25.00", "quantity": 2, "status": "pending",
        "code": "shop_rest_shop_order_invalid_id",
    }  # fmt: skip


def test_the_python_client_is_typed_and_works(served: Served, shop: Served, python_tools: Path, tmp_path: Path) -> None:
    for name, site, space in (("content", served, "cms/v2"), ("shop", shop, "shop/v3")):
        _write_document(site, space, tmp_path / f"{name}.json", ROUTES[space])
        made = ["generate", "--path", f"{name}.json", "--meta", "none", "--output-path", f"{name}_client"]
        told = _run([python_tools / "openapi-python-client", *made], tmp_path)
        assert "WARNING" not in told, told
    for file in ("typed_client.py", "mypy.ini"):
        shutil.copy(GENERATORS / file, tmp_path)
    _run([python_tools / "mypy", "typed_client.py"], tmp_path)
    program = (python_tools / "python", "typed_client.py")
    assert served.run(*program, "content", at="", folder=tmp_path) == {
        "titles": ["ONE", "TWO", "THREE"], "lengths": 2, "total": "3", "same": True, "code": "rest_post_invalid_id",
    }  # fmt: skip
    sold = shop.run(*program, "shop", at="", folder=tmp_path, pair=(KEY, SECRET))
    assert sold == {"price": "12.50", "total": "25.00", "quantity": 2}


@pytest.mark.parametrize("profile", ["first", "second"])
def test_the_types_of_a_site_compile_under_strict_settings(
    profile: str, node_generators: Path, python_tools: Path, tmp_path: Path
) -> None:
    vetrina = Path(sys.executable).with_name("vetrina")
    for language in ("ts", "py"):
        _run([vetrina, "types", "--lang", language, "--profile", profile, "--out", f"site.{language}"], tmp_path)
    _run([node_generators / "node_modules" / ".bin" / "tsc", "--strict", "--noEmit", "site.ts"], tmp_path)
    _run_pyright(python_tools, tmp_path, "site.py")


def _write_document(site: Served, space: str, path: Path, routes: tuple[str, ...] = ()) -> None:
    """Write the document of a namespace as a site serves it; routes: its paths that are kept, all where empty."""
    with urlopen(f"{site.address}/openapi/{space}.json", timeout=60) as answer:
        document: dict[str, Any] = json.load(answer)
    if routes:
        document["paths"] = {route: document["paths"][route] for route in routes}
        _keep_needed_schemas(document)
    path.write_text(json.dumps(document))


def _keep_needed_schemas(document: dict[str, Any]) -> None:
    schemas, needed = document["components"]["schemas"], {"Error", "ErrorData"}
    waiting = [*iterate_references(document["paths"])]
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed.add(name)
            waiting += iterate_references(schemas[name])
    document["components"]["schemas"] = {name: one for name, one in schemas.items() if name in needed}


def _run_pyright(commands: Path, folder: Path, *files: str) -> None:
    """Check files under the strict settings of pyright; skip the test where it cannot fetch itself."""
    (folder / "pyrightconfig.json").write_text(json.dumps({"typeCheckingMode": "strict"}))
    done = subprocess.run([commands / "pyright", *files], cwd=folder, capture_output=True, text=True, timeout=300)
    if done.returncode > 1:
        pytest.skip(f"pyright does not run here: {done.stderr[-300:]}")
    assert done.returncode == 0, done.stdout[-3000:]


def _run(command: list[str | Path], folder: Path) -> str:
    done = subprocess.run([*map(str, command)], cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout + done.stderr

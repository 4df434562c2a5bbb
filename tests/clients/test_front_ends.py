"""The front ends of docs/next.md and docs/astro.md: built against a site, whose webhooks say what to read again."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from free_port import find_free_port
from served import PASSWORD, Server, founded

from .conftest import install_packages
from .counting_proxy import CountingProxy, counting_proxy

SECRET = "a secret of the front end"
_BUILD = 300  # seconds, on a busy machine
_PATIENCE = 60.0  # seconds
_HERE = Path(__file__).parent


class FrontEnd(NamedTuple):
    """How a front end is built and started. start: the command; `{port}` is where it listens."""

    name: str
    build: tuple[str, ...]
    start: tuple[str, ...]


_NEXT_PROGRAM = "node_modules/next/dist/bin/next"
NEXT = FrontEnd("next", ("node", _NEXT_PROGRAM, "build"), ("node", _NEXT_PROGRAM, "start", "--port", "{port}"))
ASTRO = FrontEnd("astro", ("npx", "astro", "build"), ("node", "dist/server/entry.mjs"))


@pytest.fixture(scope="session", params=[NEXT, ASTRO], ids=lambda one: one.name)
def installed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[FrontEnd, Path]:
    """A front end with its packages."""
    front: FrontEnd = request.param
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        pytest.skip("there is no node here")
    folder = tmp_path_factory.mktemp(front.name) / front.name
    shutil.copytree(_HERE / front.name, folder)
    install_packages([npm, "ci", "--no-audit", "--no-fund", "--ignore-scripts"], folder, "npm's")
    return front, folder


class Editor:
    """An administrator of the served site, over HTTP."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._pair = "Basic " + base64.b64encode(f"admin:{PASSWORD}".encode()).decode()

    def post(self, path: str, **members: Any) -> dict[str, Any]:
        request = urllib.request.Request(
            self._root + path, json.dumps(members).encode(),
            {"Content-Type": "application/json", "Authorization": self._pair},
        )  # fmt: skip
        with urllib.request.urlopen(request, timeout=60) as answer:
            found: dict[str, Any] = json.load(answer)
            return found


def read(address: str) -> str:
    with urllib.request.urlopen(address, timeout=60) as answer:
        text: str = answer.read().decode()
        return text


def eventually(holds: Callable[[], bool]) -> bool:
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until:
        try:
            if holds():
                return True
        except (OSError, urllib.error.HTTPError):
            pass
        time.sleep(0.2)
    return False


@contextmanager
def running(front: FrontEnd, folder: Path, port: int, env: dict[str, str]) -> Iterator[str]:
    """Build a front end and serve it; yield its address."""
    built = subprocess.run(front.build, cwd=folder, env=env, capture_output=True, text=True, timeout=_BUILD)
    assert built.returncode == 0, built.stdout + built.stderr
    process = subprocess.Popen(
        [word.format(port=port) for word in front.start], cwd=folder, env=env, stdout=subprocess.DEVNULL
    )
    address = f"http://127.0.0.1:{port}"
    try:
        assert eventually(lambda: bool(read(address))), "the front end does not answer"
        yield address
    finally:
        process.terminate()
        process.wait(30)


def test_a_front_end_reads_again_exactly_what_changed(installed: tuple[FrontEnd, Path], tmp_path: Path) -> None:
    front, folder = installed
    port = find_free_port()
    profile = tmp_path / "profile.toml"
    profile.write_text(
        f'name = "front"\ntitle = "Front"\nlanguages = ["en"]\nwebhook_servers = ["http://127.0.0.1:{port}"]\n'
    )
    site = founded(tmp_path, profile=str(profile))
    with Server(site) as server, counting_proxy(f"http://{server.host}:{server.port}") as proxy:
        admin = Editor(f"{proxy.address.rpartition(':')[0]}:{server.port}/en/cms-json")
        first, other = (
            admin.post("/cms/v2/posts", title=title, content=f"<p>{title}</p>", status="publish")
            for title in ("Bread", "Cheese")
        )
        env = {
            **os.environ, "VETRINA_API": f"{proxy.address}/en/cms-json", "VETRINA_SECRET": SECRET,
            "HOST": "127.0.0.1", "PORT": str(port), "NEXT_TELEMETRY_DISABLED": "1", "ASTRO_TELEMETRY_DISABLED": "1",
        }  # fmt: skip
        with running(front, folder, port, env) as address:
            hook = {"topics": ["*"], "delivery_url": f"{address}/api/vetrina", "secret": SECRET}
            admin.post("/cms/v2/webhooks", **hook)
            _check_refusal(address)
            pages = [f"{address}/posts/{post['id']}-{post['slug']}" for post in (first, other)]
            assert ["Bread" in read(pages[0]), "Cheese" in read(pages[1])] == [True, True]
            _check_change(proxy, admin, first["id"], other["id"], address, pages)


def _check_refusal(address: str) -> None:
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(f"{address}/api/vetrina", b'{"tags":["post"]}', headers)
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=60)
    assert refused.value.code == 401
    refused.value.close()


def _check_change(proxy: CountingProxy, admin: Editor, changed: int, kept: int, address: str, pages: list[str]) -> None:
    proxy.asked.clear()
    admin.post(f"/cms/v2/posts/{changed}", title="Rolls")
    assert eventually(lambda: "Rolls" in read(pages[0])), "the page of the post has its new title"
    assert eventually(lambda: "Rolls" in read(address)), "so has the list"
    assert "Cheese" in read(pages[1])
    asked = [target.partition("/cms-json")[2] for target in proxy.asked]
    assert f"/cms/v2/posts/{changed}?_embed" in asked
    assert [one for one in asked if one.startswith("/cms/v2/posts?")], "the list was read again"
    assert f"/cms/v2/posts/{kept}?_embed" not in asked, "the other post was not"

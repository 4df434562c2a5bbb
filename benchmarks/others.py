"""What a measured site holds beside its posts: so many records of every other type, terms, comments and users.

They are made by the interface itself, in process, as an import would make them; what is there already is left alone.
Not here: the posts (build.py), what is asked of them (cases.py).
"""

from __future__ import annotations

import asyncio
import base64
import json
import struct
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import build

from vetrina.backends.site_folder import load_site_settings
from vetrina.site import Site
from vetrina.system.bootstrap import InitialAccount, bootstrap_site

__all__ = ["EACH", "FEW", "TYPES", "fill"]

EACH = 1000  # things of each kind; a list of ten is one page of a hundred
FEW = 20  # of what a site has few of, and what is listed whole

ROOT = "/en/cms-json"
AUTHORIZATION = "Basic " + base64.b64encode(f"admin:{build.PASSWORD}".encode()).decode()


def _picture() -> bytes:
    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    head = struct.pack(">IIBBBBB", 8, 8, 8, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(9 * 8))) + chunk(b"IEND", b"")
    )


_BLOCKS = "<!-- wp:paragraph -->\n<p>Words of number {n}, which are rendered.</p>\n<!-- /wp:paragraph -->"
_FONT = {"name": "Face {n}", "slug": "face-{n}", "fontFamily": "Face {n}, serif"}


def _titled(n: int) -> dict[str, Any]:
    return {"title": f"Number {n}", "content": _BLOCKS.format(n=n), "status": "publish"}


# Base of the routes → how many there are, and the body that makes one.
TYPES: dict[str, tuple[int, Callable[[int], dict[str, Any] | bytes]]] = {
    "pages": (EACH, _titled),
    "media": (EACH, lambda n: _picture()),
    "menu-items": (EACH, lambda n: {"title": f"Item {n}", "url": f"https://cms.example/{n}", "status": "publish"}),
    "blocks": (EACH, _titled),
    "navigation": (EACH, _titled),
    "templates": (FEW, lambda n: {"slug": f"bench-{n}", "title": f"Number {n}", "content": _BLOCKS.format(n=n)}),
    "font-families": (
        EACH,
        lambda n: {"font_family_settings": json.dumps({k: v.format(n=n) for k, v in _FONT.items()})},
    ),
    "intervento": (EACH, _titled),
    "tags": (EACH, lambda n: {"name": f"Tag {n}"}),
    "comments": (EACH, lambda n: {"post": 1 + n % 100, "content": f"What a reader says, number {n}."}),
    "users": (EACH, lambda n: {}),
}


def fill(folder: Path, database: str = "") -> None:
    """Give a site what it lacks of these; database: the URL of another one than the folder's own."""
    settings, profile = load_site_settings(folder, [f"database={database}"] if database else [])
    site = Site(profile, settings, folder, durable=False)
    try:
        for base, (count, body) in TYPES.items():
            there = (
                len(_asked(site, "GET", f"/cms/v2/{base}?per_page={FEW}", None)[0])
                if count == FEW
                else _there(site, base)
            )
            if there >= count:
                continue
            print(f"  {count - there:,} of {base}", file=sys.stderr, flush=True)
            if base == "users":
                with site.work() as work:
                    bootstrap_site(
                        work,
                        [InitialAccount(f"reader{n}", "author", f"reader{n}@example.org") for n in range(there, count)],
                    )
                continue
            for n in range(there, count):
                _asked(site, "POST", f"/cms/v2/{base}", body(n), f"bench-{n}.png")
        # Else the server that is measured would do it meanwhile.
        build.index(site)
    finally:
        site.close()


def _there(site: Site, base: str) -> int:
    items, headers = _asked(site, "GET", f"/cms/v2/{base}?per_page=1", None)
    return int(headers.get("x-cms-total", len(items)))


def _asked(site: Site, method: str, target: str, body: dict[str, Any] | bytes | None, file: str = "") -> Any:
    path, _, query = target.partition("?")
    content = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
    headers = {"host": "127.0.0.1:8790", "authorization": AUTHORIZATION, "content-length": str(len(content))}
    if isinstance(body, bytes):
        headers |= {"content-type": "image/png", "content-disposition": f'attachment; filename="{file}"'}
    elif body is not None:
        headers["content-type"] = "application/json"
    scope = {
        "type": "http", "method": method, "scheme": "http", "path": ROOT + path, "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 8790),
    }  # fmt: skip
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": content, "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    asyncio.run(site.app(scope, receive, send))
    answer = b"".join(part["body"] for part in sent[1:])
    if sent[0]["status"] not in (200, 201):
        raise SystemExit(f"{method} {target}: {sent[0]['status']} {answer[:300]!r}")
    return json.loads(answer), {name.decode().lower(): value.decode() for name, value in sent[0]["headers"]}

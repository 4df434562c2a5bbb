"""What a server has loaded at its first answer: no parts that the site lacks, and nothing that few requests need.

Most of these were loaded once, and together they were a sixth of the memory of an idle site.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from itertools import chain
from pathlib import Path

from click.testing import Result

from .conftest import Made

# The parent of `vetrina serve` opens the site and forks; a worker answers.
_PROGRAM = """
import asyncio, sys
from pathlib import Path
from vetrina.cli import serve
from vetrina.site_factory import open_site

site = open_site(Path(sys.argv[1]))
print(*sys.modules)
scope = {
    "type": "http", "method": "GET", "scheme": "http", "path": "/en/cms-json/cms/v2/posts", "query_string": b"",
    "headers": [(b"host", b"vetrina.test")], "client": ("127.0.0.1", 50000), "server": ("vetrina.test", 80),
}
sent = []

async def receive():
    return {"type": "http.request", "body": b"", "more_body": False}

async def send(message):
    sent.append(message)

asyncio.run(site.app(scope, receive, send))
assert sent[0]["status"] == 200, sent
print(*sys.modules)
"""

# Modules by what they are for, each with all that is in it.
_NOT_NEEDED = {
    "databases": ("alembic", "psycopg", "sqlalchemy.dialects.postgresql", "vetrina.backends.tables.all_tables"),
    "images": ("PIL", "ctypes", "rawpy"),
    "XML": ("lxml", "xml"),
    "mails": ("smtplib", "email.headerregistry", "email.policy"),
    "backups": ("tarfile",),
    "suggestions about wrong names": ("difflib",),
    "passwords and keys": ("argon2", "cryptography"),
    "imports and comparisons": (
        "vetrina.transfer.compare", "vetrina.transfer.importing", "vetrina.transfer.import_job.running",
        "vetrina.transfer.sources.wxr", "vetrina.transfer.target",
    ),
    "other servers and development": ("python_multipart", "starlette", "structlog", "mako", "httpx", "yaml"),
}  # fmt: skip
# What a site without a shop has none of.
_SHOP = (
    "vetrina.analytics",
    "vetrina.backends.tables.analytics",
    "vetrina.backends.tables.catalogue",
    "vetrina.backends.tables.rollups",
    "vetrina.shop",
)


def find_loaded(folder: Path, unwanted: tuple[str, ...]) -> list[set[str]]:
    """Return which unwanted modules are loaded when the site of a folder is open, and after its first answer."""
    words = [sys.executable, "-c", _PROGRAM, str(folder)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [
        {one for one in unwanted if any(name == one or name.startswith(f"{one}.") for name in line.split())}
        for line in done.stdout.splitlines()
    ]


def test_the_program_finds_what_is_loaded(made: Made) -> None:
    loaded = {"sqlalchemy", "vetrina.content.records.routes"}
    assert find_loaded(made.folder, (*loaded, "vetrina.nothing")) == [loaded, loaded]


def test_a_site_of_content_has_loaded_nothing_that_its_first_answer_does_not_need(made: Made) -> None:
    assert find_loaded(made.folder, (*chain(*_NOT_NEEDED.values()), *_SHOP)) == [set(), set()]


def test_a_shop_has_loaded_nothing_that_its_first_answer_does_not_need(
    vetrina: Callable[..., Result], tmp_path: Path
) -> None:
    folder = tmp_path / "shop"
    vetrina("init", folder, "--profile", "second")
    assert find_loaded(folder, tuple(chain(*_NOT_NEEDED.values()))) == [set(), set()]

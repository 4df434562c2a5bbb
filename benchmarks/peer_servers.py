"""The servers that ours is compared with: how each is installed, filled, started and asked.

What their sites consist of: benchmarks/peers/. What is measured: benchmarks/compare_peers.py.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import build
import kept
from cases import AUTHORIZATION, POSTS

_SITES = Path(__file__).parent / "peers"
CASES = ("a list of ten", "one post", "100 posts of two fields", "a search", "a create")
_TOKEN = re.compile(r"^(?:TOKEN )?([0-9a-f]{40,})$", re.MULTILINE)
_SINGLES = 97  # posts that are asked for one by one
_CREATES = 200  # bodies that are sent in turn
_START_SECONDS = 120
_PARAGRAPH = "<p>A paragraph of the benchmark, with some words so that there is something to store.</p>"
_DIRECTUS_TOKEN = "0123456789abcdef0123456789abcdef01234567"
_DIRECTUS_FIELDS = {
    "title": "string", "slug": "string", "content": "text", "excerpt": "text", "date": "timestamp",
    "category": "integer",
}  # fmt: skip


class Unavailable(Exception):
    """A peer cannot be installed or started here; the message says what it said."""


class Peer(ABC):
    """A server with the posts. folder: where it is installed and its database is. port: on which it listens."""

    name: str
    token = ""
    writes = True

    def __init__(self, folder: Path, port: int) -> None:
        self.folder, self.port = folder, port

    @abstractmethod
    def prepare(self, posts: Path) -> None:
        """Install and fill it with the posts of a JSON file, unless it is; read its token. Raises Unavailable."""

    @abstractmethod
    def start(self) -> subprocess.Popen[bytes]:
        """Start it."""

    @abstractmethod
    def list_targets(self, case: str) -> list[str]:
        """Return the addresses that a case asks for in turn."""

    @abstractmethod
    def find_posts(self, answer: Any) -> list[Any]:
        """Return the posts of a list's answer."""

    def build_requests(self, case: str) -> list[bytes]:
        """Return the requests of a case."""
        if case == CASES[-1]:
            return [
                self._build_request(*self.list_targets(case), self.describe_post(number)) for number in range(_CREATES)
            ]
        return [self._build_request(target) for target in self.list_targets(case)]

    def describe_post(self, number: int) -> Any:
        """Return the body that creates a post."""
        return {"title": f"Created {number}", "slug": f"created-{number}-{time.time_ns()}", "content": _PARAGRAPH}

    def authorize(self) -> str:
        """Return the header that a create needs."""
        return f"Bearer {self.token}"

    def _build_request(self, target: str, body: Any = None) -> bytes:
        head = f"{'GET' if body is None else 'POST'} {target} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
        if body is None:
            return f"{head}\r\n".encode()
        content = json.dumps(body).encode()
        more = f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n"
        return f"{head}{more}Authorization: {self.authorize()}\r\n\r\n".encode() + content

    def _is_filled(self) -> bool:
        """Return whether it has the posts; have its database as it was filled, and read its token."""
        token, filled = self.folder / "token", self.folder / "filled.sqlite"
        if token.exists():
            self.token = token.read_text()
        if not filled.exists():
            return False
        for old in self.folder.glob("posts.sqlite*"):
            old.unlink()
        shutil.copy(filled, self.folder / "posts.sqlite")
        return True

    def _keep_filled(self) -> None:
        """Keep the database as it is now, so that what is measured does not grow."""
        with closing(sqlite3.connect(self.folder / "posts.sqlite")) as source:
            source.execute("VACUUM INTO ?", (str(self.folder / "filled.sqlite"),))

    def _run(self, *command: str, **environment: str) -> str:
        done = subprocess.run(
            command, cwd=self.folder, env={**os.environ, **environment}, capture_output=True, text=True
        )
        if done.returncode:
            raise Unavailable(f"{' '.join(command[:3])}: {(done.stderr or done.stdout).strip()[-400:]}")
        return done.stdout

    def _remember_token(self, printed: str) -> None:
        found = _TOKEN.search(printed)
        if found is None:
            raise Unavailable(f"no token was printed: {printed[-400:]}")
        self.token = found[1]
        (self.folder / "token").write_text(self.token)


class Vetrina(Peer):
    """Ours, with `cache_bytes=0`: it keeps no answers."""

    name = "Vetrina"

    def prepare(self, posts: Path) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(kept.site_of(self.folder.parents[1], self._count(posts)), self.folder)

    def start(self) -> subprocess.Popen[bytes]:
        program = str(Path(sys.executable).with_name("vetrina"))
        return _start(
            program, "serve", "--site", ".", "--port", str(self.port), "--set", "cache_bytes=0", at=self.folder
        )

    def list_targets(self, case: str) -> list[str]:
        return {
            "a list of ten": [POSTS],
            "one post": [f"{POSTS}/{number}" for number in range(1, _SINGLES + 1)],
            "100 posts of two fields": [f"{POSTS}?per_page=100&_fields=id,title"],
            "a search": [f"{POSTS}?search={build.COMMON_WORD}"],
            "a create": [POSTS],
        }[case]

    def find_posts(self, answer: Any) -> list[Any]:
        return list(answer)

    def describe_post(self, number: int) -> Any:
        content = f"<!-- wp:paragraph -->\n{_PARAGRAPH}\n<!-- /wp:paragraph -->"
        return {"title": f"Created {number}", "content": content, "status": "publish"}

    def authorize(self) -> str:
        return AUTHORIZATION

    @staticmethod
    def _count(posts: Path) -> int:
        return len(json.loads(posts.read_text()))


class DjangoPeer(Peer):
    """A Django site under our own server's library, one process."""

    package: str

    def prepare(self, posts: Path) -> None:
        if self._is_filled():
            return
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self._run(sys.executable, "-m", "venv", "venv")
        self._run("venv/bin/pip", "install", "-q", "-r", str(_SITES / self.package / "requirements.txt"))
        printed = self._run("venv/bin/python", "-m", f"{self.package}.fill", str(posts), **self._environment)
        if self.writes:
            self._remember_token(printed)
        self._keep_filled()

    def start(self) -> subprocess.Popen[bytes]:
        words = [
            "venv/bin/granian",
            "--interface",
            "wsgi",
            "--blocking-threads",
            "1",
            "--port",
            str(self.port),
            "--no-log",
        ]
        return _start(*words, f"{self.package}.api:application", at=self.folder, **self._environment)

    @property
    def _environment(self) -> dict[str, str]:
        return {
            "DJANGO_SETTINGS_MODULE": f"{self.package}.settings",
            "PEER_DATABASE": str(self.folder / "posts.sqlite"),
            "PYTHONPATH": str(_SITES),
        }


class RestFramework(DjangoPeer):
    """Django REST framework."""

    name, package = "Django REST framework", "rest_framework_site"

    def list_targets(self, case: str) -> list[str]:
        return {
            "a list of ten": ["/posts"],
            "one post": [f"/posts/{number}" for number in range(1, _SINGLES + 1)],
            "100 posts of two fields": ["/posts?per_page=100&fields=id,title"],
            "a search": [f"/posts?search={build.COMMON_WORD}"],
            "a create": ["/posts"],
        }[case]

    def find_posts(self, answer: Any) -> list[Any]:
        return list(answer["results"])

    def describe_post(self, number: int) -> Any:
        return {**super().describe_post(number), "categories": [1]}

    def authorize(self) -> str:
        return f"Token {self.token}"


class Wagtail(DjangoPeer):
    """Wagtail; its REST interface takes no writes."""

    name, package, writes = "Wagtail", "wagtail_site", False

    def list_targets(self, case: str) -> list[str]:
        posts = "/api/pages/?type=wagtail_site.Post"
        return {
            "a list of ten": [f"{posts}&fields=*&order=-date&limit=10"],
            "one post": [f"/api/pages/{number}/" for number in range(3, _SINGLES + 3)],
            "100 posts of two fields": [f"{posts}&fields=_,id,title&limit=100"],
            "a search": [f"{posts}&fields=*&limit=10&search={build.COMMON_WORD}"],
        }[case]

    def find_posts(self, answer: Any) -> list[Any]:
        return list(answer["items"])


class NodePeer(Peer):
    """A program of Node's registry, in production mode."""

    def prepare(self, posts: Path) -> None:
        if self._is_filled():
            return
        shutil.copytree(_SITES / self.name.lower(), self.folder, dirs_exist_ok=True)
        if not (self.folder / "node_modules").exists():
            self._run("npm", "install", "--no-audit", "--no-fund", "--foreground-scripts")
        for old in self.folder.glob("posts.sqlite*"):
            old.unlink()
        self.fill(posts)
        self._keep_filled()

    @abstractmethod
    def fill(self, posts: Path) -> None:
        """Make the database and what is in it."""


class Strapi(NodePeer):
    """Strapi; a list has its categories, as the others' lists do."""

    name = "Strapi"

    def fill(self, posts: Path) -> None:
        (self.folder / "public" / "uploads").mkdir(parents=True, exist_ok=True)
        environment = {**self._environment, "PEER_POSTS": str(posts)}
        self._remember_token(self._run("node_modules/.bin/strapi", "start", **environment))

    def start(self) -> subprocess.Popen[bytes]:
        return _start("node_modules/.bin/strapi", "start", at=self.folder, **self._environment)

    def list_targets(self, case: str) -> list[str]:
        if case == "one post":
            return [f"/api/posts/{number}?populate=categories" for number in self._read_ids()]
        posts = "/api/posts?sort=date:desc"
        size = urllib.parse.quote("pagination[pageSize]")
        fields = "&".join(f"{urllib.parse.quote(f'fields[{at}]')}={name}" for at, name in enumerate(("id", "title")))
        return {
            "a list of ten": [f"{posts}&populate=categories&{size}=10"],
            "100 posts of two fields": [f"{posts}&{size}=100&{fields}"],
            "a search": [f"{posts}&populate=categories&{size}=10&_q={build.COMMON_WORD}"],
            "a create": ["/api/posts"],
        }[case]

    def find_posts(self, answer: Any) -> list[Any]:
        return list(answer["data"])

    def describe_post(self, number: int) -> Any:
        return {"data": super().describe_post(number)}

    def _read_ids(self) -> list[str]:
        answer = send_json(self.port, "GET", f"/api/posts?{urllib.parse.quote('pagination[pageSize]')}={_SINGLES}")
        return [post["documentId"] for post in answer["data"]]

    @property
    def _environment(self) -> dict[str, str]:
        return {
            "NODE_ENV": "production", "PEER_DATABASE": str(self.folder / "posts.sqlite"), "PORT": str(self.port),
            "STRAPI_TELEMETRY_DISABLED": "true",
        }  # fmt: skip


class Directus(NodePeer):
    """Directus, without its cache and its log."""

    name = "Directus"
    _program = ("node_modules/.bin/node", "node_modules/.bin/directus")

    def fill(self, posts: Path) -> None:
        self._run(*self._program, "bootstrap", **self._environment)
        self.token = _DIRECTUS_TOKEN
        (self.folder / "token").write_text(self.token)
        with run_peer(self):
            found = send_json(self.port, "GET", "/policies?limit=-1", None, self.authorize())["data"]
            public = next(policy["id"] for policy in found if "public" in policy["name"])
            schema: dict[str, Any] = {"is_primary_key": True, "has_auto_increment": True}
            fields = [{"field": "id", "type": "integer", "schema": schema, "meta": {}}]
            fields += [
                {"field": name, "type": kind, "schema": {}, "meta": {}} for name, kind in _DIRECTUS_FIELDS.items()
            ]
            self._send("/collections", {"collection": "posts", "schema": {}, "meta": {}, "fields": fields})
            visible = {"policy": public, "collection": "posts", "action": "read", "fields": ["*"], "permissions": {}}
            self._send("/permissions", visible)
            given = json.loads(posts.read_text())
            for first in range(0, len(given), 100):
                chunk = given[first : first + 100]
                self._send("/items/posts", [{**post, "category": post.pop("categories")[0]} for post in chunk])

    def start(self) -> subprocess.Popen[bytes]:
        return _start(*self._program, "start", at=self.folder, **self._environment)

    def list_targets(self, case: str) -> list[str]:
        posts = "/items/posts?sort=-date&meta=filter_count"
        return {
            "a list of ten": [f"{posts}&limit=10"],
            "one post": [f"/items/posts/{number}" for number in range(1, _SINGLES + 1)],
            "100 posts of two fields": [f"{posts}&limit=100&fields=id,title"],
            "a search": [f"{posts}&limit=10&search={build.COMMON_WORD}"],
            "a create": ["/items/posts"],
        }[case]

    def find_posts(self, answer: Any) -> list[Any]:
        return list(answer["data"])

    def _send(self, path: str, body: Any) -> None:
        send_json(self.port, "POST", path, body, self.authorize())

    @property
    def _environment(self) -> dict[str, str]:
        return {
            "ADMIN_EMAIL": "admin@example.org", "ADMIN_PASSWORD": "of a benchmark", "ADMIN_TOKEN": _DIRECTUS_TOKEN,
            "DB_CLIENT": "sqlite3", "DB_FILENAME": str(self.folder / "posts.sqlite"), "HOST": "127.0.0.1",
            "KEY": "of a benchmark", "LOG_LEVEL": "fatal", "PORT": str(self.port), "SECRET": "of a benchmark" * 3,
            # A busy machine is no reason to refuse what is measured.
            "PRESSURE_LIMITER_ENABLED": "false", "TELEMETRY": "false",
        }  # fmt: skip


def _start(*command: str, at: Path, **environment: str) -> subprocess.Popen[bytes]:
    null = subprocess.DEVNULL
    return subprocess.Popen(
        command, cwd=at, env={**os.environ, **environment}, stdout=null, stderr=null, start_new_session=True
    )


@contextmanager
def run_peer(peer: Peer) -> Iterator[None]:
    """Run a peer until its lists answer, and stop it at the end. Raises Unavailable."""
    process, until = peer.start(), time.monotonic() + _START_SECONDS
    try:
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{peer.port}/", timeout=10).close()
                break
            except urllib.error.HTTPError:
                break
            except OSError:
                if process.poll() is not None or time.monotonic() > until:
                    raise Unavailable("it does not start") from None
                time.sleep(0.1)
        yield
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(30)


def send_json(port: int, method: str, path: str, body: Any = None, authorization: str = "") -> Any:
    headers = {"Content-Type": "application/json", **({"Authorization": authorization} if authorization else {})}
    content = None if body is None else json.dumps(body).encode()
    asked = urllib.request.Request(f"http://127.0.0.1:{port}{path}", content, headers, method=method)
    with urllib.request.urlopen(asked, timeout=120) as answer:
        text = answer.read()
    return json.loads(text) if text else None


PEERS: tuple[type[Peer], ...] = (Vetrina, RestFramework, Wagtail, Strapi, Directus)

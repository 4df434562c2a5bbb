"""After any sequence of writes, stored data is consistent and the totals of lists are right."""

from __future__ import annotations

import re
from collections import Counter
from random import Random
from typing import Any

import pytest

from conftest import Client, Stand
from vetrina.system.integrity_rules import RULES

LOGINS = ("admin", "admin", "admin", "editor", "author", "contributor")
RECORDS = ("posts", "posts", "posts", "pages", "pages", "intervento", "percorso")
TERMS = ("tags", "categories", "categoria-intervento")
_ID = re.compile(r"(?<=/)-?\d+")


class Writer:
    """Draws writes that are often valid and sometimes not, and records the ids that they create."""

    def __init__(self, stand: Stand, seed: int) -> None:
        self.random = Random(seed)
        self.known: dict[str, list[int]] = {"posts": [1], "categories": [1], "users": [1, 2, 3]}
        self.revisions: list[str] = []
        self.written: Counter[str] = Counter()
        self.tried: Counter[str] = Counter()
        self.clients = [
            stand.client(login, root=f"/{code}/cms-json") for login in LOGINS for code in ("en", "en", "it")
        ]

    def number(self, base: str) -> int:
        """Return the id of a record, a term or an account, mostly of one that was made."""
        known = self.known.get(base)
        return self.random.choice(known[-8:] if known and self.random.random() < 0.9 else (0, 1, -1, 99_999))

    def revision(self) -> str:
        """Return the path of a revision, mostly of one that was made."""
        if self.revisions and self.random.random() < 0.9:
            return self.random.choice(self.revisions[-8:])
        return f"/cms/v2/posts/{self.number('posts')}/revisions/{self.number('posts')}"

    def members(self) -> dict[str, Any]:
        number = self.number
        values: dict[str, tuple[Any, ...]] = {
            "title": ("Uno", "Due", "", "tre <b>", {"raw": "Quattro"}),
            "content": ("testo", "altro testo", "<!-- wp:paragraph --><p>x</p><!-- /wp:paragraph -->", ""),
            "excerpt": ("", "sunto"),
            "status": ("publish", "publish", "draft", "private", "pending", "future"),
            "slug": ("a", "b", "", None, "feed", "2020"),
            "date": ("2199-01-01T00:00:00", "2020-01-01T00:00:00", None),
            "parent": (number("pages"), 0),
            "categories": ([number("categories"), number("categories")], []),
            "tags": ([number("tags"), number("tags")], []),
            "categoria-intervento": ([number("categoria-intervento")],),
            "sticky": (True, False),
            "password": ("x", ""),
            "author": (number("users"), 1, 2, 3),
            "featured_media": (number("posts"), 0, 0),
            "meta": ({"footnotes": "[]"}, {"_ext_changed": True}),
            "name": ("A", "B", "C"),
        }
        return {name: self.random.choice(some) for name, some in values.items() if self.random.random() < 0.25}

    def one(self) -> tuple[str, str, dict[str, Any]]:
        choose, number = self.random.choice, self.number
        base, terms = choose(RECORDS), choose(TERMS)
        return choose([
            ("POST", f"/cms/v2/{base}", {"title": "Nuovo", **self.members()}),
            ("POST", f"/cms/v2/{base}", {"title": "Nuovo", **self.members()}),
            ("POST", f"/cms/v2/{base}/{number(base)}", self.members()),
            ("POST", f"/cms/v2/{base}/{number(base)}", self.members()),
            ("POST", f"/cms/v2/{base}/{number(base)}", self.members()),
            ("DELETE", f"/cms/v2/{base}/{number(base)}", {"force": self.random.random() < 0.4}),
            ("POST", f"/cms/v2/{base}/{number(base)}/autosaves", self.members()),
            ("DELETE", self.revision(), {"force": True}),
            ("POST", f"/cms/v2/{terms}", {"name": f"T{self.random.randrange(9)}", **self.members()}),
            ("POST", f"/cms/v2/{terms}/{number(terms)}", self.members()),
            ("DELETE", f"/cms/v2/{terms}/{number(terms)}", {"force": True}),
            ("POST", "/cms/v2/users", {"username": f"u{self.random.randrange(9)}", "password": "x", "roles": ["author"],
                                       "email": f"u{self.random.randrange(9)}@example.org"}),
            ("DELETE", f"/cms/v2/users/{choose(range(6, 12))}", {"force": True, "reassign": choose((1, 2, False))}),
        ])  # fmt: skip

    def write(self) -> None:
        client = self.random.choice(self.clients)
        if self.random.random() < 0.15:
            parts = [self.one() for _ in range(4)]
            requests = [{"method": method, "path": path, "body": body} for method, path, body in parts]
            answer = client.post(
                "/batch/v1",
                {"requests": requests, "validation": self.random.choice(("normal", "require-all-validate"))},
            )
            assert answer.status == 207
            if answer.json.get("failed") is None:
                for part, one in zip(parts, answer.json["responses"], strict=True):
                    self.note(*part, one["status"], one["body"])
        else:
            method, path, body = self.one()
            answer = client.ask(method, path, json=body)
            assert answer.status < 500 or answer.code == "rest_trash_not_supported", (method, path, body)
            self.note(method, path, body, answer.status, answer.json)

    def note(self, method: str, path: str, sent: dict[str, Any], status: int, shown: Any) -> None:
        """Record what a write made, and which kinds of writes succeeded."""
        base = path.split("/")[3]
        kind = f"{method} {_ID.sub('ID', path).replace(base, 'BASE')}"
        self.tried[kind] += 1
        if status >= 300:
            return
        self.written[kind] += 1
        if method == "POST" and "autosaves" not in path:
            self.known.setdefault(base, []).append(shown["id"])
        for version in shown.get("_links", {}).get("predecessor-version", ()):
            self.revisions.append(f"/cms/v2/{base}/{shown['id']}/revisions/{version['id']}")


@pytest.mark.parametrize("seed", range(4))
def test_what_is_stored_fits_together(site: Stand, seed: int) -> None:
    writer = Writer(site, seed)
    for _ in range(10):
        for _ in range(40):
            writer.write()
        with site.site.work(read=True) as work:
            broken = [f"{rule.says} {line}" for rule in RULES for line in rule.broken(work)]
        assert not broken
    # Writes that are refused can spoil nothing: at least one in eight of each kind succeeded.
    assert len(writer.tried) == 5
    assert not [kind for kind, tried in writer.tried.items() if writer.written[kind] * 8 < tried]
    _totals_are_true(site.client("admin"))
    _totals_are_true(site.client("admin", root="/it/cms-json"))


def _totals_are_true(admin: Client) -> None:
    for base in dict.fromkeys(RECORDS):
        for status in ("publish", "draft", "private", "pending", "future", "trash", "any", "publish,draft"):
            listed: list[int] = []
            answer = admin.get(f"/cms/v2/{base}", query={"status": status, "per_page": 100, "_fields": "id"})
            for page in range(1, int(answer.headers["x-cms-totalpages"]) + 1):
                query = {"status": status, "per_page": 100, "_fields": "id", "page": page}
                listed += [row["id"] for row in admin.get(f"/cms/v2/{base}", query=query).json]
            assert len(set(listed)) == len(listed) == int(answer.headers["x-cms-total"]), (base, status)

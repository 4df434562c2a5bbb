"""What a site publishes over some months, drawn at random: in two languages, changed, thrown away, answered to."""

from __future__ import annotations

import json
from random import Random
from typing import Any, Final

from conftest import Client, SetClock, Stand
from content.test_fonts import WOFF2, face, family, sent

from .old_site import find_styles

HOUR: Final = 3600
_TITLES: Final = ("The harbour", "Fish & chips", "Пристань", "1 < 2", 'He said "no"', "Porto à Mare", "0")
_STATUSES: Final = ("publish", "publish", "publish", "draft", "pending", "private", "future")
_TEXTS: Final = (
    "<!-- wp:paragraph --><p>By the <strong>sea</strong>.</p><!-- /wp:paragraph -->", "Two lines\n\nof a text",
    "One\n<!--more-->\nother", "[gallery]", "",
)  # fmt: skip
_FORMATS: Final = ("standard", "aside", "quote", "gallery")


class ContentLife:
    """A site that things happen on. It has come to now when it was lived."""

    def __init__(self, stand: Stand, clock: SetClock, random: Random, days: int = 300) -> None:
        self._clock, self._random = clock, random
        self._clients: dict[str, Client] = {
            "en": stand.client("admin"), "it": stand.client("admin", "/it/cms-json")
        }  # fmt: skip
        self._pace = days * 24
        clock.ahead = -days * 24 * HOUR
        self._records: dict[tuple[str, str], list[int]] = {}
        self._terms: dict[tuple[str, str], list[int]] = {}
        self._comments: dict[int, list[int]] = {}
        self._writers = [1]
        self._families: list[int] = []
        self._count = 0

    def live(self, deeds: int) -> None:
        """Let so many things happen, up to now."""
        kinds = {
            self._write: 8, self._change: 4, self._add_term: 3, self._comment: 4, self._translate: 2, self._remove: 1,
            self._add_writer: 1, self._add_menu: 1, self._redirect: 1, self._design: 1, self._add_font: 1,
            self._add_pattern: 1, self._navigate: 1, self._arrange: 1,
        }  # fmt: skip
        for _ in range(deeds):
            self._clock.ahead = min(0, self._clock.ahead + self._random.randint(1, self._pace * 2 * HOUR // deeds))
            self._random.choices([*kinds], [*kinds.values()])[0]()
        self._clock.ahead = 0

    def _choose(self, *bases: str) -> tuple[str, str, int] | None:
        """Return base, language and id of a record, None where there is none."""
        found = [key for key, ids in self._records.items() if ids and (not bases or key[0] in bases)]
        if not found:
            return None
        base, language = key = self._random.choice(found)
        return base, language, self._random.choice(self._records[key])

    def _draw_members(self, base: str, language: str) -> dict[str, Any]:
        random = self._random
        members: dict[str, Any] = {
            "title": random.choice(_TITLES), "content": random.choice(_TEXTS), "status": random.choice(_STATUSES),
            "author": random.choice(self._writers), "slug": random.choice(("", "", "harbour")),
        }  # fmt: skip
        if members["status"] == "future":
            members["date"] = "2090-06-01T12:00:00"
        if base in ("posts", "pages"):
            members |= {
                "password": random.choice(("", "", "", "secret")),
                "excerpt": random.choice(("", "In <em>short</em>")),
            }
            members |= {name: random.choice(("open", "closed")) for name in ("comment_status", "ping_status")}
        if base == "posts":
            members |= {"format": random.choice(_FORMATS), "sticky": random.random() < 0.2 and not members["password"]}
        if base == "pages":
            above = self._records.get((base, language), ())
            members |= {"menu_order": random.randint(0, 3), "parent": random.choice([0, *above])}
        for taxonomy in {"posts": ("categories", "tags"), "intervento": ("categoria-intervento",)}.get(base, ()):
            known = self._terms.get((taxonomy, language), [])
            members[taxonomy] = random.sample(known, min(len(known), random.randint(0, 2)))
        return members

    # -- what happens

    def _write(self) -> None:
        base, language = (
            self._random.choice(("posts", "posts", "pages", "intervento")),
            self._random.choice(("en", "en", "it")),
        )
        answer = self._clients[language].post(f"/cms/v2/{base}", self._draw_members(base, language))
        assert answer.status == 201, answer.json
        self._records.setdefault((base, language), []).append(answer.json["id"])

    def _change(self) -> None:
        if chosen := self._choose():
            base, language, id = chosen
            members = self._draw_members(base, language)
            some = {
                name: members[name]
                for name in self._random.sample(sorted(members), 3)
                if name not in ("date", "parent")
            }
            if some.get("status") == "future":
                del some["status"]
            self._clients[language].put(f"/cms/v2/{base}/{id}", some)

    def _add_term(self) -> None:
        self._count += 1
        taxonomy = self._random.choice(("categories", "tags", "categoria-intervento"))
        language = self._random.choice(("en", "it"))
        known = self._terms.setdefault((taxonomy, language), [])
        body: dict[str, Any] = {
            "name": f"Term & {self._count}",
            "description": self._random.choice(("", "Of <b>old</b>")),
        }
        if taxonomy != "tags":
            body["parent"] = self._random.choice([0, *known])
        answer = self._clients[language].post(f"/cms/v2/{taxonomy}", body)
        assert answer.status == 201, answer.json
        known.append(answer.json["id"])

    def _comment(self) -> None:
        if chosen := self._choose("posts", "pages"):
            _, language, id = chosen
            before = self._comments.setdefault(id, [])
            answer = self._clients[language].post("/cms/v2/comments", {
                "post": id, "parent": self._random.choice([0, *before]), "content": "I was <em>there</em>",
                "author_name": "Ada", "author_email": "ada@example.net",
                "status": self._random.choice(("approve", "approve", "hold", "spam")),
            })  # fmt: skip
            if answer.status == 201:
                before.append(answer.json["id"])

    def _translate(self) -> None:
        if (chosen := self._choose()) and (others := self._records.get((chosen[0], "it"))) and chosen[1] == "en":
            base, _, id = chosen
            self._clients["en"].put(
                f"/cms/v2/{base}/{id}", {"translations": {"it": {"id": self._random.choice(others)}}}
            )

    def _remove(self) -> None:
        if chosen := self._choose():
            base, language, id = chosen
            self._records[base, language].remove(id)
            self._clients[language].delete(f"/cms/v2/{base}/{id}", query={"force": self._random.random() < 0.5})

    def _add_writer(self) -> None:
        self._count += 1
        name = f"writer{self._count}"
        role = self._random.choice(("author", "editor", "contributor"))
        answer = self._clients["en"].post("/cms/v2/users", {
            "username": name, "email": f"{name}@example.net", "password": "a long pass word 1", "roles": [role],
            "first_name": "Wri", "description": "Of <b>old</b>", "url": "https://writer.example",
        })  # fmt: skip
        assert answer.status == 201, answer.json
        self._writers.append(answer.json["id"])

    def _add_menu(self) -> None:
        self._count += 1
        admin = self._clients["en"]
        menu = admin.post("/cms/v2/menus", {"name": f"Menu {self._count}"}).json["id"]
        above = 0
        for (base, language), ids in self._records.items():
            if base == "pages" and language == "en":
                for id in ids[:2]:
                    above = admin.post("/cms/v2/menu-items", {
                        "title": "To it", "menus": menu, "type": "post_type", "object": "page", "object_id": id,
                        "status": "publish", "parent": above,
                    }).json.get("id", 0)  # fmt: skip
        admin.post(
            "/cms/v2/menu-items", {"title": "Out", "menus": menu, "url": "https://other.example", "status": "publish"}
        )

    def _redirect(self) -> None:
        self._count += 1
        self._clients["en"].post("/cms/v2/redirects", {"source": f"/old-{self._count}", "target": "/", "status": 302})

    def _design(self) -> None:
        self._count += 1
        admin = self._clients["en"]
        made = self._random.choice(("template", "part", "styles", "widget"))
        if made == "template":
            admin.post("/cms/v2/templates", {"slug": f"t{self._count}", "title": "Narrow", "content": "<p>Narrow</p>"})
        elif made == "part":
            admin.put("/cms/v2/template-parts/portico//footer", {"content": f"<p>Footer {self._count}</p>"})
        elif made == "styles":
            admin.put(f"/cms/v2/global-styles/{find_styles(admin)}", {"styles": {"color": {"text": "#123456"}}})
        else:
            admin.post("/cms/v2/widgets", {"id_base": "text", "sidebar": "cms_inactive_widgets",
                                           "instance": {"raw": {"title": "Hours", "text": "Nine"}}})  # fmt: skip

    def _add_font(self) -> None:
        """Add a face, to a family of its own or one that is there."""
        self._count += 1
        admin, random = self._clients["en"], self._random
        if not self._families or random.random() < 0.5:
            name = f"Font {self._count}"
            answer = family(admin, name=name, slug=f"font-{self._count}", fontFamily=name)
            assert answer.status == 201, answer.json
            self._families.append(answer.json["id"])
        above, weight = random.choice(self._families), str(self._count)
        if random.random() < 0.5:
            answer = face(admin, above, fontWeight=weight, src=f"https://1.2.3.4/{self._count}.woff2")
        else:
            files = {"file-0": (f"kept-{self._count}.woff2", WOFF2)}
            answer = sent(admin, above, files, fontWeight=weight)
        assert answer.status == 201, answer.json

    def _add_pattern(self) -> None:
        self._count += 1
        random = self._random
        client = self._clients[random.choice(("en", "it"))]
        category = client.post("/cms/v2/cms_pattern_category", {"name": f"Kind {self._count % 3}"}).json
        sync = {"cms_pattern_sync_status": "unsynced"} if random.random() < 0.5 else {}
        answer = client.post("/cms/v2/blocks", {
            "title": random.choice(_TITLES), "content": random.choice(_TEXTS), "meta": sync,
            "status": random.choice(("publish", "publish", "draft")),
            "cms_pattern_category": [category["id"]] if "id" in category else [],
        })  # fmt: skip
        assert answer.status == 201, answer.json

    def _navigate(self) -> None:
        page = self._choose("pages")
        link = {"id": page[2], "type": "page", "kind": "post-type", "label": "To it"} if page else {"label": "Out"}
        answer = self._clients["en"].post("/cms/v2/navigation", {
            "title": "Way", "content": f"<!-- wp:navigation-link {json.dumps(link)} /-->",
            "status": self._random.choice(("publish", "draft")),
        })  # fmt: skip
        assert answer.status == 201, answer.json

    def _arrange(self) -> None:
        """Keep how somebody has arranged the editor, and give a program a password of its own."""
        self._count += 1
        path = f"/cms/v2/users/{self._random.choice(self._writers)}"
        kept = {"persisted_preferences": {"core/edit-post": {"fixedToolbar": self._random.random() < 0.5}}}
        assert self._clients["en"].post(path, {"meta": kept}).status == 200
        answer = self._clients["en"].post(f"{path}/application-passwords", {"name": f"Program {self._count}"})
        assert answer.status == 201, answer.json

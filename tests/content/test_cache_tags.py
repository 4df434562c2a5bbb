"""Cache tags of answers and of changes: what a change made stale shares a tag with it, what it left alone does not."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import pytest

from conftest import Answer, Client, Stand, exchange
from pictures import picture
from vetrina.rest.cache_tags import MAX_TAGS, build_cache_tags

FEED, POSTS, PAGES, MEDIA = "/cms/v2/changes", "/cms/v2/posts", "/cms/v2/pages", "/cms/v2/media"
CATEGORIES, TAGS, COMMENTS, USERS = "/cms/v2/categories", "/cms/v2/tags", "/cms/v2/comments", "/cms/v2/users"
# Not answered from the response cache.
AROUND_CACHE = {"if-modified-since": "Thu, 01 Jan 1970 00:00:00 GMT"}


def make(client: Client, path: str, **members: Any) -> dict[str, Any]:
    answer = client.post(path, members)
    assert answer.status == 201, answer.json
    found: dict[str, Any] = answer.json
    return found


def upload(client: Client, name: str) -> int:
    headers = {"content-disposition": f'attachment; filename="{name}"', "content-type": "application/octet-stream"}
    answer = client.post(MEDIA, body=picture(40, 30), headers=headers)
    assert answer.status == 201, answer.json
    return int(answer.json["id"])


def read_tags(answer: Answer) -> set[str]:
    return set(answer.headers.get("cache-tag", "").split(",")) - {""}


def read_new_tags(client: Client, since: int) -> tuple[set[str], int]:
    """Return the tags of what changed after a cursor, and the cursor of now."""
    tags: set[str] = set()
    while True:
        page = client.get(FEED, query={"since": since, "per_page": 100}).json
        tags |= {tag for entry in page["changes"] for tag in entry["tags"]}
        since = page["next"]
        if not page["more"]:
            return tags, since


# -- single answers


def test_a_single_answer_names_what_it_shows_and_no_kind_of_record(anyone: Client, editor: Client) -> None:
    image = upload(editor, "one.jpg")
    category = make(editor, CATEGORIES, name="Bread")["id"]
    post = make(editor, POSTS, title="A", status="publish", categories=[category], featured_media=image)
    assert read_tags(anyone.get(f"{POSTS}/{post['id']}")) == {"option", f"post-{post['id']}", f"category-{category}"}
    shown = read_tags(anyone.get(f"{POSTS}/{post['id']}", query={"_embed": "1"}))
    assert {f"user-{post['author']}", f"attachment-{image}", f"category-{category}", "comment"} < shown
    assert not shown & {"post", "user", "attachment", "category", "page"}


def test_a_list_names_its_kind(anyone: Client, editor: Client) -> None:
    make(editor, POSTS, title="A", status="publish")
    assert "post" in read_tags(anyone.get(POSTS))
    assert "post" not in read_tags(anyone.get(PAGES))


def test_a_page_names_its_ancestors(anyone: Client, editor: Client) -> None:
    top = make(editor, PAGES, title="Top", status="publish")["id"]
    below = make(editor, PAGES, title="Below", status="publish", parent=top)["id"]
    assert read_tags(anyone.get(f"{PAGES}/{below}")) == {"option", f"page-{below}", f"page-{top}"}


def test_a_public_page_names_the_record_and_what_is_around_it(site: Stand, editor: Client, admin: Client) -> None:
    post = make(editor, POSTS, title="A", status="publish")
    tags = read_tags(Client(site.site, root="").get(re.sub("^https?://[^/]*", "", post["link"])))
    assert {"post", "comment", "cms_template", "cms_template_part"} <= tags, "it leads to the posts beside it"
    assert "page" in tags, "its header lists pages"
    assert not tags & {"category", "attachment", "intervento"}
    admin.post("/cms/v2/templates", {"slug": "single", "title": "Single", "content": "<!-- wp:post-content /-->"})
    tags = read_tags(Client(site.site, root="").get(re.sub("^https?://[^/]*", "", post["link"])))
    assert f"post-{post['id']}" in tags
    assert not tags & {"post", "page"}


@pytest.mark.parametrize("query", [{}, {"_embed": "1"}])
def test_a_write_to_one_post_shares_no_tag_with_the_answer_of_another(
    anyone: Client, editor: Client, admin: Client, query: dict[str, str]
) -> None:
    first, other = (make(editor, POSTS, title=title, status="publish") for title in "AB")
    answer = anyone.get(f"{POSTS}/{other['id']}", query=query)
    _, since = read_new_tags(admin, admin.get(FEED).json["next"])
    editor.post(f"{POSTS}/{first['id']}", {"title": "Changed", "content": "<p>New</p>"})
    editor.delete(f"{POSTS}/{first['id']}", query={"force": True})
    make(editor, POSTS, title="C", status="publish")
    tags, _ = read_new_tags(admin, since)
    assert {"post", f"post-{first['id']}"} <= tags
    assert not tags & read_tags(answer)


def test_a_draft_touches_no_list(anyone: Client, editor: Client, admin: Client) -> None:
    since = admin.get(FEED).json["next"]
    draft = make(editor, POSTS, title="A")
    editor.post(f"{POSTS}/{draft['id']}", {"title": "B"})
    tags, since = read_new_tags(admin, since)
    assert tags == {f"post-{draft['id']}"}
    editor.post(f"{POSTS}/{draft['id']}", {"status": "publish"})
    assert "post" in read_new_tags(admin, since)[0]


def test_a_new_translation_touches_the_answers_of_the_others(anyone: Client, editor: Client, site: Stand) -> None:
    post = make(editor, POSTS, title="A", status="publish")
    kept = anyone.get(f"{POSTS}/{post['id']}")
    since = anyone.get(FEED).json["next"]
    make(site.client("editor", "/it/cms-json"), POSTS, title="B", status="publish", translations={"en": post["id"]})
    assert anyone.get(f"{POSTS}/{post['id']}").json != kept.json
    assert f"post-{post['id']}" in read_new_tags(anyone, since)[0] & read_tags(kept)


def test_a_reader_of_one_language_hears_of_what_left_it(anyone: Client, editor: Client) -> None:
    post = make(editor, POSTS, title="A", status="publish")
    since = anyone.get(FEED).json["next"]
    assert editor.post(f"{POSTS}/{post['id']}", {"lang": "it"}).json["lang"] == "it"
    for language in ("en", "it"):
        entries = anyone.get(FEED, query={"since": since, "lang": language}).json["changes"]
        assert post["id"] in [entry["id"] for entry in entries]


def test_many_tags_become_the_kinds_that_have_most() -> None:
    items = {("post", id) for id in range(200)} | {("user", id) for id in range(20)}
    tags = build_cache_tags({"option"}, items)
    assert len(tags) <= MAX_TAGS
    assert tags[:2] == ("option", "post")
    assert "user-7" in tags


# -- random writes


class Kept:
    """Answers to visitors, in every language, as a cache has them."""

    def __init__(self, site: Stand, targets: list[str]) -> None:
        self.site, self.answers = site.site, {target: self.read(site.site, target) for target in targets}

    def read(self, site: Any, target: str, **headers: str) -> tuple[int, bytes, frozenset[str]]:
        status, pairs, content = exchange(site, "GET", target, headers=headers)
        tags = ",".join(value for name, value in pairs if name == "cache-tag").split(",")
        return status, content, frozenset(tags) - {""}

    def check(self, tags: set[str], what: str) -> int:
        """Fail where an answer changed without a tag; return how many changed."""
        changed = 0
        for target, (status, content, own) in self.answers.items():
            now = self.read(self.site, target, **AROUND_CACHE)
            assert self.read(self.site, target)[:2] == now[:2], f"{what}: {target} is stale in the server's cache"
            if now[:2] != (status, content):
                changed += 1
                # What is refused has no tags; nobody keeps it.
                assert status != 200 or own & tags, f"{what}: {target} has {sorted(own)}, the change {sorted(tags)}"
            self.answers[target] = now
        return changed


class Writer:
    """Random writes of every kind."""

    def __init__(self, site: Stand, seed: int) -> None:
        self.random = random.Random(seed)
        self.admin, self.italian = site.client("admin"), site.client("admin", "/it/cms-json")
        self.anyone = site.client()
        self.writes: list[Callable[[], Answer]] = [
            self.change_post, self.change_post, self.move_post, self.remove_post, self.add_post, self.translate_post,
            self.change_page, self.move_page, self.change_category, self.add_category, self.remove_category,
            self.rename_user, self.change_media, self.remove_media, self.comment, self.moderate, self.change_option,
            self.change_menu, self.pass_post_on,
        ]  # fmt: skip

    def pick(self, path: str, **query: Any) -> int:
        found = self.admin.get(path, query={"per_page": 50, "context": "edit", "_fields": "id", **query}).json
        return int(self.random.choice(found)["id"]) if found else 0

    def pick_post(self) -> int:
        return self.pick(POSTS, status="publish,draft", mlang_language=self.random.choice(["en", "it"]))

    def word(self) -> str:
        return f"w{self.random.randrange(10**6)}"

    def change_post(self) -> Answer:
        members: list[dict[str, Any]] = [
            {"title": self.word()}, {"content": f"<p>{self.word()}</p>"}, {"status": "draft"}, {"status": "publish"},
            {"status": "private"}, {"featured_media": self.pick(MEDIA)}, {"categories": [self.pick(CATEGORIES)]},
            {"slug": self.word()}, {"sticky": self.random.random() < 0.5}, {"excerpt": self.word()},
        ]  # fmt: skip
        return self.admin.post(f"{POSTS}/{self.pick_post()}", self.random.choice(members))

    def move_post(self) -> Answer:
        return self.admin.post(f"{POSTS}/{self.pick_post()}", {"lang": self.random.choice(["en", "it"])})

    def remove_post(self) -> Answer:
        return self.admin.delete(f"{POSTS}/{self.pick_post()}", query={"force": self.random.random() < 0.5})

    def add_post(self) -> Answer:
        members = {"title": self.word(), "status": self.random.choice(["publish", "draft"])}
        return self.admin.post(POSTS, {**members, "categories": [self.pick(CATEGORIES)]})

    def translate_post(self) -> Answer:
        of = self.pick(POSTS, mlang_language="en")
        return self.italian.post(POSTS, {"title": self.word(), "status": "publish", "translations": {"en": of}})

    def pass_post_on(self) -> Answer:
        return self.admin.post(f"{POSTS}/{self.pick_post()}", {"author": self.pick(USERS)})

    def change_page(self) -> Answer:
        members = self.random.choice([{"title": self.word()}, {"slug": self.word()}, {"status": "draft"},
                                      {"status": "publish"}])  # fmt: skip
        return self.admin.post(f"{PAGES}/{self.pick(PAGES, status='publish,draft')}", members)

    def move_page(self) -> Answer:
        return self.admin.post(f"{PAGES}/{self.pick(PAGES)}", {"parent": self.random.choice([0, self.pick(PAGES)])})

    def change_category(self) -> Answer:
        members: list[dict[str, Any]] = [
            {"name": self.word()},
            {"slug": self.word()},
            {"parent": self.pick(CATEGORIES)},
        ]
        return self.admin.post(f"{CATEGORIES}/{self.pick(CATEGORIES)}", self.random.choice(members))

    def add_category(self) -> Answer:
        client = self.random.choice([self.admin, self.italian])
        extra = {"translations": {"en": self.pick(CATEGORIES)}} if client is self.italian else {}
        return client.post(CATEGORIES, {"name": self.word(), **extra})

    def remove_category(self) -> Answer:
        return self.admin.delete(f"{CATEGORIES}/{self.pick(CATEGORIES)}", query={"force": True})

    def rename_user(self) -> Answer:
        return self.admin.post(f"{USERS}/{self.pick(USERS)}", {"name": self.word(), "description": self.word()})

    def change_media(self) -> Answer:
        members = self.random.choice([{"alt_text": self.word()}, {"title": self.word()}, {"post": self.pick_post()}])
        return self.admin.post(f"{MEDIA}/{self.pick(MEDIA)}", members)

    def remove_media(self) -> Answer:
        return self.admin.delete(f"{MEDIA}/{self.pick(MEDIA)}", query={"force": True})

    def comment(self) -> Answer:
        return self.admin.post(COMMENTS, {"post": self.pick(POSTS), "content": self.word()})

    def moderate(self) -> Answer:
        id = self.pick(COMMENTS, status="all")
        change = self.random.choice([{"status": "hold"}, {"status": "approved"}, {"content": self.word()}])
        if self.random.random() < 0.2:
            return self.admin.delete(f"{COMMENTS}/{id}", query={"force": True})
        return self.admin.post(f"{COMMENTS}/{id}", change)

    def change_option(self) -> Answer:
        members = self.random.choice([{"title": self.word()}, {"description": self.word()}, {"posts_per_page": 3}])
        return self.admin.post("/cms/v2/settings", members)

    def change_menu(self) -> Answer:
        return self.admin.post("/cms/v2/menu-items", {"title": self.word(), "url": "https://example.org/"})


def fill(site: Stand) -> list[str]:
    """Fill a site with a little of everything, and return the targets of answers that show it."""
    admin, italian = site.client("admin"), site.client("admin", "/it/cms-json")
    editor = site.client("editor")
    images = [upload(admin, "one.jpg"), upload(editor, "two.jpg")]
    top = make(admin, CATEGORIES, name="Food")["id"]
    inner = make(admin, CATEGORIES, name="Bread", parent=top)["id"]
    tag = make(admin, TAGS, name="Warm")["id"]
    picture_block = f'<img class="wp-image-{images[1]}" src="http://vetrina.test/x.jpg" width="40" height="30">'
    posts = [
        make(admin, POSTS, title="One", status="publish", categories=[inner], tags=[tag], featured_media=images[0]),
        make(editor, POSTS, title="Two", status="publish", content=f"<p>{picture_block}</p>"),
        make(admin, POSTS, title="Three", status="publish", content="<!-- wp:latest-posts /-->"),
    ]
    there = make(italian, POSTS, title="Uno", status="publish", translations={"en": posts[0]["id"]})
    parent = make(admin, PAGES, title="Top", status="publish")
    child = make(admin, PAGES, title="Below", status="publish", parent=parent["id"], content="<!-- wp:page-list /-->")
    comment = make(admin, COMMENTS, post=posts[1]["id"], content="Good")
    records = [
        *(f"{POSTS}/{one['id']}" for one in (*posts, there)),
        *(f"{PAGES}/{one['id']}" for one in (parent, child)),
    ]
    paths = [
        *records, *(f"{path}?_embed" for path in records), POSTS, f"{POSTS}?_embed", f"{POSTS}?categories={top}",
        f"{POSTS}?search=two", PAGES, CATEGORIES, f"{CATEGORIES}/{inner}", f"{CATEGORIES}?post={posts[0]['id']}",
        f"{TAGS}/{tag}", USERS, f"{USERS}/1", f"{USERS}/2", MEDIA, *(f"{MEDIA}/{one}" for one in images), COMMENTS,
        f"{COMMENTS}/{comment['id']}", f"{COMMENTS}?post={posts[1]['id']}", "/", "/cms/v2/search?search=o",
    ]  # fmt: skip
    pages = [re.sub("^https?://[^/]*", "", one["link"]) for one in (*posts, there, parent, child)]
    return [
        *(f"/{language}/cms-json{path}" for language in ("en", "it") for path in paths),
        *pages, *(f"{page}embed/" for page in pages[:2]), *(f"{page}feed/" for page in pages[:2]), "/en/", "/it/",
        "/en/feed/", "/en/feed/atom/", "/en/comments/feed/", "/sitemap.xml",
    ]  # fmt: skip


@pytest.mark.parametrize("seed", range(2))
def test_every_answer_that_a_write_changed_shares_a_tag_with_it(site: Stand, seed: int) -> None:
    kept = Kept(site, fill(site))
    writer = Writer(site, seed)
    since, changed = writer.admin.get(FEED).json["next"], 0
    for _ in range(40):
        write = writer.random.choice(writer.writes)
        answer = write()
        assert answer.status < 500, (write.__name__, answer.json)
        tags, since = read_new_tags(writer.admin, since)
        changed += kept.check(tags, f"{write.__name__} {answer.status}")
    assert changed > 100, "the writes must change answers"

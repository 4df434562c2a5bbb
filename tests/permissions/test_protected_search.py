"""Password-protected content is found by its title only, unless the caller may edit it; file URLs are not disclosed."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Client, Stand

WORD = "zuccherino"
BASES = ("posts", "pages", "blocks", "navigation", "intervento")
READERS = ("", "subscriber", "contributor", "author")
TEXT = {"content-type": "text/plain", "content-disposition": 'attachment; filename="a.txt"'}


@pytest.fixture
def protected(admin: Client) -> dict[str, int]:
    """A protected record of every type, with a word in every protected field."""
    out = {}
    for base in BASES:
        body = {"title": f"titolo {base}", "content": WORD, "excerpt": f"{WORD} in short", "status": "publish"}
        out[base] = admin.post(f"/cms/v2/{base}", {**body, "password": "apriti"}).json["id"]
    return out


def found(client: Client, path: str, search: str, **query: Any) -> tuple[list[int], str]:
    answer = client.get(path, query={"search": search, **query})
    if answer.status != 200:
        assert answer.status in (400, 401, 403)
        return [], "0"
    return [one["id"] for one in answer.json], answer.headers["x-cms-total"]


@pytest.mark.parametrize("login", READERS)
def test_a_protected_text_is_not_found_by_what_it_says(site: Stand, protected: dict[str, int], login: str) -> None:
    client = site.client(login)
    for base in BASES:
        for path in (f"/cms/v2/{base}", "/cms/v2/search"):
            assert found(client, path, WORD) == ([], "0")
            assert found(client, path, f'"{WORD} in short"') == ([], "0")
            if login and found(client, path, "titolo")[1] != "0":
                # Nor by a search for what it does not contain.
                assert found(client, path, f"titolo -{WORD}") == found(client, path, "titolo")
        for words in ({"search_columns": "post_content"}, {"search_columns": "post_excerpt,post_content"},
                      {"search_semantics": "exact"}, {"orderby": "relevance"}):  # fmt: skip
            assert found(client, f"/cms/v2/{base}", WORD, **words) == ([], "0")


@pytest.mark.parametrize("login", ["editor", "admin"])
def test_who_may_edit_a_protected_text_finds_it(site: Stand, protected: dict[str, int], login: str) -> None:
    for base in ("posts", "pages", "blocks"):
        assert found(site.client(login), f"/cms/v2/{base}", WORD) == ([protected[base]], "1")
    numbers, total = found(site.client(login), "/cms/v2/search", WORD)
    assert {protected["posts"], protected["pages"]} <= set(numbers)
    assert total == str(len(numbers))


def test_an_author_finds_his_own_protected_text(site: Stand, author: Client) -> None:
    mine = author.post("/cms/v2/posts", {"title": "x", "content": WORD, "status": "publish", "password": "p"}).json[
        "id"
    ]
    assert found(author, "/cms/v2/posts", WORD) == ([mine], "1")
    assert found(site.client("contributor"), "/cms/v2/posts", WORD) == ([], "0")


def test_comments_on_a_protected_text_are_not_found(site: Stand, admin: Client, protected: dict[str, int]) -> None:
    said = {"post": protected["posts"], "content": f"about {WORD}"}
    assert admin.post("/cms/v2/comments", said).status == 201
    for login in READERS:
        assert found(site.client(login), "/cms/v2/comments", WORD) == ([], "0")
    assert found(admin, "/cms/v2/comments", WORD)[1] == "1"


# -- what one record tells of another that it names


@pytest.fixture
def private(admin: Client) -> dict[str, Any]:
    answer = admin.post("/cms/v2/posts", {"title": "x", "slug": "segretissimo", "status": "private"})
    assert answer.json["slug"] == "segretissimo"
    return dict(answer.json)


def test_a_file_is_hung_only_on_what_its_owner_may_change(author: Client, private: dict[str, Any]) -> None:
    file = author.post("/cms/v2/media", body=b"text", headers=TEXT).json["id"]
    answers = [author.post(f"/cms/v2/media/{file}", {"post": private["id"]}),
               author.put(f"/cms/v2/media/{file}", {"post": private["id"], "title": "y"}),
               author.post("/batch/v1", {"requests": [{"path": f"/cms/v2/media/{file}",
                                                       "body": {"post": private["id"]}}]}),
               author.get(f"/cms/v2/media/{file}", query={"context": "edit"})]  # fmt: skip
    assert all(b"segretissimo" not in answer.content for answer in answers)
    assert (answers[0].status, answers[0].code) == (403, "rest_cannot_edit")
    own = author.post("/cms/v2/posts", {"title": "Own", "status": "publish"}).json["id"]
    assert author.post(f"/cms/v2/media/{file}", {"post": own}).json["post"] == own


def test_a_file_does_not_tell_the_name_of_what_others_hung_it_on(
    admin: Client, author: Client, private: dict[str, Any]
) -> None:
    file = author.post("/cms/v2/media", body=b"text", headers=TEXT).json["id"]
    assert "segretissimo" in admin.post(f"/cms/v2/media/{file}", {"post": private["id"]}).json["link"]
    for context in ("view", "edit", "embed"):
        answer = author.get(f"/cms/v2/media/{file}", query={"context": context, "_embed": 1})
        assert answer.status == 200
        assert b"segretissimo" not in answer.content
    # An unchanged value requires no right.
    assert author.post(f"/cms/v2/media/{file}", {"title": "New", "post": private["id"]}).status == 200


def test_a_comment_is_moved_only_to_what_its_moderator_may_read(author: Client, private: dict[str, Any]) -> None:
    own = author.post("/cms/v2/posts", {"title": "Own", "status": "publish"}).json["id"]
    said = author.post("/cms/v2/comments", {"post": own, "content": "x"}).json["id"]
    answer = author.post(f"/cms/v2/comments/{said}", {"post": private["id"]})
    assert (answer.status, answer.code) == (403, "rest_comment_invalid_post_id")
    assert b"segretissimo" not in author.get(f"/cms/v2/comments/{said}").content


def test_no_image_of_others_that_is_hidden_stands_for_a_record(site: Stand, admin: Client, author: Client) -> None:
    from pictures import picture

    kind = {"content-type": "image/jpeg", "content-disposition": 'attachment; filename="segretissima.jpg"'}
    image = admin.post("/cms/v2/media", body=picture(64, 64), headers=kind).json["id"]
    assert admin.post(f"/cms/v2/media/{image}", {"status": "private"}).json["status"] == "private"
    answer = author.post("/cms/v2/posts", {"title": "x", "status": "publish", "featured_media": image})
    assert (answer.status, answer.json["featured_media"]) == (201, 0)
    assert admin.post("/cms/v2/posts", {"title": "x", "featured_media": image}).json["featured_media"] == image

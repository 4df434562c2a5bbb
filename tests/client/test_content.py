"""Content by the client, in both dialects: records, lists, files, languages, revisions."""

from __future__ import annotations

from pathlib import Path

import pytest

from vetrina.client import Client, NotFound
from vetrina.testing import LocalTestServer


def test_a_record_is_made_read_changed_trashed_and_removed(client: Client) -> None:
    made = client.posts.create(title="Harbour", status="publish", content="<p>Boats</p>")
    assert client.posts.get(made["id"])["title"]["rendered"] == "Harbour"
    assert client.posts.update(made["id"], title="Port")["title"]["raw"] == "Port"
    assert client.posts.trash(made["id"])["status"] == "trash"
    assert client.posts.delete(made["id"])["id"] == made["id"]
    with pytest.raises(NotFound) as caught:
        client.posts.get(made["id"])
    assert (caught.value.status, caught.value.code) == (404, "rest_post_invalid_id")


def test_a_list_gives_every_record_once_and_reads_no_page_too_many(client: Client) -> None:
    titles = [client.tags.create(name=f"Tag {number:02}")["name"] for number in range(7)]
    listing = client.tags.list(per_page=3, orderby="name")
    assert [tag["name"] for tag in listing] == titles
    second = listing.page(2)
    assert (second.total, second.pages, second.number, len(second.items)) == (7, 3, 2, 3)
    assert client.tags.list(per_page=7).page().pages == 1
    with pytest.raises(ValueError, match=r"page\(2\)"):
        client.tags.list(page=2)


def test_a_list_that_shrinks_while_it_is_read_ends(client: Client) -> None:
    posts = [client.posts.create(title=f"Post {number}", status="publish") for number in range(4)]
    reading = iter(client.posts.list(per_page=2))
    assert [next(reading)["id"], next(reading)["id"]] == [posts[3]["id"], posts[2]["id"]]
    for post in posts[:3]:
        client.posts.delete(post["id"])
    assert list(reading) == []


def test_fields_context_and_embed_choose_what_is_answered(client: Client) -> None:
    made = client.posts.create(title="Harbour", status="publish")
    assert client.posts.get(made["id"], fields=["id", "title.rendered"]) == {
        "id": made["id"], "title": {"rendered": "Harbour"},
    }  # fmt: skip
    assert client.posts.get(made["id"], context="edit")["title"]["raw"] == "Harbour"
    [embedded] = client.posts.get(made["id"], embed=["author"])["_embedded"]["author"]
    assert embedded["name"] == "Administrator"


def test_a_file_goes_as_a_part_of_a_form_or_as_the_body(client: Client, tmp_path: Path) -> None:
    path = tmp_path / "caffè nero.txt"
    path.write_bytes(b"one and two")
    parted = client.media.upload(path, title="A cup")
    assert (parted["title"]["raw"], parted["mime_type"]) == ("A cup", "text/plain")
    assert parted["source_url"].endswith("/caffe-nero.txt")
    whole = client.media.upload(b"three", "caffè lungo.txt", raw=True, title="Another")
    assert whole["title"]["raw"] == "Another"
    assert whole["source_url"].endswith("/caffe-lungo.txt")
    with pytest.raises(ValueError, match="what the file is called"):
        client.media.upload(b"four")


def test_a_record_knows_its_revisions(client: Client) -> None:
    made = client.pages.create(title="One", content="first")
    client.pages.update(made["id"], content="second")
    client.pages.update(made["id"], content="third")
    found = client.pages.revisions(made["id"]).list(context="edit").all()
    assert [revision["content"]["raw"] for revision in found] == ["third", "second"]
    client.pages.revisions(made["id"]).delete(found[1]["id"])
    assert len(client.pages.revisions(made["id"]).list().all()) == 1


def test_a_language_is_chosen_for_a_call_or_for_a_client(client: Client, site: LocalTestServer) -> None:
    english = client.posts.create(title="Boats", status="publish")
    italian = client.posts.create(title="Barche", status="publish", lang="it", translations={"en": english["id"]})
    assert italian["translations"]["en"]["id"] == english["id"]
    assert [post["id"] for post in client.posts.list(language="it")] == [italian["id"]]
    reader = site.client(None, language="it")
    assert [post["id"] for post in reader.posts.list()] == [italian["id"]]
    assert [post["id"] for post in reader.posts.list(language="en")] == [english["id"]]


def test_translation_jobs_are_sent_and_listed(client: Client) -> None:
    posts = [client.posts.create(title=f"Post {number}", status="publish") for number in range(3)]
    items = [{"type": "post_post", "id": post["id"]} for post in posts]
    made = client.translations.send(items, ["it"])
    assert sorted(job["id"] for job in client.translations.jobs()) == sorted(job["id"] for job in made)
    assert client.translations.jobs(source_language="it").all() == []


def test_what_has_no_name_here_is_reached_by_its_path(client: Client) -> None:
    types = client.collection("/cms/v2/types")
    assert {"post", "page"} <= {kind["slug"] for kind in types.list()}
    assert types.get("post")["rest_base"] == "posts"
    assert client.ask("GET", "/cms/v2/posts", query={"include": [1, 2]}) == []
    assert client.ask("GET", "/shop-admin/features")
    with pytest.raises(ValueError, match="more than a path"):
        client.ask("GET", "/cms/v2/posts?page=2")


def test_a_template_is_named_by_a_path_of_its_own(client: Client) -> None:
    template = client.collection("/cms/v2/templates").list().page().items[0]
    assert "//" in template["id"]
    assert client.collection("/cms/v2/templates").get(template["id"])["slug"] == template["slug"]


def test_the_site_says_who_calls_what_it_is_and_what_it_has(client: Client, site: LocalTestServer) -> None:
    assert client.me()["roles"] == ["administrator"]
    assert client.change_settings(title="Quay")["title"] == "Quay"
    assert client.settings()["title"] == "Quay"
    assert client.index()["name"] == "Quay"
    made = client.posts.create(title="Lighthouse", status="publish")
    assert [found["id"] for found in client.search("lighthouse")] == [made["id"]]
    assert site.client(None).index()["name"] == "Quay"

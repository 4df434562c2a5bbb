"""Batches by the client: split by the site's limit, with a result for every part."""

from __future__ import annotations

import pytest

from vetrina.client import BatchFailed, Client, InvalidParameters, NotRun


def test_more_than_the_site_takes_at_once_goes_in_several_requests(client: Client) -> None:
    with client.batch() as batch:
        tags = batch.of(client.tags)
        parts = [tags.create(name=f"Tag {number:02}") for number in range(60)]
        assert isinstance(parts[0].error, NotRun)
    assert [part.value["name"] for part in parts] == [f"Tag {number:02}" for number in range(60)]
    assert client.tags.list().page().total == 60


def test_parts_change_trash_and_remove(client: Client) -> None:
    posts = [client.posts.create(title=f"Post {number}") for number in range(3)]
    with client.batch() as batch:
        writes = batch.of(client.posts)
        changed = writes.update(posts[0]["id"], title="Changed")
        trashed = writes.trash(posts[1]["id"])
        removed = writes.delete(posts[2]["id"])
        plain = batch.add("POST", "/cms/v2/categories", {"name": "Harbours"})
    assert changed.value["title"]["raw"] == "Changed"
    assert trashed.value["status"] == "trash"
    assert removed.value["id"] == posts[2]["id"]
    assert plain.value["name"] == "Harbours"


def test_a_refused_part_is_told_at_the_end_and_the_others_are_kept(client: Client) -> None:
    batch = client.batch()
    tags = batch.of(client.tags)
    good, bad = tags.create(name="Good"), tags.create(slug="nameless")
    with pytest.raises(BatchFailed) as caught, batch:
        pass
    assert good.value["name"] == "Good"
    with pytest.raises(InvalidParameters) as refused:
        _ = bad.value
    assert refused.value.params == {"name": "missing"}
    assert caught.value.errors == (refused.value,)


def test_errors_may_be_left_to_the_parts(client: Client) -> None:
    with client.batch(keep_errors=True) as batch:
        bad = batch.of(client.tags).create(slug="nameless")
    assert isinstance(bad.error, InvalidParameters)


def test_all_or_none_runs_nothing_where_a_part_cannot_be_valid(client: Client) -> None:
    with client.batch(all_or_none=True, keep_errors=True) as batch:
        posts = batch.of(client.posts)
        good, bad = posts.create(title="Good"), posts.create(status="nonsense")
    assert isinstance(good.error, NotRun)
    assert isinstance(bad.error, InvalidParameters)
    assert client.posts.list(status="any").all() == []
    batch = client.batch(all_or_none=True)
    for number in range(26):
        batch.of(client.tags).create(name=f"Tag {number}")
    with pytest.raises(ValueError, match="takes 25 at once"), batch:
        pass
    assert client.tags.list().all() == []


def test_a_block_that_raises_sends_nothing(client: Client) -> None:
    batch = client.batch()
    batch.of(client.tags).create(name="Never")
    with pytest.raises(LookupError), batch:
        raise LookupError
    assert client.tags.list().all() == []

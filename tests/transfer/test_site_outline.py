"""What is read from an index, and the order of records under others."""

from __future__ import annotations

from hypothesis import given
from hypothesis.strategies import integers, lists

from vetrina.transfer.records import Record
from vetrina.transfer.sources.address.answer_text import decode_answer
from vetrina.transfer.sources.address.parents_first import order_parents_first
from vetrina.transfer.sources.address.site_outline import SiteOutline, write_template


def test_named_groups_are_places_whatever_they_match() -> None:
    assert write_template(r"/cms/v2/posts/(?P<parent>[\d]+)/revisions/(?P<id>[\d]+)") == "/cms/v2/posts/{}/revisions/{}"
    nested = r'/cms/v2/templates/(?P<id>([^\/:<>\*\?"\|]+(?:\/[^\/:<>\*\?"\|)(]+)?)[\/\w%-]+)/autosaves'
    assert write_template(nested) == "/cms/v2/templates/{}/autosaves"
    assert write_template("/cms/v2/posts") == "/cms/v2/posts"


def test_the_language_of_the_home_comes_first() -> None:
    arguments = {"mlang_language": {"enum": ["en", "it"]}}
    routes = {"/cms/v2/posts": {"endpoints": [{"methods": ["GET"], "args": arguments}]}}
    outline = SiteOutline({"home": "https://old.example/it", "routes": routes})
    assert (outline.language_parameter, outline.languages) == ("mlang_language", ("it", "en"))
    assert SiteOutline({}).languages == ()


def test_json_is_found_behind_what_the_server_printed() -> None:
    assert decode_answer(b"\xef\xbb\xbf[1]") == [1]
    assert decode_answer(b'<b>Notice</b>: {early} [x]\n{"a": [1, {"b": 2}]}\n') == {"a": [1, {"b": 2}]}
    assert decode_answer(b"<html>no {json} here</html>") is None


@given(lists(integers(0, 12), max_size=12))
def test_each_record_is_given_once_and_after_its_parent(parents: list[int]) -> None:
    records = [Record("/cms/v2/pages", id, {"parent": parent}) for id, parent in enumerate(parents, 1)]
    given_ids = [record.id for record in order_parents_first(records)]
    assert sorted(map(int, given_ids)) == [*range(1, len(parents) + 1)]
    place = {id: at for at, id in enumerate(given_ids)}
    for id, parent in enumerate(parents, 1):
        if parent in place and not _is_in_circle(id, parents):
            assert parent == id or place[parent] < place[id]


def _is_in_circle(id: int, parents: list[int]) -> bool:
    """Say whether a record, or one above it, is above itself."""
    seen: set[int] = set()
    while 0 < id <= len(parents):
        if id in seen:
            return True
        seen.add(id)
        id = parents[id - 1]
    return False

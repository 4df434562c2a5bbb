"""Large collections are translated as bytes, with the same result as walking over the values."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from hypothesis import example, given
from hypothesis.strategies import booleans, dictionaries, lists, none, recursive, sampled_from, text

from conftest import Client, Stand
from vetrina.rest.call import Request
from vetrina.rest.dialects.dialect import Dialect
from vetrina.rest.dialects.json_bytes import EncodedTranslator
from vetrina.rest.dialects.name_positions import AUTHORED_MEMBERS

ROOT = "http://vetrina.test/en/wp-json"
VOCABULARY = '"cms" "_cms" "ext" "_ext" "cms_block" "cms_pattern_category"'
SPOKEN = [
    "cms_block", "cms:term", "_ext_changed", "ext-disabled", "cms", "type", "status", "slug", "id", "code", "cms/v2",
    f"{ROOT}/cms/v2/posts/5", f"{ROOT}/cms/v2/types/cms_block", f"{ROOT}/cms/v2/blocks?cms_pattern_category=1",
    "taxonomies",
    f"{ROOT}/cms/v2/cms_pattern_category/4", 'a "cms_block": b', "_cms_note_status", "cms_", "name", "href", "meta",
    "https://api.cms.example/{rel}", "x/cms_block", "text",
]  # fmt: skip
WORDS = sampled_from(SPOKEN) | text(max_size=3)
KEYS = sampled_from([word for word in SPOKEN if not word.startswith("http") and '"' not in word])


def values() -> Any:
    return recursive(
        none() | booleans() | WORDS, lambda inside: lists(inside, max_size=3) | dictionaries(KEYS, inside, max_size=4)
    )


def dialect(stand: Stand) -> Dialect:
    found = stand.site.dialects[1]
    assert found is not None
    return found


@pytest.fixture(scope="module")
def turned(tmp_path_factory: pytest.TempPathFactory) -> Any:
    import msgspec

    from conftest import made
    from vetrina.settings import load_profile

    profile = msgspec.structs.replace(load_profile("first"), dialects=("neutral", "wordpress"))
    site = made(tmp_path_factory.mktemp("site"), profile)
    yield site.dialects[1]
    site.close()


@given(lists(dictionaries(KEYS, values(), max_size=5), min_size=1, max_size=3))
@example([{"type": "cms_block", "_links": {"cms:term": [{"taxonomy": "cms_pattern_category", "href": ROOT}]}}])
@example([{"taxonomies": ["cms_block"]}])
@example([{"type": f"{ROOT}/cms/v2/posts/5"}])
@example([{"type": "https://api.cms.example/{rel}"}])
def test_bytes_and_values_agree(turned: Dialect, body: list[dict[str, Any]]) -> None:
    request = Request("GET", "/cms/v2/posts", ROOT)
    encoder = EncodedTranslator(turned.names, "wp-json", VOCABULARY, ["cms/v2"], ["/cms/v2/types/"])
    found = encoder(orjson.dumps(body))
    if found is not None:
        assert orjson.loads(found) == orjson.loads(orjson.dumps(turned.translate_body(request, body)))


def test_collections_are_turned_in_their_bytes(both: Stand, admin: Client, foreign: Client) -> None:
    """None of the usual collections falls back."""
    for base, body in (
        ("posts", {"title": "x"}), ("pages", {"title": "x"}), ("blocks", {"title": "x", "content": "y"}),
        ("categories", {"name": "x"}), ("media", None), ("users", None),
        ("comments", None), ("navigation", {"title": "x", "content": "y"}),
    ):  # fmt: skip
        if body is not None:
            state = {"status": "publish"} if "title" in body else {}
            assert admin.post(f"/cms/v2/{base}", body | state).status == 201
        place = both.site.table.endpoints[f"/cms/v2/{base}"]
        neutral = admin.get(f"/cms/v2/{base}?context=edit")
        content = neutral.content.replace(b"/cms-json/", b"/wp-json/")
        encoder = dialect(both)._build_encoder(place.routes[0])
        assert encoder is not None
        found = encoder(content)
        assert found is not None, base
        request = Request("GET", f"/cms/v2/{base}", ROOT)
        assert orjson.loads(found) == dialect(both).translate_body(request, orjson.loads(content))
        assert foreign.get(dialect(both).names.path(f"/cms/v2/{base}") + "?context=edit").json == orjson.loads(found)


def test_what_people_write_is_not_among_the_members_whose_text_is_a_name() -> None:
    from vetrina.rest.dialects.name_positions import NAME_MEMBERS

    assert not AUTHORED_MEMBERS & NAME_MEMBERS


def test_capabilities_and_keys_in_addresses_are_turned_in_bytes_as_in_values(turned: Dialect) -> None:
    body = [{
        "capabilities": {"manage_shop": True, "view_shop_reports": True},
        "payment_url": "http://vetrina.test/en/checkout/order-pay/7/?key=shop_order_e5lC2GdqJbNMi",
    }]  # fmt: skip
    encoder = EncodedTranslator(turned.names, "wp-json", '"capabilities" "payment_url"', ["cms/v2"], [])
    assert encoder(orjson.dumps(body)) is None
    del body[0]["capabilities"]
    found = encoder(orjson.dumps(body))
    assert found is not None
    assert orjson.loads(found) == turned.translate_body(Request("GET", "/cms/v2/posts", ROOT), body)

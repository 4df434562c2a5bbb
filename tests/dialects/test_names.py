"""Name translation: every pair in both directions, each name reversible."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis.strategies import lists, sampled_from, text

from vetrina.rest.dialects.names import DialectNames, load_name_pairs
from vetrina.settings import SettingsError

PAIRS = load_name_pairs("wordpress")
NAMES = DialectNames(PAIRS)
BEGINNINGS = [side for pair in PAIRS.prefixes.items() for side in pair] + ["", "_", "x_"]
# Two neutral names have one counterpart; it maps back to the parameter.
SHARED = {"is_shoppay_subscriptions_enabled"}


@pytest.mark.parametrize("kind", ["namespaces", "path_segments", "parameters", "values", "words", "meta"])
def test_every_pair_is_read_both_ways(kind: str) -> None:
    for one, other in getattr(PAIRS, kind).items():
        assert NAMES.word(one) == other
        assert NAMES.word(other) == one or one in SHARED


@given(sampled_from(BEGINNINGS), text(max_size=20))
@example("woocommerce_", "version")
@example("woocommerce_", "order_abcdefghijklm")
@example("shop_", "order")
def test_a_name_finds_back(beginning: str, rest: str) -> None:
    name = beginning + rest
    if name not in SHARED:
        assert NAMES.word(NAMES.word(name)) == name


SEGMENTS = ["cms", "wp", "shop", "wc", "mlang", "v1", "v2", "v3", "cms_pattern_category", "x_y", "(?P<id>[\\d]+)", ""]


@given(lists(sampled_from(SEGMENTS), max_size=5).map("/".join).map("/{}".format))
def test_a_path_finds_back(path: str) -> None:
    assert NAMES.path(NAMES.path(path)) == path
    assert NAMES.pattern(NAMES.pattern(path)) == path


@pytest.mark.parametrize(
    ("neutral", "other"),
    [
        ("cms:action-assign-cms_pattern_category", "wp:action-assign-wp_pattern_category"),
        ("shop_rest_cannot_view", "woocommerce_rest_cannot_view"),
        ("shop_order", "shop_order"),
        ("shop_order_2YJXT17AEGS8l", "wc_order_2YJXT17AEGS8l"),
        ("https://api.cms.example/term", "https://api.w.org/term"),
        ("_cms_trash_meta_status", "_wp_trash_meta_status"),
        ("rest_invalid_param", "rest_invalid_param"),
        ("wp_id", "wp_id"),
    ],
)
def test_a_word_has_its_counterpart(neutral: str, other: str) -> None:
    assert NAMES.word(neutral) == other


@pytest.mark.parametrize(
    ("neutral", "other"),
    [
        ("/cms/v2/posts/5", "/wp/v2/posts/5"),
        ("/cms/v2/cms_pattern_category/5", "/wp/v2/wp_pattern_category/5"),
        ("/shop/store/v1/cart", "/wc/store/v1/cart"),
        ("/payments/shoppay/x", "/payments/woopay/x"),
        ("/oembed/1.0/embed", "/oembed/1.0/embed"),
        ("/cmsx/v2", "/cmsx/v2"),
    ],
)
def test_a_path_has_its_counterpart(neutral: str, other: str) -> None:
    assert NAMES.path(neutral) == other


def test_a_plugin_has_its_counterpart() -> None:
    assert NAMES.translate_plugin("shop/shop.php") == "woocommerce/woocommerce.php"
    assert NAMES.translate_plugin("hello.php") == "hello.php"


def test_an_unknown_dialect_is_told() -> None:
    with pytest.raises(SettingsError, match="known: neutral, wordpress"):
        load_name_pairs("klingon")

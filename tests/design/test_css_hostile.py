"""Any JSON is a sheet: nothing raises, brackets are in pairs, nothing is imported and no other host is asked."""

from __future__ import annotations

import re
from typing import Any

from hypothesis import example, given, settings, strategies as st

from css_reader import read_sheet
from vetrina.design.styles.css.addresses import AddressPolicy
from vetrina.design.styles.css.stylesheet import generate_css

POLICY = AddressPolicy(("https://site.test",), "https://site.test/themes/x/")

_HOSTILE = st.sampled_from([
    "red", "}", "{", "a{b:c}", "@import url(//e.test);", "</style><script>", "url(https://e.test/x)", "/*", "'", "\\",
    "var:preset|color|x", "var:preset|}|{", "var:preset|color|x;} a{", "rgb(1,2,3)", "50%", "1e999", "#fff", "\ud800",
    "&{}", "image-set('//e.test' 1x)", "2rem", "clamp(1px,2vw,3px)", "unset", "file:./../x", "--x:{", "1" * 400,
])  # fmt: skip
_LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), _HOSTILE, st.text(max_size=8),
    st.just({"ref": "styles.color"}), st.just({"ref": "styles.color.text"}), st.just({"ref": 5}),
)  # fmt: skip
_WORDS = re.split(
    " ",
    "color typography spacing border shadow outline dimensions background filter palette gradients duotone fontSizes"
    " fontFamilies fontFace src slug size color colors gradient presets spacingSizes spacingScale steps mediumStep"
    " increment operator unit layout contentSize wideSize fluid min max custom blocks elements variations css link h1"
    " button :hover text blockGap padding margin top left radius topLeft backgroundImage url theme default custom ref"
    " core/button core/image core/group core/paragraph appearanceTools useRootPaddingAwareAlignments fontFamily } a{b",
)
_VALUES = st.recursive(
    _LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(_WORDS), inner, max_size=4)
    ),
    max_leaves=24,
)  # fmt: skip


def _under(*names: str) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional=dict.fromkeys(names, _VALUES))


_TREES = st.fixed_dictionaries(
    {},
    optional={
        "settings": st.one_of(
            _VALUES, _under("color", "typography", "spacing", "layout", "custom", "blocks", "shadow")
        ),
        "styles": st.one_of(_VALUES, _under("color", "typography", "elements", "blocks", "css", "spacing", "border")),
    },
)


@settings(max_examples=100)
@given(theme=_TREES, owner=_TREES)
@example(theme={"settings": {"color": {"palette": [{"slug": "a}b", "color": "red;}x{"}]}}}, owner={})
@example(
    theme={"settings": {"color": {"duotone": [{"slug": "x", "colors": ["hsl(" + "9" * 400 + ",1%,1%)"]}]}}}, owner={}
)
@example(theme={}, owner={"settings": {"typography": {"fluid": True, "fontSizes": [{"slug": "x", "size": 10**400}]}}})
@example(theme={}, owner={"styles": {"blocks": {"core/group": {"variations": {"x}": {"css": "}"}}}}}})
def test_any_json_is_a_whole_sheet(theme, owner):
    text = generate_css(theme, owner, POLICY)
    read_sheet(text.encode().decode())
    assert "</" not in text
    assert "@import" not in text
    assert not [
        part for part in text.split('url("')[1:] if part.startswith(("//", "http")) and "site.test" not in part[:20]
    ]


def test_settings_that_are_nested_without_end():
    deep: Any = {}
    for _ in range(900):
        deep = {"blocks": {"core/group": deep}, "custom": {"a": deep}}
        if len(str(deep)) > 200_000:
            break
    chain: Any = "red"
    for _ in range(900):
        chain = {"a": chain}
    for tree in ({"settings": deep, "styles": deep}, {"settings": {"custom": chain}, "styles": chain}):
        read_sheet(generate_css(tree, tree, POLICY))

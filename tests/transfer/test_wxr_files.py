"""What is taken for an export file, and what is not."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given, strategies as st

from vetrina.transfer.records import SourceError
from vetrina.transfer.sources.wxr.php_values import read_php_value
from vetrina.transfer.sources.wxr.source import ExportFileSource

from .export_files import ExportFile

TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs"), exclude_characters="\ufffe\uffff"))


def read_posts(path: Path) -> list[dict[str, object]]:
    return [record.values for record in ExportFileSource(path).read_records("/cms/v2/posts")]


def refuse(path: Path, text: str | bytes) -> str:
    """Return the message by which a file is refused."""
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(SourceError) as caught:
        ExportFileSource(path).describe()
    return str(caught.value)


@given(title=TEXTS, content=TEXTS, tag=TEXTS)
@example("]]>", "<!-- wp:x --> & ü 🎈", "a\u2028b")
def test_any_text_comes_through(tmp_path_factory: pytest.TempPathFactory, title: str, content: str, tag: str) -> None:
    file = ExportFile()
    file.item(1, "First", "x")
    file.item(2, title, content, meta={"key": tag})
    file.item(3, "Last", "z")
    values = read_posts(file.write(tmp_path_factory.getbasetemp()))
    assert [one["title"] for one in values] == [{"raw": "First"}, {"raw": title}, {"raw": "Last"}]
    assert values[1]["content"] == {"raw": content}
    assert values[1]["meta"] == {"key": tag}


def test_other_encodings_are_read(tmp_path: Path) -> None:
    file = ExportFile()
    file.item(1, "Über", "Straße")
    path = tmp_path / "latin.xml"
    path.write_bytes(file.text("ISO-8859-1").encode("latin-1"))
    assert read_posts(path)[0]["title"] == {"raw": "Über"}
    assert "utf-16" in refuse(path, file.text("UTF-16").encode("utf-8"))


def test_a_broken_file_is_refused_with_the_line(tmp_path: Path) -> None:
    file = ExportFile()
    file.item(1, "One", "x")
    text = file.text()
    line = text[: text.index("<item>")].count("\n") + 1
    assert f"line {line}:" in refuse(tmp_path / "a.xml", text.replace("</title><link>https://old.example/?", "<link>"))
    assert f"line {line}:" in refuse(tmp_path / "a.xml", text[: text.index("</item>")])
    assert "line 1: " in refuse(tmp_path / "a.xml", "no XML at all")
    assert "is XML" not in refuse(tmp_path / "a.xml", "<html/>")
    assert "begins with <html>" in refuse(tmp_path / "a.xml", "<html/>")
    assert "no export file" in refuse(tmp_path / "a.xml", "<rss><channel><title>x</title></channel></rss>")


def test_entities_of_its_own_are_refused(tmp_path: Path) -> None:
    lol = "".join(f'<!ENTITY l{at} "{f"&l{at - 1};" * 10}">' for at in range(1, 10))
    text = ExportFile().text().replace("<rss", f'<!DOCTYPE rss [<!ENTITY l0 "lol">{lol}]>\n<rss', 1)
    assert "document type" in refuse(tmp_path / "a.xml", text)
    outside = ExportFile().text().replace("<rss", '<!DOCTYPE rss SYSTEM "file:///etc/passwd">\n<rss', 1)
    assert "document type" in refuse(tmp_path / "a.xml", outside)


def test_deep_nesting_is_refused(tmp_path: Path) -> None:
    text = ExportFile().text().replace("</channel>", "<a>" * 5000 + "</a>" * 5000 + "</channel>")
    assert "inside each other" in refuse(tmp_path / "a.xml", text)


SCALARS = st.none() | st.booleans() | st.integers(-(10**15), 10**15) | st.text()
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(min_size=1), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


def serialize(value: object) -> str:
    """Return a value in PHP's form."""
    if value is None:
        return "N;"
    if isinstance(value, bool):
        return f"b:{int(value)};"
    if isinstance(value, int):
        return f"i:{value};"
    if isinstance(value, str):
        return f's:{len(value.encode())}:"{value}";'
    pairs = value.items() if isinstance(value, dict) else enumerate(value)  # type: ignore[call-overload]
    inside = [serialize(key) + serialize(one) for key, one in pairs]
    return f"a:{len(inside)}:{{{''.join(inside)}}}"


def without_empty_objects(value: object) -> object:
    """Return a value as PHP has it, where an empty array is both a list and an object."""
    if isinstance(value, dict):
        return {key: without_empty_objects(one) for key, one in value.items()} or []
    return [without_empty_objects(one) for one in value] if isinstance(value, list) else value


@given(st.lists(VALUES, max_size=4) | st.dictionaries(st.text(min_size=1), VALUES, max_size=4))
def test_serialized_arrays_are_read(value: object) -> None:
    assert read_php_value(serialize(value)) == without_empty_objects(value)


@given(st.text() | st.from_regex(r"a:\d{1,3}:\{[isNbdaO:;0-9\"{}x]*\}", fullmatch=True))
@example('a:1:{i:0;O:8:"stdClass":0:{}}')
@example("a:9999999:{}")
@example("a:1:{i:0;" * 500 + "}" * 500)
def test_other_texts_stay_as_they_are_or_become_arrays(text: str) -> None:
    found = read_php_value(text)
    assert found == text or isinstance(found, (list, dict))

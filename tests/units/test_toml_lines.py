"""The line of a key, compared with how the document was written."""

from __future__ import annotations

import tomllib

from hypothesis import given, strategies as st

from vetrina.kernel.toml_lines import find_key_line

NAMES = st.text("abcdefgh_-", min_size=1, max_size=6)
VALUES = st.sampled_from(['"x"', "3", "[1,\n  2,\n]", '"""\n[not.a.table]\nkey = 1\n"""', "true", "'#'"])
TABLES = st.dictionaries(NAMES, st.dictionaries(NAMES, VALUES, max_size=4), max_size=4)


@given(st.dictionaries(NAMES, VALUES, max_size=4), TABLES, st.booleans())
def test_every_key_is_found_where_it_was_written(
    top: dict[str, str], tables: dict[str, dict[str, str]], spaced: bool
) -> None:
    lines: list[str] = []
    expected: dict[tuple[str, ...], int] = {}

    def write(path: tuple[str, ...], text: str) -> None:
        lines.extend(["", "# a comment with a key = 1"] if spaced else [])
        expected[path] = len(lines) + 1
        lines.extend(text.split("\n"))

    for name, value in top.items():
        write((name,), f"{name} = {value}")
    for table, members in tables.items():
        if table in top:
            continue
        write((table,), f"[{table}]")
        for name, value in members.items():
            write((table, name), f"{name} = {value}")
    text = "\n".join(lines)
    tomllib.loads(text)
    assert {path: find_key_line(text, path) for path in expected} == expected


def test_a_key_that_is_not_written_has_the_line_of_its_table_or_none() -> None:
    text = 'title = "x"\n[types.a]\nlabel = "A"\ninside = {deep = {x = 1}}\n[[types.list]]\ny = 1\n'
    assert find_key_line(text, ("types", "a", "missing")) == 2
    assert find_key_line(text, ("types", "a", "inside", "deep", "x")) == 4
    assert find_key_line(text, ("types", "a", "label", 3)) == 3
    assert find_key_line(text, ("elsewhere",)) == 0

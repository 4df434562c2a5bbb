"""An example whose response differs from the page fails the build."""

from __future__ import annotations

from pathlib import Path

import pytest
from sphinx.cmd.build import build_main

PAGE = """# A page

```{{site}} first
:empty:
```

```{{recorded}} {words}
:as: admin
:status: {status}
{body}
```
"""
CONF = 'extensions = ["myst_parser", "derive.recorded"]\n'


def build(folder: Path, words: str, status: int, body: str = "") -> int:
    source = folder / "source"
    source.mkdir()
    (source / "conf.py").write_text(CONF, encoding="utf-8")
    (source / "index.md").write_text(PAGE.format(words=words, status=status, body=body), encoding="utf-8")
    return build_main(["-q", "-W", "-b", "html", str(source), str(folder / "html")])


def test_an_example_shows_the_request_and_its_answer(tmp_path: Path) -> None:
    assert build(tmp_path, "POST /cms/v2/posts?_fields=slug", 201, '{"title": "Hello there"}') == 0
    shown = (tmp_path / "html" / "index.html").read_text(encoding="utf-8")
    assert "Hello there" in shown
    assert "application password" in shown.lower()


@pytest.mark.parametrize(
    "words, status, told",
    [
        ("GET /cms/v2/posts/1", 200, "answered 404, not 200"),
        ("GET /cms/v2/posts", 201, "answered 200, not 201"),
        ("GET /cms/v2/posts/{unknown}", 200, "nothing was kept as 'unknown'"),
    ],
)
def test_an_example_that_is_answered_otherwise_stops_the_build(
    tmp_path: Path, words: str, status: int, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert build(tmp_path, words, status) != 0
    assert told in capsys.readouterr().err

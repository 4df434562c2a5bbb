"""The requests in the README get the responses it shows, on a site made by `make serve`."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from urllib.parse import urlsplit

from click.testing import CliRunner

from conftest import exchange
from vetrina.cli import COMMANDS, main
from vetrina.site_factory import open_site

README = Path(__file__).parents[2] / "README.md"
EXCHANGE = re.compile(r"^\$ curl (.*?)\n([\[{].*?)^```", re.MULTILINE | re.DOTALL)


def test_the_readme_lists_every_command() -> None:
    listed = re.findall(r"^\| `vetrina ([a-z-]+)", README.read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted(COMMANDS)


def test_the_requests_of_the_readme_are_answered_as_it_says(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    made = CliRunner().invoke(main, ["demo", "first", "--site", str(folder)], catch_exceptions=False).output
    found = re.search(r"application password +(.+)", made)
    assert found
    shown = EXCHANGE.findall(README.read_text(encoding="utf-8"))
    assert len(shown) == 3
    site = open_site(folder)
    for words, answer in shown:
        address = urlsplit(re.findall(r"'(http://[^']+)'", words)[0])
        body = re.findall(r"-d '([^']+)'", words)
        headers = {"host": address.netloc}
        if body:
            headers["content-type"] = "application/json"
            pair = f"admin:{found[1]}"
            headers["authorization"] = "Basic " + base64.b64encode(pair.encode()).decode()
        _, _, content = exchange(
            site, "POST" if body else "GET", f"{address.path}?{address.query}", "".join(body).encode(), headers
        )
        assert json.loads(content) == json.loads(answer)
    site.close()

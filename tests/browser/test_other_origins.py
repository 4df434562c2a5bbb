"""What a page of another origin may read and send, in a browser. Rules: docs/rules/global_parameters.md, 8."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from .conftest import VETRINA, Program, Served

_PROFILE = 'name = "front"\ntitle = "Front"\nlanguages = ["en"]\n'
_ASK = """async ([address, options]) => {
  try {
    const answer = await fetch(address, { cache: "no-store", ...options });
    return { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() };
  } catch (error) {
    return { status: 0, headers: {}, body: String(error) };
  }
}"""
_LISTEN = """(address) => new Promise((resolve) => {
  const events = new EventSource(address);
  events.addEventListener("change", (event) => { events.close(); resolve([event.lastEventId, event.data]); });
  events.onopen = () => document.title = "listening";
})"""


@contextmanager
def serving(folder: Path, **members: Any) -> Iterator[Served]:
    """Serve a throw-away site with these members of the profile, whose administrator has an application password."""
    profile = folder / "profile.toml"
    profile.write_text(_PROFILE + "".join(f"{name} = {value}\n" for name, value in members.items()))
    command = [VETRINA, "serve", "--ephemeral", "--port", "0", "--profile", str(profile)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        said = ""
        while "password: " not in said:
            said += process.stdout.readline() or pytest.fail(f"the server stopped: {said}")
        root, password = re.search(r"http://[^/\s]+", said), re.search(r"password: (.+)", said)
        assert root, said
        assert password, said
        yield Served(root[0], "admin", password[1])
    finally:
        process.terminate()
        process.communicate(timeout=60)


@pytest.fixture
def front(program: Program, tab: Any) -> Any:
    """A page of another origin."""
    program.pages["/front"] = "<!doctype html><title>Front</title>"
    tab.goto(f"{program.root}/front")
    return tab


def ask(page: Any, address: str, **options: Any) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate(_ASK, [address, options])
    return found


def authorize(page: Any, served: Served) -> dict[str, str]:
    pair = page.evaluate("(pair) => btoa(pair)", f"{served.login}:{served.password}")
    return {"Authorization": f"Basic {pair}", "Content-Type": "application/json"}


def test_a_page_of_another_origin_reads_totals_links_and_tags_and_sends_conditions(front: Any, tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        posts, keys = f"{served.root}/en/cms-json/cms/v2/posts", authorize(front, served)
        made = ask(front, posts, method="POST", headers=keys, body='{"title": "A", "status": "publish"}')
        assert made["status"] == 201, made["body"]
        address = made["headers"]["location"]
        ask(front, posts, method="POST", headers=keys, body='{"title": "B", "status": "publish"}')
        answer = ask(front, f"{posts}?per_page=1")
        assert (answer["headers"]["x-cms-total"], answer["headers"]["x-cms-totalpages"]) == ("2", "2")
        assert 'rel="next"' in answer["headers"]["link"]
        assert "post" in answer["headers"]["cache-tag"].split(",")
        etag = answer["headers"]["etag"]
        assert ask(front, f"{posts}?per_page=1", headers={"If-None-Match": etag})["status"] == 304
        wrong = ask(front, address, method="POST", headers={**keys, "If-Match": '"other"'}, body='{"title": "C"}')
        assert wrong["status"] == 412, wrong["body"]


def test_a_page_of_another_origin_hears_of_changes(front: Any, tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        root, keys = f"{served.root}/en/cms-json/cms/v2", authorize(front, served)
        front.evaluate(f"(address) => {{ window.heard = ({_LISTEN})(address); }}", f"{root}/changes?stream=true")
        front.wait_for_function("document.title === 'listening'")
        made = ask(front, f"{root}/posts", method="POST", headers=keys, body='{"title": "A", "status": "publish"}')
        id, data = front.evaluate("window.heard")
        assert made["status"] == 201
        assert int(id) > 0
        assert '"tags":["post","post-' in data


def test_the_profile_says_whose_pages_may_read_answers_to_cookies(front: Any, program: Program, tmp_path: Path) -> None:
    with serving(tmp_path, allowed_origins=f'["{program.root}"]') as served:
        posts = f"{served.root}/en/cms-json/cms/v2/posts"
        assert ask(front, posts, credentials="include")["status"] == 200
        front.goto(f"{program.root.replace('127.0.0.1', 'localhost')}/front")
        assert ask(front, posts, credentials="include")["status"] == 0, "of an origin that the profile does not name"
        assert ask(front, posts, credentials="omit")["status"] == 200

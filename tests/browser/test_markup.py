"""Markup that an author hid in a text runs nothing in a real browser, neither on the page nor in a client."""

from __future__ import annotations

import base64
import json
import urllib.request

import pytest
from click.testing import CliRunner

from vetrina.cli import main

HIDDEN = [
    '<img src=x title="[playlist x" class=\']\' alt=" onerror=alert(1) ">',
    '<img src=x alt="\nhttp://x.y/a.mp3\n onerror=alert(1) ">',
    '<img src=x alt="\n\nhttp://x.y/a.mp4\n\n onerror=alert(1) ">',
    "[embed]jav&#x09;ascript:alert(1)[/embed]",
    "[embed]&#106;avascript:alert(1)[/embed]",
    "<!-- wp:heading --><h2 title=\"x class='onmouseover=alert(1)' \">a</h2><!-- /wp:heading -->",
    "[caption width=100 caption=\"<b title='\" ]<code>' onmouseover=alert(1) </code><i>x</i>[/caption]",
]


@pytest.fixture(scope="module")
def author(served):
    """The credentials of an author."""
    for command in (["user", "add", "lia", "--email", "lia@example.org", "--role", "author"],
                    ["app-password", "create", "lia", "markup"]):  # fmt: skip
        done = CliRunner().invoke(main, [*command, "--site", str(served.folder)], catch_exceptions=False)
        assert done.exit_code == 0, done.output
    key = f"lia:{done.output.splitlines()[-1]}"
    return {"Content-Type": "application/json", "Authorization": f"Basic {base64.b64encode(key.encode()).decode()}"}


def publish(served, headers, text):
    body = json.dumps({"title": "A text", "content": text, "status": "publish"}).encode()
    request = urllib.request.Request(f"{served.root}/en/cms-json/cms/v2/posts", body, headers)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


@pytest.mark.parametrize("text", HIDDEN)
def test_no_dialog_opens(tab, served, author, text):
    opened = []
    tab.on("dialog", lambda dialog: (opened.append(dialog.message), dialog.dismiss()))
    post = publish(served, author, text)
    # On its page, whose policy forbids scripts; and without a policy, as a client may display it.
    tab.goto(post["link"])
    tab.goto("about:blank")
    tab.set_content(f"<!doctype html><body>{post['content']['rendered']}")
    for element in tab.query_selector_all("a, img, h1, h2, b, p, figure"):
        element.dispatch_event("mouseover")
    for link in tab.query_selector_all("a"):
        link.evaluate("link => link.click()")
    tab.wait_for_timeout(200)
    assert opened == []

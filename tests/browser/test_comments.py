"""Comments by readers in a real browser, with scripts and without; what they write runs nothing."""

from __future__ import annotations

import base64
import json
import re
import urllib.request

import pytest
from click.testing import CliRunner
from playwright.sync_api import expect

from vetrina.cli import main

HOSTILE = "\n\n".join([
    "I agree <img src=x onerror=alert(1)><svg onload=alert(1)></svg>",
    '<a href="javascript:alert(1)" title="\' onmouseover=alert(1) ">x</a>',
    "<b title='\" ]<code>' onmouseover=alert(1) </code>[embed]jav&#x09;ascript:alert(1)[/embed]",
])  # fmt: skip
HOSTILE_NAME = "Bea' onmouseover=alert(1) \"<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def send(served):
    """Send something to the interface as the administrator."""
    command = ["app-password", "create", "admin", "comments", "--site", str(served.folder)]
    made = CliRunner().invoke(main, command, catch_exceptions=False)
    key = base64.b64encode(f"admin:{made.output.splitlines()[-1]}".encode()).decode()
    headers = {"Content-Type": "application/json", "Authorization": f"Basic {key}"}

    def exchange(path, members=None):
        body = None if members is None else json.dumps(members).encode()
        request = urllib.request.Request(f"{served.root}/en/cms-json/cms/v2/{path}", body, headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    return exchange


@pytest.fixture
def post(send):
    """A new post that has a comment."""
    one = send("posts", {"title": "A text", "content": "Words.", "status": "publish"})
    first = {"post": one["id"], "status": "approve", "author_name": "Ada", "author_email": "ada@example.com"}
    send("comments", {**first, "content": "The first.", "date": "2026-01-01T10:00:00"})
    return one


def test_a_reader_without_scripts_replies_and_what_is_written_runs_nothing(chromium, post, send):
    context = chromium.new_context(locale="en-GB", java_script_enabled=False)
    tab = context.new_page()
    tab.goto(post["link"])
    tab.get_by_role("link", name="Reply to Ada").click()
    tab.get_by_role("heading", name="Leave a reply to Ada").wait_for()
    assert "replytocom" in tab.url
    tab.get_by_label("Name").fill(HOSTILE_NAME)
    tab.locator("input[name=email]").fill("bea@example.com")
    tab.get_by_label("Website").fill("https://x.example/'onmouseover=alert(1)")
    tab.get_by_role("textbox", name="Comment").fill(HOSTILE)
    tab.get_by_role("button", name="Post comment").click()
    expect(tab.get_by_role("status")).to_have_text(re.compile("^Thank you."))
    context.close()
    [waiting] = send(f"comments?post={post['id']}&status=hold&context=edit")
    assert send(f"comments/{waiting['id']}", {"status": "approve"})["parent"] > 0
    # As a browser shows it that knows no policy.
    opened = []
    context = chromium.new_context(locale="en-GB", bypass_csp=True)
    tab = context.new_page()
    tab.on("dialog", lambda dialog: (opened.append(dialog.message), dialog.dismiss()))
    tab.goto(post["link"])
    expect(tab.locator(f"#comment-{waiting['id']}")).to_contain_text("I agree")
    tab.locator(f"#comment-{waiting['id']} a.comment-reply-link").click()
    for element in tab.query_selector_all("main a, main b, main code, main h2, main li"):
        element.dispatch_event("mouseover")
    tab.wait_for_timeout(200)
    assert opened == []
    context.close()


def test_the_script_moves_the_form_and_an_account_needs_no_fields(tab, served, post):
    tab.goto(f"{served.root}/admin/sign-in?redirect_to=/robots.txt")
    tab.get_by_label("User name or e-mail address").fill(served.login)
    tab.get_by_label("Password").fill(served.password)
    tab.get_by_role("button", name="Sign in").click()
    tab.wait_for_url("**/robots.txt")
    tab.goto(post["link"])
    tab.get_by_role("link", name="Reply to Ada").click()
    expect(tab.locator("li.comment #respond")).to_have_count(1)
    expect(tab.locator("[name=comment]")).to_be_focused()
    tab.get_by_role("link", name="Cancel reply").click()
    expect(tab.locator("li.comment #respond")).to_have_count(0)
    expect(tab.locator("[name=comment_parent]")).to_have_value("0")
    expect(tab.get_by_role("heading", name="Leave a comment")).to_have_count(1)
    tab.get_by_role("link", name="Reply to Ada").click()
    tab.get_by_role("textbox", name="Comment").fill("So do I")
    tab.get_by_role("button", name="Post comment").click()
    tab.locator("li.comment li.comment", has_text="So do I").wait_for()
    assert "#comment-" in tab.url
    assert [text for text in tab.refused if "404" not in text] == []


def test_the_field_for_programs_is_seen_by_nobody(tab, post):
    tab.goto(post["link"])
    expect(tab.locator("[name=comment_subject]")).to_be_hidden()
    expect(tab.get_by_role("textbox", name="Leave this field empty")).to_have_count(0)

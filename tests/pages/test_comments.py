"""Comments by readers on public pages. Rules: docs/rules/reader_comments.md, 1 to 5."""

from __future__ import annotations

import re
from email import message_from_bytes, policy
from html import unescape
from typing import Any
from urllib.parse import urlsplit

import pytest

from conftest import SetClock, Stand, exchange
from vetrina.system import job_runner

OURS = {"sec-fetch-site": "same-origin"}
WORDS = {"author": "Ada", "email": "ada@example.com", "comment": "What a text!"}
COMMENTS = "/cms/v2/comments"


def path(record: Any) -> str:
    return urlsplit(record["link"]).path


def fields(record: Any, **members: Any) -> dict[str, str]:
    """Return what the form of a record sends."""
    sent = {"_form": "comment", "comment_post_ID": record["id"], "comment_parent": 0, **WORDS, **members}
    return {name: str(value) for name, value in sent.items()}


def listed(admin: Any, post: int, status: str = "any") -> list[Any]:
    answer = admin.get(COMMENTS, query={"post": post, "status": status, "context": "edit", "order": "asc"})
    assert answer.status == 200, answer.json
    return list(answer.json)


def set_options(site: Stand, **values: Any) -> None:
    with site.site.work() as work:
        for name, value in values.items():
            work.set_option(name, value)


def approve(admin: Any, record: Any, **members: Any) -> Any:
    """Return a comment of somebody whose comments are approved at once."""
    words = {"author_name": "Ada", "author_email": "ada@example.com", "content": "The first.", **members}
    answer = admin.post(COMMENTS, {"post": record["id"], "status": "approve", **words})
    assert answer.status == 201, answer.json
    return answer.json


def sent_mails(site: Stand) -> list[Any]:
    """Send the mails that wait, and return all that were sent."""
    job_runner.build_consumer(site.site.context, site.site.database).run_due_jobs()
    folder = site.site.context.folder / "outbox"
    found = [message_from_bytes(one.read_bytes(), policy=policy.default) for one in sorted(folder.glob("*.eml"))]
    return sorted(found, key=lambda one: str(one["To"]))


def test_a_first_comment_waits_and_the_next_one_is_shown(visitor, write, admin, clock: SetClock):
    post = write()
    form = visitor.get(path(post)).form
    assert (form["_form"], form["comment_post_ID"], form["comment_parent"]) == ("comment", str(post["id"]), "0")
    answer = visitor.post(path(post), {**form, **WORDS}, **OURS)
    assert (answer.status, answer.location.endswith("&notice=comment-waits")) == (303, True)
    assert "Your comment is shown as soon as it has been approved." in visitor.follow(answer).text
    [waiting] = listed(admin, post["id"])
    assert (waiting["status"], waiting["author_name"], waiting["author"]) == ("hold", "Ada", 0)
    assert waiting["author_email"] == "ada@example.com"
    assert "What a text!" not in visitor.get(path(post)).text
    assert admin.post(f"{COMMENTS}/{waiting['id']}", {"status": "approve"}).status == 200
    clock.forward(20)
    answer = visitor.post(path(post), fields(post, comment="It's the second :)"), **OURS)
    second = listed(admin, post["id"])[-1]
    assert (answer.status, answer.location) == (303, f"{post['link']}#comment-{second['id']}")
    text = visitor.follow(answer).text
    assert f'<li id="comment-{second["id"]}"' in text
    assert "What a text!" in text


def test_the_page_with_the_form_is_kept_and_is_made_again_for_a_comment(visitor, write, admin):
    post = write()
    first = visitor.get(path(post))
    assert "etag" in first.headers
    assert "set-cookie" not in first.headers
    assert visitor.get(path(post), **{"if-none-match": first.headers["etag"]}).status == 304
    approve(admin, post)
    assert visitor.get(path(post), **{"if-none-match": first.headers["etag"]}).status == 200


@pytest.mark.parametrize(
    "headers", [{}, {"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "none"}, {"origin": "http://other.test"}]
)
def test_a_form_of_another_site_is_refused(visitor, write, admin, headers):
    post = write()
    answer = visitor.post(path(post), fields(post), **headers)
    assert answer.status == 403
    assert "comes from another site" in answer.text
    assert listed(admin, post["id"]) == []


@pytest.mark.parametrize(
    ("members", "fault"),
    [
        ({"comment": " "}, "Write a comment."),
        ({"comment": "<script></script>"}, "Write a comment."),
        ({"author": ""}, "This is needed."),
        ({"email": ""}, "This is needed."),
        ({"email": "nobody"}, "This is no e-mail address."),
        ({"author": "x" * 246}, "This is too long."),
        ({"url": "https://ada.example/" + "x" * 200}, "This is too long."),
        ({"comment_parent": "999"}, "The comment that you reply to is not there any more."),
    ],
)
def test_a_refused_comment_says_why_and_keeps_what_was_written(visitor, write, admin, members, fault):
    post = write()
    answer = visitor.post(path(post), fields(post, **members), **OURS)
    assert answer.status == 400
    assert fault in unescape(answer.text)
    assert ('value="Ada"' in answer.text) == ("author" not in members)
    assert listed(admin, post["id"]) == []


def test_what_was_written_comes_back_as_it_was(visitor, write):
    post = write()
    words = 'It\'s "mine" -- [gallery] :) </textarea><script>alert(1)</script>'
    answer = visitor.post(path(post), fields(post, email="", comment=words), **OURS)
    found = re.search(r"<textarea [^>]*>(.*?)</textarea>", answer.text, re.DOTALL)
    assert found is not None
    assert unescape(found[1]) == words
    assert "<script>alert" not in answer.text


def test_a_text_is_sanitised_as_a_visitor_s(visitor, write, admin):
    post = write()
    words = '<b onclick="x()">Bold</b> <img src=x onerror=x()> https://spam.example/ <h1>No</h1>'
    visitor.post(path(post), fields(post, comment=words, url="javascript:alert(1)"), **OURS)
    [made] = listed(admin, post["id"])
    assert made["content"]["rendered"].strip() == (
        '<p><b>Bold</b>  <a href="https://spam.example/" rel="nofollow ugc">https://spam.example/</a> No</p>'
    )
    assert made["author_url"] == ""


def test_the_same_comment_again_and_one_too_soon_are_refused(visitor, write, admin, clock: SetClock):
    post = write()
    visitor.post(path(post), fields(post), **OURS)
    again = visitor.post(path(post), fields(post), **OURS)
    assert (again.status, "You have said that already." in again.text) == (409, True)
    soon = visitor.post(path(post), fields(post, comment="Another", author="Eve", email="eve@example.com"), **OURS)
    assert (soon.status, "Wait some seconds" in soon.text) == (429, True)
    # Another reader elsewhere does not wait for this one.
    assert _send_from(visitor, path(post), fields(post, comment="Mine", email="bob@example.com")) == 303
    clock.forward(16)
    assert visitor.post(path(post), fields(post, comment="Another"), **OURS).status == 303
    assert len(listed(admin, post["id"])) == 3


def _send_from(visitor: Any, target: str, form: dict[str, str], remote: str = "192.0.2.7") -> int:
    from urllib.parse import urlencode

    headers = {"content-type": "application/x-www-form-urlencoded", **OURS}
    return exchange(visitor.stand.site, "POST", target, urlencode(form).encode(), headers, remote)[0]


@pytest.mark.in_process("addresses of clients")
def test_one_address_sends_ten_comments_a_minute_at_most(house, visitor, write):
    posts = [write(title=f"Text {number}") for number in range(12)]
    limited = [_send_from(visitor, path(one), fields(one, comment="<i></i>", email="a@example.com")) for one in posts]
    assert limited == [400] * 10 + [429] * 2
    answer = visitor.post(path(posts[0]), fields(posts[0]), **OURS)
    assert answer.status == 303


def test_a_field_that_nobody_sees_makes_spam_of_a_comment(visitor, write, admin, house):
    post = write()
    form = visitor.get(path(post)).form
    assert re.search(
        r'<p hidden><label [^>]*>[^<]*</label><input [^>]*name="comment_subject"', visitor.get(path(post)).text
    )
    answer = visitor.post(path(post), {**form, **WORDS, "comment_subject": "cheap"}, **OURS)
    assert (answer.status, "comment-waits" in answer.location) == (303, True)
    assert [one["status"] for one in listed(admin, post["id"], "spam")] == ["spam"]
    assert sent_mails(house) == []


def test_a_reply_is_asked_for_by_an_address_and_stands_beneath_its_comment(visitor, write, admin, clock: SetClock):
    post = write()
    first = approve(admin, post, author_name="Ada & co")
    text = visitor.get(path(post)).text
    link = re.search(
        r'<a href="([^"]+)" rel="nofollow" class="comment-reply-link" aria-label="Reply to Ada &amp; co"', text
    )
    assert link is not None
    assert unescape(link[1]) == f"{post['link']}?replytocom={first['id']}#respond"
    asked = visitor.get(unescape(link[1]))
    assert "Leave a reply to Ada &amp; co</h2>" in asked.text
    assert asked.form["comment_parent"] == str(first["id"])
    clock.forward(20)
    answer = visitor.post(
        unescape(link[1]), {**asked.form, **WORDS, "author": "Ada & co", "comment": "I agree"}, **OURS
    )
    assert answer.status == 303
    reply = listed(admin, post["id"])[-1]
    assert reply["parent"] == first["id"]
    shown = visitor.follow(answer).text
    assert re.search(rf'<li id="comment-{first["id"]}".*<ol><li id="comment-{reply["id"]}"', shown, re.DOTALL)


@pytest.mark.parametrize("depth", [2, 5])
def test_threads_end_at_their_depth(visitor, write, admin, house, depth):
    set_options(house, thread_comments_depth=depth)
    post = write()
    parent = 0
    for number in range(depth):
        parent = approve(admin, post, parent=parent, content=f"Number {number}")["id"]
    assert visitor.get(path(post)).text.count('class="comment-reply-link"') == depth - 1


def test_without_threads_there_are_no_replies(visitor, write, admin, house, clock: SetClock):
    set_options(house, thread_comments=False)
    post = write()
    first = approve(admin, post)
    approve(admin, post, parent=first["id"], content="A reply of before")
    text = visitor.get(path(post)).text
    assert 'class="comment-reply-link"' not in text
    assert "/scripts/comments." not in text
    assert text.count('class="comment depth-1"') == 2
    clock.forward(20)
    visitor.post(path(post), fields(post, comment_parent=first["id"]), **OURS)
    assert listed(admin, post["id"])[-1]["parent"] == 0


def numbers_of(text: str) -> list[int]:
    """Return which comments a page shows, by the numbers in their texts."""
    return [int(one) for one in re.findall(r"Number (\d)", text)]


def test_pages_of_comments_are_as_the_options_say(visitor, write, admin, house):
    set_options(house, page_comments=True, comments_per_page=2)
    post = write()
    made = [approve(admin, post, content=f"Number {one}", date=f"2026-01-01T10:00:0{one}") for one in range(4)]
    approve(admin, post, content="Number 4", date="2026-01-01T10:00:04", parent=made[0]["id"])
    approve(admin, post, content="Number 5", date="2026-01-01T10:00:05")
    first, oldest = path(post), f"{path(post)}comment-page-1/"
    text = visitor.get(first).text
    # Threads are counted; the newest page may have fewer.
    assert numbers_of(text) == [5]
    assert "6 responses to" in text
    assert f'href="{post["link"]}comment-page-2/#comments">Older Comments</a>' in text
    assert '<span aria-current="page" class="page-numbers current">3</span>' in text
    assert "Newer Comments" not in text
    older = visitor.get(oldest)
    assert (older.status, numbers_of(older.text)) == (200, [0, 4, 1])
    assert f'href="{post["link"]}comment-page-1/#comment-{made[0]["id"]}"' in older.text
    assert f'<link rel="canonical" href="{post["link"]}">' in older.text
    assert visitor.get(f"{first}comment-page-9/").status == 404
    assert visitor.get(f"{first}comment-page-3/").location == post["link"]
    assert visitor.get(f"{first}?cpage=2").location == f"{post['link']}comment-page-2/"
    set_options(house, default_comments_page="oldest", comment_order="desc")
    assert numbers_of(visitor.get(first).text) == [1, 0, 4]
    set_options(house, page_comments=False)
    assert numbers_of(visitor.get(first).text) == [5, 3, 2, 1, 0, 4]
    assert "Older Comments" not in visitor.get(first).text


def test_whose_comment_goes_to_another_page_is_led_there(visitor, write, admin, house, clock: SetClock):
    set_options(house, page_comments=True, comments_per_page=1, comment_previously_approved=False)
    post = write()
    first = approve(admin, post, content="Number 0", date="2026-01-01T10:00:00")
    approve(admin, post, content="Number 1", date="2026-01-01T10:00:01")
    answer = visitor.post(path(post), fields(post, comment="Number 2", comment_parent=first["id"]), **OURS)
    made = listed(admin, post["id"])[-1]
    assert answer.location == f"{post['link']}comment-page-1/#comment-{made['id']}"
    assert numbers_of(visitor.get(f"{path(post)}comment-page-1/").text) == [0, 2]


def test_threads_are_as_deep_as_they_may_be(visitor, write, admin, house):
    set_options(house, thread_comments_depth=2)
    post, parent = write(), 0
    for number in range(4):
        parent = approve(admin, post, content=f"Number {number}", parent=parent)["id"]
    text = visitor.get(path(post)).text
    assert numbers_of(text) == [0, 1, 2, 3]
    assert [text.count(f'class="comment depth-{one}"') for one in (1, 2, 3)] == [1, 3, 0]


def test_a_comment_that_waits_is_shown_to_its_writer(visitor, write, admin):
    post = write()
    answer = visitor.post(path(post), fields(post), **OURS)
    assert answer.location.startswith(f"{post['link']}?unapproved=")
    own = visitor.follow(answer)
    assert "Your comment is awaiting moderation." in own.text
    assert "What a text!" in own.text
    assert "etag" not in own.headers
    assert 'class="comment-reply-link"' not in own.text
    waiting = listed(admin, post["id"])[0]
    for key in ("", "0" * 32):
        text = visitor.get(f"{path(post)}?unapproved={waiting['id']}&moderation-hash={key}").text
        assert "What a text!" not in text
    admin.post(f"{COMMENTS}/{waiting['id']}", {"status": "spam"})
    assert "What a text!" not in visitor.follow(answer).text


def test_where_an_account_is_needed_the_page_leads_to_where_one_signs_in(visitor, write, admin, house):
    set_options(house, comment_registration=True)
    post = write()
    approve(admin, post)
    text = visitor.get(path(post)).text
    back = urlsplit(post["link"]).path.replace("/", "%2F")
    assert f'href="http://vetrina.test/admin/sign-in?redirect_to={back}%23respond">Sign in</a>' in text
    assert '<form method="post"' not in text
    answer = visitor.post(path(post), fields(post), **OURS)
    assert answer.status == 401
    visitor.sign_in("author", back=f"{path(post)}#respond")
    form = visitor.get(path(post)).form
    assert "email" not in form
    answer = visitor.post(path(post), {**form, "comment": "With an account"}, **OURS)
    assert answer.status == 303
    made = listed(admin, post["id"])[-1]
    assert (made["author_name"], made["author"] > 0) == ("author", True)


def test_names_may_be_left_out_where_the_site_says_so(visitor, write, admin, house):
    set_options(house, require_name_email=False)
    post = write()
    assert "required" not in re.search(r"<input [^>]*name=\"email\"[^>]*>", visitor.get(path(post)).text)[0]
    assert visitor.post(path(post), fields(post, author="", email=""), **OURS).status == 303
    [made] = listed(admin, post["id"])
    assert (made["author_name"], made["status"]) == ("", "hold")


@pytest.mark.parametrize("members", [{"comment_status": "closed"}, {"password": "secret"}, {"status": "draft"}])
def test_there_is_no_form_where_nobody_may_comment(visitor, write, admin, members):
    post, open_post = write(title="Shut", **members), write(title="Open")
    text = visitor.get(path(post)).text
    assert "commentform" not in text
    # A form that names it all the same.
    answer = visitor.post(path(open_post), fields(post), **OURS)
    assert answer.status == 403
    assert "There can be no comment here any more." in answer.text
    assert listed(admin, post["id"]) == []


def test_old_posts_close_where_the_site_says_so(visitor, write, admin, house, clock: SetClock):
    set_options(house, close_comments_for_old_posts=True, close_comments_days_old=3)
    post, page = write(), write("pages", title="A page", comment_status="open")
    assert "commentform" in visitor.get(path(post)).text
    clock.forward(4 * 86_400)
    assert "commentform" not in visitor.get(path(post)).text
    assert visitor.post(path(post), fields(post), **OURS).status == 403
    refused = admin.post(COMMENTS, {"post": post["id"], "content": "Late"})
    assert (refused.status, refused.json["code"]) == (403, "rest_comment_closed")
    assert visitor.post(path(page), fields(page), **OURS).status == 303


def test_those_who_run_the_site_and_who_wrote_get_mails(visitor, write, admin, house, clock: SetClock):
    set_options(house, email="shop@example.org")
    post = write(title="Fish &amp; chips")
    visitor.post(path(post), fields(post), **OURS)
    mails = sent_mails(house)
    assert [one["To"] for one in mails] == ["editor@example.org", "shop@example.org"]
    assert mails[0]["Subject"] == "Vetrina: a comment on “Fish & chips” awaits moderation"
    text = mails[0].get_content()
    for part in ("What a text!", "ada@example.com", f"{path(post)}#comment-1", "/admin/records/comments"):
        assert part in text
    [waiting] = listed(admin, post["id"])
    admin.post(f"{COMMENTS}/{waiting['id']}", {"status": "approve"})
    clock.forward(20)
    visitor.post(path(post), fields(post, comment="The second"), **OURS)
    [new] = [one for one in sent_mails(house) if "new comment" in one["Subject"]]
    assert new["To"] == "editor@example.org"


def test_mails_can_be_switched_off_and_speak_the_language_of_the_site(visitor, write, house, clock: SetClock):
    set_options(house, email="shop@example.org", language="it_IT")
    post = write()
    visitor.post(path(post), fields(post), **OURS)
    assert "attende moderazione" in sent_mails(house)[0]["Subject"]
    set_options(house, moderation_notify=False)
    clock.forward(20)
    visitor.post(path(post), fields(post, comment="Another"), **OURS)
    assert len(sent_mails(house)) == 2


def test_the_form_speaks_the_language_of_its_page(visitor, write):
    text = visitor.get(path(write(language="it"))).text
    for part in ("Lascia un commento", "Invia il commento", "Sito web", "Il tuo indirizzo e-mail non sarà mostrato."):
        assert part in text


def test_what_the_interface_shows_of_the_block_stays(admin, write):
    one = write(content="<!-- wp:post-comments-form /-->")
    shown = admin.get(f"/cms/v2/posts/{one['id']}").json["content"]["rendered"]
    assert "You must be <a href=" in shown
    assert "<form" not in shown

"""Any file that a translator sends back is accepted, or refused with a code that says what is wrong."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator

import pytest
from hypothesis import example, given, strategies as st

from conftest import Answer, Stand, made
from vetrina.settings import load_profile

CONTENT = (
    '<!-- wp:paragraph --><p>Uno <b title="x">due</b>.</p><!-- /wp:paragraph --><!-- wp:search {"label":"Va"} /-->'
)
TARGET = re.compile(r"<target([^>]*?)(?:/>|>.*?</target>)", re.DOTALL)
PIECES = st.sampled_from([
    "<target>", "</target>", "<target/>", "<source>", "</source>", "</trans-unit>", '<trans-unit id="title">', "<file>",
    "</file>", "</xliff>", "<xliff>", "<body/>", "<mrk mtype='seg'>", "</mrk>", "<g id='1'>", "</g>", "<bpt id='1'>",
    "</bpt>", "<x id='1' ctype='x-char-0000'/>", "<x id='1' ctype='x-char-d800'/>", "<x ctype='x-char-110000'/>",
    f"<x ctype='x-char-{'9' * 5000}'/>", "<x ctype='x-char-'/>", "<!-- c -->", "<!--", "-->", "<?pi ?>", "<![CDATA[",
    "]]>", "&amp;", "&lt;script&gt;alert(1)&lt;/script&gt;", "&#0;", "&#xd800;", "&#x110000;", "&unknown;", "&", "<",
    '<!DOCTYPE x [<!ENTITY a "b">]>', '<?xml version="1.0" encoding="utf-16"?>', ' id="body"', ' xmlns="urn:other"',
    "\0", "\x0b", "\ufeff", "\U0001f600", "9" * 5000,
])  # fmt: skip
TEXTS = st.lists(PIECES | st.text(max_size=6), max_size=5).map("".join)

Deliver = Callable[[bytes], Answer]


@pytest.fixture(scope="module")
def xliff(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Deliver, Deliver]]:
    """The file of a job, and what delivers one in its place: as the body, and as a member of a JSON body."""
    stand = Stand(made(tmp_path_factory.mktemp("xliff"), load_profile("first"), secret="secret of the tests"))
    admin = stand.client("admin", "/it/cms-json")
    post = admin.post("/cms/v2/posts", {"title": "Uno", "content": CONTENT, "status": "publish"}).json["id"]
    sent = admin.post(
        "/mlang/tm/v1/jobs", {"items": [{"type": "post_post", "id": post}], "target_languages": ["en"]}
    ).json["jobs"][0]
    path = f"/mlang/tm/v1/xliff/fetch/{sent['extra_data']['icl_translate_job_id']}"

    def deliver_body(content: bytes) -> Answer:
        return admin.ask("POST", f"{path}?complete=false", body=content, headers={"content-type": "application/xml"})

    def deliver_member(content: bytes) -> Answer:
        return admin.post(path, {"xliff": content.decode("utf-8", "replace"), "complete": False})

    yield base64.b64decode(admin.get(path).json["content"]).decode(), deliver_body, deliver_member
    stand.site.close()


def check_answer(answer: Answer) -> None:
    assert answer.status == 200 or (400 <= answer.status < 500 and answer.code and answer.json["message"]), answer.json


@given(target=TEXTS, number=st.integers(0, 5))
@example(target="<x id='1' ctype='x-char-d800'/>", number=0)
@example(target="<x id='1' ctype='x-char-0000'/>", number=1)
def test_any_target_is_answered(xliff: tuple[str, Deliver, Deliver], target: str, number: int) -> None:
    file, deliver_body, deliver_member = xliff
    found = list(TARGET.finditer(file))
    one = found[number % len(found)]
    changed = f"{file[: one.start()]}<target{one[1]}>{target}</target>{file[one.end() :]}".encode("utf-8", "replace")
    check_answer(deliver_body(changed))
    check_answer(deliver_member(changed))


@given(cuts=st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 40), TEXTS), min_size=1, max_size=4))
def test_any_damaged_file_is_answered(xliff: tuple[str, Deliver, Deliver], cuts: list[tuple[int, int, str]]) -> None:
    file, deliver_body, deliver_member = xliff
    for at, length, piece in cuts:
        at %= len(file) + 1
        file = file[:at] + piece + file[at + length :]
    changed = file.encode("utf-8", "replace")
    check_answer(deliver_body(changed))
    check_answer(deliver_member(changed))


@given(st.binary(max_size=400))
def test_any_bytes_are_answered(xliff: tuple[str, Deliver, Deliver], content: bytes) -> None:
    _, deliver_body, deliver_member = xliff
    check_answer(deliver_body(content))
    check_answer(deliver_member(content))

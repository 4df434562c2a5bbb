"""What each member of a batch costs beside what a lone request costs."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Client
from vetrina.rest.validation import ArgumentParser

pytestmark = pytest.mark.in_process("it counts what that process does")


def test_the_arguments_of_a_member_are_checked_once(monkeypatch: pytest.MonkeyPatch, admin: Client) -> None:
    real, checked = ArgumentParser.parse, []

    def parse(parser: ArgumentParser, raw: Any, *given: Any, **named: Any) -> Any:
        checked.append(raw)
        return real(parser, raw, *given, **named)

    monkeypatch.setattr(ArgumentParser, "parse", parse)
    requests = [{"path": "/cms/v2/posts", "body": {"title": f"Post {at}", "status": "publish"}} for at in range(5)]
    answers = admin.post("/batch/v1", {"requests": requests}).json["responses"]
    assert [answer["status"] for answer in answers] == [201] * 5
    assert len(checked) == 1 + len(requests)

"""Public pages are kept for all visitors, whatever cookies other programs of the host have set."""

from __future__ import annotations

import pytest

from pages.conftest import Visitor
from recorded_statements import record_statements


@pytest.fixture
def kind() -> str:
    """The embedded database, which reports its statements."""
    return "sqlite"


def count_statements(visitor: Visitor, target: str, **headers: str) -> int:
    visitor.get(target)
    visitor.get(target)
    with record_statements(visitor.stand) as asked:
        assert visitor.get(target, **headers).status == 200
    return len(asked)


def test_a_page_is_made_once_for_visitors_with_foreign_cookies(visitor: Visitor, write) -> None:
    target = write(title="Kept")["link"]
    anew = count_statements(visitor, f"{target}?anew", cookie="cms_session=00000000-0000-4000-8000-000000000000.stale")
    assert count_statements(visitor, target) < anew
    assert count_statements(visitor, target, cookie="_ga=GA1.2; consent=all; cms_cart=t") < anew


def test_a_session_is_never_answered_with_what_is_kept(visitor: Visitor, write) -> None:
    target = write(title="Kept for visitors")["link"]
    visitor.get(target)
    visitor.sign_in("editor")
    assert "Signed in as" in visitor.get(target).text
    visitor.cookies = {"_ga": "GA1.2"}
    assert "Signed in as" not in visitor.get(target).text


def test_who_opened_a_protected_page_is_not_sent_the_kept_form(visitor: Visitor, write) -> None:
    target = write(password="open sesame", content="The treasure.")["link"]
    assert "The treasure." not in visitor.get(target).text
    assert visitor.post(target, {"post_password": "open sesame"}).status == 303
    visitor.cookies["_ga"] = "GA1.2"
    assert "The treasure." in visitor.get(target).text
    visitor.cookies = {"_ga": "GA1.2"}
    assert "The treasure." not in visitor.get(target).text

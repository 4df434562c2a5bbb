"""The administration opens for who is signed in."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect


def test_the_dashboard_opens_without_a_refusal_or_a_foreign_request(admin: Any) -> None:
    expect(admin.get_by_role("navigation", name="Administration")).to_be_visible()
    assert admin.refused == []
    assert admin.foreign == []

"""Render budgets of a request, and how much of it runs in the event loop."""

import logging

import pytest

from vetrina.kernel.errors import InlineBudgetExceeded
from vetrina.kernel.render_budget import InlineAllowance, RenderBudget


def test_what_is_past_a_budget_is_left_out_and_told_once(caplog: pytest.LogCaptureFixture) -> None:
    budget = RenderBudget(3, 10, of=("GET", "/x"))
    with caplog.at_level(logging.WARNING, "vetrina.budget"):
        assert budget.take_text("12345") == "12345"
        assert budget.take_text("12<b>45678") == "12<b>"
        assert budget.take_text("more") == ""
        assert not budget.take_block()
        assert budget.take_cached_html("x" * 80) == ""
    assert [record.getMessage().partition(" renders")[0] for record in caplog.records] == ["GET /x"]


def test_a_cut_ends_in_no_tag() -> None:
    assert RenderBudget(1, 6).take_text("ab<img src=x>") == "ab"


def test_a_kept_rendering_weighs_an_eighth_and_is_never_cut() -> None:
    budget = RenderBudget(1, 10)
    assert budget.take_cached_html("x" * 80) == "x" * 80
    assert budget.take_cached_html("x" * 8) == ""


def test_a_save_has_a_budget_of_its_own() -> None:
    budget = RenderBudget(1, 10)
    assert budget.take_text("x" * 20) == "x" * 10
    own = budget.build_save_budget("y" * 9)
    assert own.take_text("y" * 9) == "y" * 9
    assert own.build_fresh().take_text("y" * 9) == "y" * 9
    assert budget.saved == 9


def test_the_loop_has_an_allowance_that_is_paid_before_the_work() -> None:
    budget = RenderBudget(100, 1_000_000, InlineAllowance(100, 60.0))
    assert budget.take_text("x" * 60)
    with pytest.raises(InlineBudgetExceeded):
        budget.take_text("x" * 60)


def test_time_in_the_loop_is_processor_time() -> None:
    inline = InlineAllowance(100, -1.0)
    with pytest.raises(InlineBudgetExceeded):
        inline.check_time()
    InlineAllowance(100, 60.0).check_time()

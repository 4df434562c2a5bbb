"""What a request may render, and how much of that in the loop."""

import logging

import pytest

from vetrina.kernel.errors import TakesLong
from vetrina.kernel.render_budget import Budget, Inline


def test_what_is_past_a_budget_is_left_out_and_told_once(caplog: pytest.LogCaptureFixture) -> None:
    budget = Budget(3, 10, of=("GET", "/x"))
    with caplog.at_level(logging.WARNING, "vetrina.budget"):
        assert budget.take("12345") == "12345"
        assert budget.take("12<b>45678") == "12<b>"
        assert budget.take("more") == ""
        assert not budget.block()
        assert budget.answer("x" * 80) == ""
    assert [record.getMessage().partition(" renders")[0] for record in caplog.records] == ["GET /x"]


def test_a_cut_ends_in_no_tag() -> None:
    assert Budget(1, 6).take("ab<img src=x>") == "ab"


def test_a_kept_rendering_weighs_an_eighth_and_is_never_cut() -> None:
    budget = Budget(1, 10)
    assert budget.answer("x" * 80) == "x" * 80
    assert budget.answer("x" * 8) == ""


def test_a_save_has_a_budget_of_its_own() -> None:
    budget = Budget(1, 10)
    assert budget.take("x" * 20) == "x" * 10
    own = budget.of_save("y" * 9)
    assert own.take("y" * 9) == "y" * 9
    assert own.again().take("y" * 9) == "y" * 9
    assert budget.saved == 9


def test_the_loop_has_an_allowance_that_is_paid_before_the_work() -> None:
    budget = Budget(100, 1_000_000, Inline(100, 60.0))
    assert budget.take("x" * 60)
    with pytest.raises(TakesLong):
        budget.take("x" * 60)


def test_time_in_the_loop_is_processor_time() -> None:
    inline = Inline(100, -1.0)
    with pytest.raises(TakesLong):
        inline.look()
    Inline(100, 60.0).look()

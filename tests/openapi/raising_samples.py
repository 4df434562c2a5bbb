"""Functions that raise errors in the ways in which the server's own do; loaded by test_codes.py."""

from __future__ import annotations

from typing import Any

from vetrina.kernel.errors import ApiError


class Here(ApiError):
    code = "here"


class Below(ApiError):
    code = "below"


def raise_below() -> None:
    raise Below


class Room:
    def through_itself(self) -> None:
        self.other()

    def in_a_comprehension(self) -> list[None]:
        return [self.other() for _ in range(1)]

    def other(self) -> None:
        raise Here


def enclose(function: Any) -> Any:
    return lambda: function()


TABLE = {"one": raise_below}


def call_by_table() -> None:
    TABLE["one"]()

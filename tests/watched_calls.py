"""Tells a test when a function of the server is called; the function itself runs, unchanged.

For what happens between two lines of the server, which no request and no stored row can stop at.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType, FunctionType
from typing import Any

__all__ = ["watch_calls"]

_Profiler = Callable[[FrameType, str, Any], object]


@contextmanager
def watch_calls(*functions: Callable[..., Any], then: Callable[[], object], at: str = "call") -> Iterator[None]:
    """Run `then` in the thread that calls one of some functions, as they begin or (at="return") as they end.

    It is told of this thread and of those that start in the block.
    """
    codes = {_get_code(one) for one in functions}
    outer: _Profiler | None = sys.getprofile()

    def note(site: FrameType, event: str, argument: Any) -> None:
        if outer is not None:
            outer(site, event, argument)
        if event == at and site.f_code in codes:
            then()

    _set_profiler(note)
    try:
        yield
    finally:
        _set_profiler(outer)


def _set_profiler(profiler: _Profiler | None) -> None:
    sys.setprofile(profiler)
    threading.setprofile(profiler)  # type: ignore[arg-type]


def _get_code(function: Callable[..., Any]) -> CodeType:
    assert isinstance(function, FunctionType), function
    return function.__code__

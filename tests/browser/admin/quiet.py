"""Waiting until a screen asks for nothing more, sooner than the half second that the browser's own state takes."""

from __future__ import annotations

from typing import Any, Final

from browser.conftest import DELAY

# Turns of ten milliseconds that a page has for others, without a request.
_QUIET: Final = 15 + DELAY // 5

# Put into each page before its own scripts.
COUNT_REQUESTS: Final = """(() => {
    const ask = window.fetch;
    let open = 0, turns = 0;
    window.fetch = async (...given) => {
        open += 1;
        turns = 0;
        try {
            return await ask(...given);
        } finally {
            open -= 1;
            turns = 0;
        }
    };
    // A page that is at work gets no turn: on a loaded machine much time passes between an answer and what follows it.
    setInterval(() => {
        turns = document.readyState === 'complete' && open === 0 ? turns + 1 : 0;
    }, 10);
    window.isQuiet = (long) => turns > long;
})()"""


def wait_until_quiet(page: Any) -> None:
    """Wait until the page has what it asked for. Its window is one of `sign_in`."""
    page.wait_for_function("long => window.isQuiet(long)", arg=_QUIET)

"""Waiting until a screen asks for nothing more, sooner than the half second that the browser's own state takes."""

from __future__ import annotations

from typing import Any, Final

_QUIET: Final = 150  # milliseconds without a request

# Put into each page before its own scripts.
COUNT_REQUESTS: Final = """(() => {
    const ask = window.fetch;
    let open = 0, last = performance.now();
    window.fetch = async (...given) => {
        open += 1;
        try {
            return await ask(...given);
        } finally {
            open -= 1;
            last = performance.now();
        }
    };
    window.isQuiet = (long) =>
        document.readyState === 'complete' && open === 0 && performance.now() - last > long;
})()"""


def wait_until_quiet(page: Any) -> None:
    """Wait until the page has what it asked for. Its window is one of `sign_in`."""
    page.wait_for_function("long => window.isQuiet(long)", arg=_QUIET)

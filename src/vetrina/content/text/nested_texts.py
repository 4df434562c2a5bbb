"""Texts shown within another text: posts that a query finds, synced patterns, comments, titles.

What its author may write decides about a text wherever it is shown: the script of an administrator stays in the list of
a contributor, and a contributor's text is filtered within a page of scripts. So what the last filter would judge
otherwise than its own text stands as a comment in the text around it while that is filtered, and is put back behind.
Not here: the filter (content/text/output_filter.py), which texts are shown where (content/blocks/dynamic_rendering.py).
"""

import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from vetrina.content.text.output_filter import filter_output, filter_rendering, is_unfiltered
from vetrina.content.text.tag_attributes import open_end

__all__ = ["NestedTexts"]

# Elements in which everything is text up to their end tag.
_SWALLOWING: Final = ("script", "style", "textarea", "title", "iframe", "noscript", "noembed", "noframes", "xmp",
                      "plaintext")  # fmt: skip


class NestedTexts:
    """The texts that are shown within the one that is being rendered, and within one another."""

    def __init__(self) -> None:
        # Nobody can write the comment that stands for a text: its name is new for every rendering.
        name = secrets.token_hex(8)
        self._written = f"<!--{name}:{{}}-->"
        self._sought = re.compile(rf"<!--{name}:(\d+)-->", re.ASCII)
        self._held: list[tuple[str, str]] = []  # markup, and the stored text that it was made of
        self._apart = False
        self._deep = 0

    @contextmanager
    def within(self, raw: str) -> Iterator[None]:
        """Render a stored text. Within one that is not filtered, every other is judged apart."""
        before, self._apart = self._apart, is_unfiltered(raw)
        self._deep += 1
        try:
            yield
        finally:
            self._apart = before
            self._deep -= 1

    def hold(self, html: str, raw: str) -> str:
        """Return what stands for the markup of a nested text: itself, where no filter would change it."""
        safe = filter_output(html)
        if not html or (safe == html and not self._apart):
            return html
        # Markup that does not end would take in what somebody else wrote behind it.
        if safe != html and (not is_unfiltered(raw) or _swallows(html)):
            html, raw = safe, ""
            if not self._apart:
                return html
        self._held.append((html, raw))
        return self._written.format(len(self._held) - 1)

    def put_back(self, html: str, passes: Callable[[str], str]) -> str:
        """Return the outermost text with the nested ones in their places; a nested one waits for those around it.

        passes: what the text around them went through since they were held.
        """
        if self._deep or not self._held:
            return html

        def shown(found: re.Match[str]) -> str:
            number = int(found[1])
            if number >= len(self._held):
                return ""
            nested, raw = self._held[number]
            return self._sought.sub(shown, filter_rendering(raw, passes(nested)))

        return self._sought.sub(shown, html)


def _swallows(html: str) -> bool:
    lower = html.lower()
    return open_end(html) >= 0 or any(
        lower.rfind(f"<{name}") > lower.rfind(f"</{name}") for name in _SWALLOWING if f"<{name}" in lower
    )

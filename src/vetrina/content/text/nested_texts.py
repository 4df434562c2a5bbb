"""Texts rendered within another text: posts of a query, synced patterns, comments, titles.

The rights of its author decide about a text wherever it is shown: the script of an administrator stays in the list of a
contributor, and a contributor's text is filtered within a page of scripts. So a text that the filter would treat
differently on its own is replaced by a comment while the text around it is filtered, and put back afterwards.
Not here: the filter (content/text/output_filter.py), which texts are shown where (content/blocks/dynamic_rendering.py).
"""

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from vetrina.content.text.output_filter import filter_output, filter_rendering, is_unfiltered
from vetrina.content.text.tag_attributes import find_unclosed_tag

# Elements whose content is raw text up to their end tag.
_RAW_TEXT_ELEMENTS: Final = ("script", "style", "textarea", "title", "iframe", "noscript", "noembed", "noframes", "xmp",
                      "plaintext")  # fmt: skip


class NestedTexts:
    """The texts rendered within the current one, and within one another."""

    def __init__(self) -> None:
        # Nobody can write the comment that stands for a text: its name is random for every rendering.
        self._name = secrets.token_hex(8)
        # Markup, and the stored text that it was rendered from; None for what the server made itself.
        self._held: list[tuple[str, str | None]] = []
        self._apart = False
        self._deep = 0

    @contextmanager
    def within(self, raw: str) -> Iterator[None]:
        """Render a stored text. Texts nested in an unfiltered one are filtered separately."""
        before, self._apart = self._apart, is_unfiltered(raw)
        self._deep += 1
        try:
            yield
        finally:
            self._apart = before
            self._deep -= 1

    def hold(self, html: str, raw: str) -> str:
        """Return the placeholder of a nested text, or its markup where no filter would change it."""
        safe = filter_output(html)
        if not html or (safe == html and not self._apart):
            return html
        # Unclosed markup would take in what somebody else wrote after it.
        if safe != html and (not is_unfiltered(raw) or _has_open_element(html)):
            html, raw = safe, ""
            if not self._apart:
                return html
        self._held.append((html, raw))
        return self._write_placeholder()

    def keep(self, html: str) -> str:
        """Return the placeholder of markup that the server made, and that no pass and no filter changes."""
        if not html:
            return ""
        self._held.append((html, None))
        return self._write_placeholder()

    def _write_placeholder(self) -> str:
        return f"<!--{self._name}:{len(self._held) - 1}-->"

    def put_back(self, html: str, passes: Callable[[str], str]) -> str:
        """Return the outermost text with the nested ones in their places; a nested one waits for those around it.

        passes: what was applied to the text around them since they were held.
        """
        if self._deep or not self._held:
            return html

        def restore(text: str) -> str:
            first, *rest = text.split(f"<!--{self._name}:")
            for part in rest:
                number, end, after = part.partition("-->")
                if not end:
                    break  # cut off with the text that it stood in
                nested, raw = self._held[int(number)] if number.isdecimal() else ("", "")
                first += restore(nested if raw is None else filter_rendering(raw, passes(nested))) + after
            return first

        return restore(html)


def _has_open_element(html: str) -> bool:
    lower = html.lower()
    return find_unclosed_tag(html) >= 0 or any(
        lower.rfind(f"<{name}") > lower.rfind(f"</{name}") for name in _RAW_TEXT_ELEMENTS if f"<{name}" in lower
    )

"""How much one request may render, and how much of that in the event loop.

Content over the budget is left out without an error, with one line in the log; over the loop's allowance the request
is rolled back and run again in a thread (http/app.py). Characters are paid for when they are processed: in full when
rendered, a tenth when only copied. The limits themselves: settings.py.
"""

from __future__ import annotations

import logging
import time

from .errors import InlineBudgetExceeded

_LOG = logging.getLogger("vetrina.budget")

_CACHED_DIVISOR = 8  # as many of their characters cost as much as one that is rendered
_CACHED_DIVISOR_INLINE = 64  # likewise in the loop, where a list of usual length must stay
_PREPAID_CHARACTERS = 16_000  # characters of cached renderings that are paid for at a time
_RENDERINGS_PER_SAVE = 2  # renderings of a text at each save: the content and the excerpt


class InlineAllowance:
    """What a request may take of the event loop, which every other request waits for.

    characters: that may still be processed. seconds: of processor time, from now on.
    """

    __slots__ = ("_characters", "_look_at", "_until")

    def __init__(self, characters: int, seconds: float) -> None:
        self._characters, self._until = characters, time.thread_time() + seconds
        self._look_at = time.monotonic() + seconds

    def spend(self, characters: int) -> None:
        """Pay for characters before they are processed. Raises InlineBudgetExceeded."""
        self._characters -= characters
        if self._characters < 0:
            raise InlineBudgetExceeded

    def check_time(self) -> None:
        """Raise InlineBudgetExceeded when the time is over."""
        # Processor time never exceeds wall time, and asking for it takes a system call.
        if time.monotonic() > self._look_at and time.thread_time() > self._until:
            raise InlineBudgetExceeded


class RenderBudget:
    """What is left of what a request may render.

    blocks, characters: of the whole request, parts included. inline: the loop's allowance, None outside of the loop.
    of: method and path, or the job, for the log line. saved: characters rendered for storage so far. copied: characters
    of cached renderings that were asked for so far; worked: how often anything else was paid for.
    """

    __slots__ = (
        "_blocks",
        "_characters",
        "_exceeded",
        "_inline",
        "_most",
        "_of",
        "_prepaid",
        "copied",
        "saved",
        "worked",
    )

    def __init__(
        self, blocks: int, characters: int, inline: InlineAllowance | None = None, of: tuple[str, ...] = ("a job",)
    ) -> None:
        self._most = blocks, characters
        self._blocks, self._characters = blocks, characters
        self._inline, self._of = inline, of
        self._exceeded = False
        self._prepaid = self.saved = self.copied = self.worked = 0

    @property
    def is_exceeded(self) -> bool:
        """Return whether something was left out."""
        return self._exceeded

    @property
    def left(self) -> int:
        """Return how many characters may still be processed."""
        return max(0, self._characters)

    def build_save_budget(self, *texts: str) -> RenderBudget:
        """Return the budget of a rendering that is stored, whatever else was rendered for the request.

        All that the save takes of the loop is paid at once. Raises InlineBudgetExceeded.
        """
        size = sum(map(len, texts))
        if self._inline is not None:
            self._inline.spend(_RENDERINGS_PER_SAVE * size)
        self.saved += size
        blocks, characters = self._most
        # No text has more blocks than characters, and blocks that show the site are not rendered for storage.
        return RenderBudget(max(blocks, size), characters, of=self._of)

    def build_fresh(self) -> RenderBudget:
        """Return the same budget, unspent."""
        return RenderBudget(*self._most, of=self._of)

    def pay_passed_text(self, characters: int) -> None:
        """Pay for a text that is returned whatever its length. Raises InlineBudgetExceeded."""
        if self._inline is not None:
            self._inline.spend(characters // _CACHED_DIVISOR_INLINE)

    def drop_inline_allowance(self) -> None:
        """Drop the loop's allowance: from now on the request cannot be rolled back."""
        self._inline = None

    def take_block(self, weight: int = 1) -> bool:
        """Take one block, or one that costs as much as several; return False when none is left."""
        self._blocks -= weight
        self.worked += 1
        if self._blocks >= 0 and self._characters > 0:
            return True
        self._exceed()
        return False

    def pay(self, characters: int) -> bool:
        """Pay for characters to be processed; return False when too few were left. Raises InlineBudgetExceeded."""
        self.worked += 1
        if self._inline is not None:
            self._inline.spend(characters)
        self._characters -= characters
        if self._characters >= 0:
            return True
        self._exceed()
        return False

    def pay_copied(self, characters: int) -> bool:
        """Pay for characters that are copied and searched; return False when too few were left."""
        return self.pay(characters // 10)

    def take_text(self, text: str) -> str:
        """Return how much of a text may be processed: all of it, or a beginning that does not end inside a tag."""
        left = self._characters
        if self.pay(len(text)):
            return text
        beginning = text[: max(0, left)]
        tag = beginning.rfind("<")
        return beginning[:tag] if tag > beginning.rfind(">") else beginning

    def take_cached_html(self, html: str) -> str:
        """Return a cached rendering if it may still be returned, empty text otherwise. Raises InlineBudgetExceeded."""
        self.copied += len(html)
        self._prepaid -= len(html)
        return html if self._prepaid >= 0 or self._prepay() else ""

    def pay_kept(self, characters: int) -> bool:
        """Pay for cached renderings in a text that is kept whole, as for each of them; return False, and pay nothing,
        where too few characters are left for that and for what is paid in advance.
        """
        if self._prepaid >= characters:
            self._prepaid -= characters
            return True
        if (characters + _PREPAID_CHARACTERS) // _CACHED_DIVISOR > self._characters:
            return False
        self._prepaid -= characters
        return self._prepay()

    def _prepay(self) -> bool:
        """Pay for cached renderings and some thousand characters in advance: a list has many short ones."""
        size = _PREPAID_CHARACTERS - self._prepaid
        if size // _CACHED_DIVISOR > self._characters:
            size = -self._prepaid
        if self._inline is not None:
            self._inline.spend(size // _CACHED_DIVISOR_INLINE)
        self._prepaid += size
        cost = size // _CACHED_DIVISOR
        if cost <= self._characters:
            self._characters -= cost
            return True
        self._prepaid = 0
        self._exceed()
        return False

    def _exceed(self) -> None:
        if not self._exceeded:
            self._exceeded = True
            _LOG.warning(
                "%s renders more than %d blocks or %d characters; the rest is left out", " ".join(self._of), *self._most
            )

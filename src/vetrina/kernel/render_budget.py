"""How much one request may render, and how much of that while everybody waits for it.

What is past a budget is left out, without an error and with one line in the log; what is past the allowance of the loop
is undone and done again in a thread (http/app.py). A character is paid for when it is worked through: a text that
passes through a rendering, a tenth of that where it is only copied. Not here: the figures (settings.py).
"""

from __future__ import annotations

import logging
import time

from .errors import TakesLong

__all__ = ["Budget", "Inline"]

_LOG = logging.getLogger("vetrina.budget")

_KEPT = 8  # kept renderings are only copied: so many of their characters weigh as one that is rendered
_KEPT_INLINE = 64  # likewise in the loop, where a list of usual length must stay
_PREPAID = 16_000  # of their characters that are paid for at a time
_PASSES = 2  # renderings that a save makes of a text: the content and the excerpt


class Inline:
    """What a request may take of the loop, in which everybody waits for it.

    characters: that may still be worked through. seconds: of processor, from now on.
    """

    __slots__ = ("_characters", "_look_at", "_until")

    def __init__(self, characters: int, seconds: float) -> None:
        self._characters, self._until = characters, time.thread_time() + seconds
        self._look_at = time.monotonic() + seconds

    def spend(self, characters: int) -> None:
        """Pay for characters before they are worked through. Raises TakesLong."""
        self._characters -= characters
        if self._characters < 0:
            raise TakesLong

    def look(self) -> None:
        """Raise TakesLong when the time is over."""
        # No more time of the processor has gone by than time has; to ask for it takes a call of the system.
        if time.monotonic() > self._look_at and time.thread_time() > self._until:
            raise TakesLong


class Budget:
    """What is left of what a request may render.

    blocks, characters: of the whole request, parts included. inline: None where nobody waits for it.
    of: what is asked, for the line of the log. saved: characters that were rendered to be kept so far.
    """

    __slots__ = ("_blocks", "_characters", "_exceeded", "_inline", "_most", "_of", "_prepaid", "saved")

    def __init__(
        self, blocks: int, characters: int, inline: Inline | None = None, of: tuple[str, ...] = ("a job",)
    ) -> None:
        self._most = blocks, characters
        self._blocks, self._characters = blocks, characters
        self._inline, self._of = inline, of
        self._exceeded = False
        self._prepaid = self.saved = 0

    @property
    def left(self) -> int:
        """Return how many characters may still be worked through."""
        return max(0, self._characters)

    def of_save(self, *texts: str) -> Budget:
        """Return the budget of a rendering that is kept, whatever else was rendered for the request.

        All that the save takes of the loop is paid at once. Raises TakesLong.
        """
        size = sum(map(len, texts))
        if self._inline is not None:
            self._inline.spend(_PASSES * size)
        self.saved += size
        blocks, characters = self._most
        # No text has more blocks than characters, and those that show the site are not rendered to be kept.
        return Budget(max(blocks, size), characters, of=self._of)

    def again(self) -> Budget:
        """Return the same budget, untouched."""
        return Budget(*self._most, of=self._of)

    def pass_on(self, characters: int) -> None:
        """Pay for a text that is answered whatever its length. Raises TakesLong."""
        if self._inline is not None:
            self._inline.spend(characters // _KEPT_INLINE)

    def leave_loop(self) -> None:
        """Forget the allowance of the loop: what is done cannot be undone any more."""
        self._inline = None

    def block(self, weight: int = 1) -> bool:
        """Take one block, or one that weighs as much as several; False when none is left."""
        self._blocks -= weight
        if self._blocks >= 0 and self._characters > 0:
            return True
        self._exceed()
        return False

    def pay(self, characters: int) -> bool:
        """Pay for characters that are worked through; False when there were not so many left. Raises TakesLong."""
        if self._inline is not None:
            self._inline.spend(characters)
        self._characters -= characters
        if self._characters >= 0:
            return True
        self._exceed()
        return False

    def copy(self, characters: int) -> bool:
        """Pay for characters that are copied and searched; False when there were not so many left."""
        return self.pay(characters // 10)

    def take(self, text: str) -> str:
        """Return what of a text may be worked through: all of it, or a beginning that ends in no tag."""
        left = self._characters
        if self.pay(len(text)):
            return text
        beginning = text[: max(0, left)]
        tag = beginning.rfind("<")
        return beginning[:tag] if tag > beginning.rfind(">") else beginning

    def answer(self, html: str) -> str:
        """Return a kept rendering if it may still be answered, nothing otherwise. Raises TakesLong."""
        self._prepaid -= len(html)
        return html if self._prepaid >= 0 or self._prepay() else ""

    def _prepay(self) -> bool:
        """Pay for kept renderings, and for some thousands of characters more: a list has many short ones."""
        size = _PREPAID - self._prepaid
        if size // _KEPT > self._characters:
            size = -self._prepaid
        if self._inline is not None:
            self._inline.spend(size // _KEPT_INLINE)
        self._prepaid += size
        cost = size // _KEPT
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

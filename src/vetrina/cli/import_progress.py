"""The progress of an import: one line that is written over, or plain lines where no terminal is."""

from __future__ import annotations

import sys
import time
from typing import Final

import click

from vetrina.transfer.events import ImportEvent, ImportProgress, ImportStarted

_TERMINAL_PAUSE: Final = 0.2  # seconds between two states of the line
_LINE_PAUSE: Final = 10.0  # seconds between two plain lines
_MIN_SHARE: Final = 0.01  # of everything that is done before the rest is estimated


class ProgressLine:
    """Shows the events of an import on standard error."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._start = self._shown = time.monotonic()
        self._total = 0
        self._before, self._resource, self._done, self._is_counted = 0, "", 0, True
        self._width = 0

    def show(self, event: ImportEvent) -> None:
        """Show an event, if it is time to."""
        if isinstance(event, ImportStarted):
            self._total = event.total
            ids = "their ids are kept" if event.keep_ids else "they get new ids"
            more = "" if event.is_whole else "at least "
            click.echo(f"{more.capitalize()}{event.total:,} records of {event.title!r}; {ids}.", err=True)
        elif isinstance(event, ImportProgress):
            if event.resource != self._resource:
                self._before, self._resource = self._count_done(), event.resource
            self._done, self._is_counted = event.done, event.total is not None
            self._write_when_due()

    def end(self) -> None:
        """Leave the line."""
        if self._terminal and self._width:
            click.echo(f"\r{' ' * self._width}\r", nl=False, err=True)

    def _write_when_due(self) -> None:
        now = time.monotonic()
        if now - self._shown < (_TERMINAL_PAUSE if self._terminal else _LINE_PAUSE):
            return
        self._shown = now
        line = self._describe(now - self._start)
        if self._terminal:
            click.echo(f"\r{line.ljust(self._width)}", nl=False, err=True)
            self._width = len(line)
        else:
            click.echo(line, err=True)

    def _count_done(self) -> int:
        """Return how many records are done of those that are in the total."""
        return self._before + (self._done if self._is_counted else 0)

    def _describe(self, passed: float) -> str:
        done = self._count_done()
        name = self._resource.rpartition("/")[2]
        if not self._is_counted:
            name = f"and {self._done:,} {name}"
        line = f"{done:,} of {self._total:,} done, {max(0, self._total - done):,} left"
        if done and done >= self._total * _MIN_SHARE:
            line += f", about {format_seconds(passed * (self._total - done) / done)}"
        return f"{line} ({name})"


def format_seconds(seconds: float) -> str:
    """Return a time as a person says it, as `3 min 20 s`."""
    minutes, rest = divmod(max(0, round(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"

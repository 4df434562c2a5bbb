"""How far an import is, as its job tells it."""

from __future__ import annotations

from collections.abc import Callable

from vetrina.transfer.events import ImportEvent, ImportProgress, ImportStarted


class ImportProgressTeller:
    """Adds up what the events of an import say. note: told of the collection, records done and records in all."""

    def __init__(self, note: Callable[[str, int, int], None]) -> None:
        self._note, self._total = note, 0
        self._before, self._resource, self._done = 0, "", 0  # of what is in the total

    def __call__(self, event: ImportEvent) -> None:
        """Take an event. Raises what `note` raises."""
        if isinstance(event, ImportStarted):
            self._total = event.total
        elif isinstance(event, ImportProgress):
            if event.resource != self._resource:
                self._before, self._resource = self._before + self._done, event.resource
            self._done = 0 if event.total is None else event.done
            self._note(event.resource, self._before + self._done, self._total)

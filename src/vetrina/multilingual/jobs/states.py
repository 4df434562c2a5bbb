"""A translation job's life: its states, what may happen in each, and what it becomes.

Everything that moves a job asks this table; nothing else knows which move is legal. Not here: what a move does beside
(multilingual/jobs/rules.py, applying.py), the flag `needs_update`, which stands beside the state. Rules: facts of the
multilingual layer, "Status codes" and "Life cycle".
"""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import Final

from vetrina.kernel.errors import ApiError

__all__ = ["HIDDEN", "NAMES", "OPEN", "Event", "IllegalMove", "Review", "State", "moved", "read"]


class State(IntEnum):
    """Where a job stands; the numbers are those of the interface."""

    NOT_TRANSLATED = 0
    WAITING = 1
    IN_PROGRESS = 2
    READY = 4
    DUPLICATE = 9
    COMPLETE = 10
    RETRY = 40
    SWITCHED_OFF = 42
    AT_AGENCY = 102


NAMES: Final[dict[State, str]] = {
    State.NOT_TRANSLATED: "not translated",
    State.WAITING: "waiting for translator",
    State.IN_PROGRESS: "in progress",
    State.READY: "ready to download",
    State.DUPLICATE: "duplicate",
    State.COMPLETE: "complete",
    State.RETRY: "needs retry",
    State.SWITCHED_OFF: "cancelled in the editor",
    State.AT_AGENCY: "pending at the agency",
}

# What still waits for texts: a new request for the same thing takes its place.
OPEN: Final = frozenset({State.WAITING, State.IN_PROGRESS, State.READY, State.RETRY, State.AT_AGENCY})
# What no list shows.
HIDDEN: Final = frozenset({State.NOT_TRANSLATED, State.SWITCHED_OFF})


class Review(StrEnum):
    """What becomes of a text that a machine translated."""

    NONE = ""
    NEEDED = "NEEDS_REVIEW"
    EDITING = "EDITING"
    ACCEPTED = "ACCEPTED"


class Event(StrEnum):
    """What may happen to a job; the word completes "a job cannot be …"."""

    SENT = "sent"
    SENT_TO_EDITOR = "sent to the editor"
    SENT_TO_AGENCY = "sent to the agency"
    NOT_REACHED = "kept for another try"
    REACHED = "tried again"
    ASSIGNED = "assigned"
    OPENED = "opened"
    SAVED = "saved"
    RESIGNED = "given back"
    DELIVERED = "made ready"
    COMPLETED = "completed"
    CANCELLED = "cancelled"
    SWITCHED_OFF = "switched off"
    DUPLICATED = "duplicated"
    MADE_INDEPENDENT = "made independent"
    REVIEWED = "reviewed"


class IllegalMove(ApiError):
    """The job's state does not allow this; the answer names the state and what would be allowed."""

    status, code = 409, "mlang_job_state"
    message = "A job that is {state} cannot be {event}."

    def __init__(self, state: State, event: Event) -> None:
        super().__init__(
            state=f"{NAMES[state]} ({state.value})",
            event=event.value,
            data={"state": state.value, "state_name": NAMES[state], "event": event.value},
        )


_S = State
# Sent anew: whatever was under way gives way, and what is complete is translated once more.
_SENDABLE = frozenset({_S.NOT_TRANSLATED, _S.WAITING, _S.IN_PROGRESS, _S.READY, _S.COMPLETE, _S.RETRY, _S.SWITCHED_OFF,
                       _S.AT_AGENCY, _S.DUPLICATE})  # fmt: skip
_HELD = frozenset({_S.WAITING, _S.IN_PROGRESS, _S.COMPLETE, _S.RETRY})

# Event → the states in which it may happen → what the job becomes; None: it stays what it is.
_MOVES: Final[dict[Event, tuple[frozenset[State], State | None]]] = {
    Event.SENT: (_SENDABLE, _S.WAITING),
    Event.SENT_TO_EDITOR: (frozenset({_S.WAITING, _S.IN_PROGRESS, _S.RETRY}), _S.IN_PROGRESS),
    Event.SENT_TO_AGENCY: (frozenset({_S.WAITING, _S.IN_PROGRESS, _S.RETRY, _S.AT_AGENCY}), _S.IN_PROGRESS),
    Event.NOT_REACHED: (frozenset({_S.WAITING, _S.IN_PROGRESS, _S.RETRY}), _S.RETRY),
    Event.REACHED: (frozenset({_S.RETRY}), _S.WAITING),
    Event.ASSIGNED: (_HELD, _S.WAITING),
    Event.OPENED: (frozenset({_S.WAITING, _S.IN_PROGRESS}), _S.IN_PROGRESS),
    Event.SAVED: (frozenset({_S.WAITING, _S.IN_PROGRESS}), _S.IN_PROGRESS),
    Event.RESIGNED: (frozenset({_S.IN_PROGRESS}), _S.WAITING),
    Event.DELIVERED: (frozenset({_S.WAITING, _S.IN_PROGRESS, _S.AT_AGENCY, _S.READY}), _S.READY),
    Event.COMPLETED: (frozenset({_S.WAITING, _S.IN_PROGRESS, _S.READY, _S.COMPLETE}), _S.COMPLETE),
    Event.CANCELLED: (OPEN, _S.NOT_TRANSLATED),
    Event.SWITCHED_OFF: (frozenset({_S.WAITING, _S.IN_PROGRESS, _S.RETRY}), _S.SWITCHED_OFF),
    Event.DUPLICATED: (frozenset({_S.NOT_TRANSLATED, _S.COMPLETE, _S.DUPLICATE}), _S.DUPLICATE),
    Event.MADE_INDEPENDENT: (frozenset({_S.DUPLICATE}), _S.COMPLETE),
    Event.REVIEWED: (frozenset({_S.COMPLETE}), None),
}


def moved(state: State, event: Event) -> State:
    """Return what a job in a state becomes by an event. Raises IllegalMove."""
    allowed, after = _MOVES[event]
    if state not in allowed:
        raise IllegalMove(state, event)
    return state if after is None else after


def read(number: int) -> State:
    """Return the state of a stored number; one that nobody knows reads as not translated."""
    return State(number) if number in NAMES else State.NOT_TRANSLATED

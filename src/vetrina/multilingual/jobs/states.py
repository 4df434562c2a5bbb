"""The state machine of translation jobs: states, events, and the transitions that are legal.

Every change of a job's state goes through this table. Not here: what a transition does
(multilingual/jobs/rules.py), and the flag `needs_update`, which is not part of the state. Rules:
docs/rules/translation_jobs.md, 3, 4, 5, 6, 7 and 8.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import Final

from vetrina.kernel.errors import ApiError, Failure


class TranslationJobState(IntEnum):
    """The state of a job; the codes are those of the interface."""

    NOT_TRANSLATED = 0
    WAITING = 1
    IN_PROGRESS = 2
    READY = 4
    DUPLICATE = 9
    COMPLETE = 10
    RETRY = 40
    SWITCHED_OFF = 42
    AT_AGENCY = 102


NAMES: Final[dict[TranslationJobState, str]] = {
    TranslationJobState.NOT_TRANSLATED: "not translated",
    TranslationJobState.WAITING: "waiting for translator",
    TranslationJobState.IN_PROGRESS: "in progress",
    TranslationJobState.READY: "ready to download",
    TranslationJobState.DUPLICATE: "duplicate",
    TranslationJobState.COMPLETE: "complete",
    TranslationJobState.RETRY: "needs retry",
    TranslationJobState.SWITCHED_OFF: "cancelled in the editor",
    TranslationJobState.AT_AGENCY: "pending at the agency",
}

# Jobs that still wait for texts: a new request for the same item replaces them.
OPEN: Final = frozenset(
    {
        TranslationJobState.WAITING,
        TranslationJobState.IN_PROGRESS,
        TranslationJobState.READY,
        TranslationJobState.RETRY,
        TranslationJobState.AT_AGENCY,
    }
)
# In no list.
HIDDEN: Final = frozenset({TranslationJobState.NOT_TRANSLATED, TranslationJobState.SWITCHED_OFF})


class TranslationReview(StrEnum):
    """The review of a machine translation."""

    NONE = ""
    NEEDED = "NEEDS_REVIEW"
    EDITING = "EDITING"
    ACCEPTED = "ACCEPTED"


class TranslationJobEvent(StrEnum):
    """An event of a job; the value completes "a job cannot be …"."""

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


class IllegalJobTransition(ApiError):
    """The job's state does not allow the event; the error names the state and what it allows."""

    failure, code = Failure.CONFLICT, "mlang_job_state"
    message = "A job that is {state} cannot be {event}."

    def __init__(self, state: TranslationJobState, event: TranslationJobEvent) -> None:
        super().__init__(
            state=f"{NAMES[state]} ({state.value})",
            event=event.value,
            data={"state": state.value, "state_name": NAMES[state], "event": event.value},
        )


_S = TranslationJobState
# Sending again: an open job is replaced, and a completed one is translated once more.
_SENDABLE = frozenset({_S.NOT_TRANSLATED, _S.WAITING, _S.IN_PROGRESS, _S.READY, _S.COMPLETE, _S.RETRY, _S.SWITCHED_OFF,
                       _S.AT_AGENCY, _S.DUPLICATE})  # fmt: skip
_HELD = frozenset({_S.WAITING, _S.IN_PROGRESS, _S.COMPLETE, _S.RETRY})

# Event → the states that allow it → the next state; None leaves the state unchanged.
_MOVES: Final[dict[TranslationJobEvent, tuple[frozenset[TranslationJobState], TranslationJobState | None]]] = {
    TranslationJobEvent.SENT: (_SENDABLE, _S.WAITING),
    TranslationJobEvent.SENT_TO_EDITOR: (frozenset({_S.WAITING, _S.IN_PROGRESS, _S.RETRY}), _S.IN_PROGRESS),
    TranslationJobEvent.SENT_TO_AGENCY: (
        frozenset({_S.WAITING, _S.IN_PROGRESS, _S.RETRY, _S.AT_AGENCY}),
        _S.IN_PROGRESS,
    ),
    TranslationJobEvent.NOT_REACHED: (frozenset({_S.WAITING, _S.IN_PROGRESS, _S.RETRY}), _S.RETRY),
    TranslationJobEvent.REACHED: (frozenset({_S.RETRY}), _S.WAITING),
    TranslationJobEvent.ASSIGNED: (_HELD, _S.WAITING),
    TranslationJobEvent.OPENED: (frozenset({_S.WAITING, _S.IN_PROGRESS}), _S.IN_PROGRESS),
    TranslationJobEvent.SAVED: (frozenset({_S.WAITING, _S.IN_PROGRESS}), _S.IN_PROGRESS),
    TranslationJobEvent.RESIGNED: (frozenset({_S.IN_PROGRESS}), _S.WAITING),
    TranslationJobEvent.DELIVERED: (frozenset({_S.WAITING, _S.IN_PROGRESS, _S.AT_AGENCY, _S.READY}), _S.READY),
    TranslationJobEvent.COMPLETED: (frozenset({_S.WAITING, _S.IN_PROGRESS, _S.READY, _S.COMPLETE}), _S.COMPLETE),
    TranslationJobEvent.CANCELLED: (OPEN, _S.NOT_TRANSLATED),
    TranslationJobEvent.SWITCHED_OFF: (frozenset({_S.WAITING, _S.IN_PROGRESS, _S.RETRY}), _S.SWITCHED_OFF),
    TranslationJobEvent.DUPLICATED: (frozenset({_S.NOT_TRANSLATED, _S.COMPLETE, _S.DUPLICATE}), _S.DUPLICATE),
    TranslationJobEvent.MADE_INDEPENDENT: (frozenset({_S.DUPLICATE}), _S.COMPLETE),
    TranslationJobEvent.REVIEWED: (frozenset({_S.COMPLETE}), None),
}


def get_next_state(state: TranslationJobState, event: TranslationJobEvent) -> TranslationJobState:
    """Return the next state after an event. Raises IllegalJobTransition."""
    allowed, after = _MOVES[event]
    if state not in allowed:
        raise IllegalJobTransition(state, event)
    return state if after is None else after


def decode_state(number: int) -> TranslationJobState:
    """Return the state of a stored code; unknown codes read as not translated."""
    return TranslationJobState(number) if number in NAMES else TranslationJobState.NOT_TRANSLATED

"""The state machine of jobs: every state and event has a result, and refusals name the state."""

from __future__ import annotations

import pytest

from vetrina.multilingual.jobs.states import (
    HIDDEN,
    NAMES,
    OPEN,
    IllegalJobTransition,
    TranslationJobEvent as Event,
    TranslationJobState as State,
    decode_state,
    get_next_state,
)
from vetrina.rest.error_statuses import serialize_error


def test_every_state_has_a_name_and_a_number_that_reads_back() -> None:
    assert set(NAMES) == set(State)
    assert all(decode_state(state.value) is state for state in State)
    assert decode_state(77) is State.NOT_TRANSLATED


def test_every_event_may_happen_somewhere() -> None:
    for event in Event:
        ends = set()
        for state in State:
            try:
                ends.add(get_next_state(state, event))
            except IllegalJobTransition:
                continue
        assert ends, event


@pytest.mark.parametrize("state, event, after", [
    (State.WAITING, Event.OPENED, State.IN_PROGRESS), (State.IN_PROGRESS, Event.RESIGNED, State.WAITING),
    (State.WAITING, Event.COMPLETED, State.COMPLETE), (State.IN_PROGRESS, Event.DELIVERED, State.READY),
    (State.READY, Event.COMPLETED, State.COMPLETE), (State.WAITING, Event.CANCELLED, State.NOT_TRANSLATED),
    (State.RETRY, Event.REACHED, State.WAITING), (State.DUPLICATE, Event.MADE_INDEPENDENT, State.COMPLETE),
    (State.COMPLETE, Event.REVIEWED, State.COMPLETE), (State.IN_PROGRESS, Event.SWITCHED_OFF, State.SWITCHED_OFF),
])  # fmt: skip
def test_legal_moves(state: State, event: Event, after: State) -> None:
    assert get_next_state(state, event) is after


@pytest.mark.parametrize("state, event", [
    (State.COMPLETE, Event.CANCELLED), (State.NOT_TRANSLATED, Event.COMPLETED), (State.DUPLICATE, Event.COMPLETED),
    (State.WAITING, Event.REVIEWED), (State.WAITING, Event.RESIGNED), (State.SWITCHED_OFF, Event.ASSIGNED),
])  # fmt: skip
def test_an_illegal_move_is_told_with_the_state(state: State, event: Event) -> None:
    with pytest.raises(IllegalJobTransition) as raised:
        get_next_state(state, event)
    told = serialize_error(raised.value)
    assert told["code"] == "mlang_job_state"
    assert told["data"] == {"status": 409, "state": state.value, "state_name": NAMES[state], "event": event.value}
    assert NAMES[state] in told["message"]


def test_what_is_open_can_be_cancelled_and_is_listed() -> None:
    assert all(get_next_state(state, Event.CANCELLED) is State.NOT_TRANSLATED for state in OPEN)
    assert not OPEN & HIDDEN

"""A semaphore with weights: never over its limit, in order of arrival."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis.strategies import integers, lists

from vetrina.kernel.weighted_semaphore import WeightedSemaphore


def eventually(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 10
    while not holds():
        assert time.monotonic() < end, "it does not come to pass"
        time.sleep(0.001)


class Holder:
    """A thread that holds a weight until it is let go. order: where it notes that it was let in."""

    def __init__(self, semaphore: WeightedSemaphore, weight: int, order: list[int]) -> None:
        self.inside, self._done = threading.Event(), threading.Event()

        def run() -> None:
            with semaphore.hold(weight):
                order.append(weight)
                self.inside.set()
                self._done.wait(60)

        self._thread = threading.Thread(target=run)
        self._thread.start()

    def leave(self) -> None:
        self._done.set()
        self._thread.join(60)


def waiting(semaphore: WeightedSemaphore) -> int:
    return len(semaphore._queue)


def test_who_came_first_is_let_in_first() -> None:
    semaphore, order = WeightedSemaphore(10), list[int]()
    first = Holder(semaphore, 6, order)
    first.inside.wait(60)
    heavy = Holder(semaphore, 9, order)
    eventually(lambda: waiting(semaphore) == 1)
    light = Holder(semaphore, 2, order)
    eventually(lambda: waiting(semaphore) == 2)
    assert not light.inside.wait(0.05), "a light one passed the heavy one that waited before it"
    first.leave()
    assert heavy.inside.wait(60)
    heavy.leave()
    assert light.inside.wait(60)
    assert order == [6, 9, 2]
    light.leave()


def test_what_is_heavier_than_all_enters_alone() -> None:
    semaphore, order = WeightedSemaphore(10), list[int]()
    light = Holder(semaphore, 1, order)
    light.inside.wait(60)
    huge = Holder(semaphore, 1000, order)
    assert not huge.inside.wait(0.05)
    light.leave()
    assert huge.inside.wait(60)
    next_one = Holder(semaphore, 1, order)
    assert not next_one.inside.wait(0.05)
    huge.leave()
    assert next_one.inside.wait(60)
    next_one.leave()


def test_an_error_inside_gives_the_room_back() -> None:
    semaphore = WeightedSemaphore(10)
    for _ in range(3):
        with pytest.raises(ValueError, match="broken"), semaphore.hold(10):
            raise ValueError("broken")
    with semaphore.hold(10):
        assert waiting(semaphore) == 0


@given(capacity=integers(1, 20), weights=lists(integers(0, 30), min_size=1, max_size=12))
def test_never_more_than_fits(capacity: int, weights: list[int]) -> None:
    semaphore, lock, inside, most = WeightedSemaphore(capacity), threading.Lock(), [0], [0]

    def work(weight: int) -> None:
        counted = min(weight, capacity)
        with semaphore.hold(weight):
            with lock:
                inside[0] += counted
                most[0] = max(most[0], inside[0])
            with lock:
                inside[0] -= counted

    threads = [threading.Thread(target=work, args=(weight,)) for weight in weights]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    assert most[0] <= capacity
    assert waiting(semaphore) == 0

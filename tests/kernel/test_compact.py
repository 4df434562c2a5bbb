"""Stored bytes take no more memory than their length."""

from __future__ import annotations

import tracemalloc

import orjson
import pytest

from vetrina.kernel.compact_bytes import compact_bytes


@pytest.mark.parametrize("length", [100, 4000, 100_000])
def test_what_is_kept_takes_no_more_than_its_length(length: int) -> None:
    written = [{"at": at, "text": "x" * length} for at in range(50)]
    tracemalloc.start()
    kept = [compact_bytes(orjson.dumps(one)) for one in written]
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [orjson.loads(one) for one in kept] == written
    assert taken < sum(len(one) + 100 for one in kept)

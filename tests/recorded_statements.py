"""Records what a request asks of the embedded database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from conftest import Stand
from vetrina.http import offload

_WHOLE_ANSWER = 600.0  # seconds of the processor, more than any request of a test takes
_FRAME = ("BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "--")


@contextmanager
def record_statements(site: Stand, framed: bool = False) -> Iterator[list[str]]:
    """Record the statements of a block, without those that begin and end a transaction unless they are `framed`.

    No request of the block moves to a thread because a loaded machine gave it too little time in the event loop: the
    thread has a connection of its own, and the statements would be those until then.
    """
    recorded: list[str] = []
    connection = site.site.database.connection()
    connection.set_trace_callback(
        lambda text: None if text.startswith(_FRAME) and not framed else recorded.append(text)
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(offload, "_MAX_INLINE_SECONDS", _WHOLE_ANSWER)
        try:
            yield recorded
        finally:
            connection.set_trace_callback(None)

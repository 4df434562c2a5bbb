"""What a background job that moves something comes to: its end, told once, without what it was started with."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from vetrina.system.jobs.long_jobs import LongJobCancelled
from vetrina.transfer.importing import ImportImpossible
from vetrina.transfer.records import SourceError
from vetrina.transfer.remote_access import describe_source_error

JobEnd = dict[str, Any]
_LOG: Final = logging.getLogger("vetrina.transfer")


def run_to_end(run: Callable[[], JobEnd], folder: Path) -> JobEnd | None:
    """Return what a run came to, a failure too; None where the job was stopped or taken away.

    folder: where files that it reads lie; reasons do not name it.
    A failure ends the job, so that its secrets are forgotten: what passes by itself was tried again before.
    """
    try:
        return {"outcome": "done", "reason": "", **run()}
    except LongJobCancelled:
        return None
    except SourceError as error:
        return {"outcome": "failed", "reason": describe_source_error(error).replace(f"{folder}/", "")}
    except ImportImpossible as error:
        return {"outcome": "failed", "reason": f"{error}."}
    except Exception as error:
        _LOG.exception("a job that moves something broke off")
        reason = f"It broke off ({type(error).__name__}); the server's log says more. Start it again: it goes on."
        return {"outcome": "failed", "reason": reason}

"""Which writer of this machine commits, and whether it knows that it has: words in memory that its processes share.

A writer sets its mark before it sends its commit and settles it when the server has answered. So whoever sees a mark
that is not settled, or another one than before, has to ask the database; whoever sees the same settled mark need not
(docs/decisions/kept_answers.md has the proof). A writer that dies in between leaves its mark open, until another writer
of the machine commits. No process ever waits for another one here.
"""

from __future__ import annotations

import hashlib
import mmap
import os
import secrets
import stat
from pathlib import Path
from typing import Final

_SHARED_MEMORY: Final = Path("/dev/shm")  # of one kernel, never on a network, in a copy or in a backup
_SIZE: Final = 4096
_WORDS: Final = 4
_BYTES: Final = 8 * _WORDS
_MACHINE, _MARK, _SETTLED, _LEASE = range(_WORDS)


class CommitMarks:
    """The marks of one database on one machine.

    database: what names it, so that two databases never share their marks; None where that is not known, and then the
    process is taken for a machine of its own.
    """

    def __init__(self, database: str | None) -> None:
        path = _find_path(database) if database is not None else None
        memory = mmap.mmap(-1, _SIZE) if path is None else _map_file(path)
        self._words = memoryview(memory)[:_BYTES].cast("Q")
        if path is None:
            self._words[_MACHINE] = _draw_number()

    @property
    def machine(self) -> str:
        """Return what names the processes that share these marks."""
        return f"{self._words[_MACHINE]:016x}"

    @property
    def mark(self) -> int:
        """Return the mark of the writer that began to commit last."""
        return self._words[_MARK]

    @property
    def settled_mark(self) -> int | None:
        """Return that mark, None while it is not settled."""
        mark = self._words[_MARK]
        return mark if mark == self._words[_SETTLED] else None

    def begin(self) -> int:
        """Set and return a mark of its own for a commit; the caller is the only writer of its site."""
        mark = self._words[_MARK] = _draw_number()
        return mark

    def settle(self, mark: int) -> None:
        """Say that the transaction with a mark has ended, and was the only writer until then."""
        self._words[_SETTLED] = mark

    @property
    def lease(self) -> int:
        """Return the number of the machine's lease (backends/answer_leases.py), 0 for none."""
        return self._words[_LEASE]

    @lease.setter
    def lease(self, number: int) -> None:
        self._words[_LEASE] = number


def _draw_number() -> int:
    """Return a number that no other draw returns."""
    return secrets.randbits(63) + 1


def _find_path(database: str) -> Path | None:
    """Return the path of the file that the processes of this account share, None for none."""
    if not _SHARED_MEMORY.is_dir():
        return None
    owner = os.getuid()
    folder = _SHARED_MEMORY / f"vetrina-{owner}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError:
        return None
    # Another account may have made it.
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != owner or found.st_mode & 0o077:
        return None
    return folder / hashlib.sha256(database.encode()).hexdigest()[:32]


def _map_file(path: Path) -> mmap.mmap:
    """Return the memory of a file, which is whole from its beginning on."""
    if not path.exists():
        made = path.with_name(f".{secrets.token_hex(8)}")
        made.write_bytes(_draw_number().to_bytes(8, "little").ljust(_SIZE, b"\0"))
        try:
            os.link(made, path)
        except FileExistsError:
            pass
        finally:
            made.unlink()
    with path.open("rb+") as file:
        return mmap.mmap(file.fileno(), _SIZE)

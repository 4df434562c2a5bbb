"""The processor time of a benchmark: of its process, and of the PostgreSQL that it asks."""

from __future__ import annotations

import time
from pathlib import Path


class Processors:
    """The processor time of this process and of the database's, in milliseconds."""

    def __init__(self, url: str) -> None:
        self.server = 0
        if url.startswith("postgresql"):
            import psycopg

            with psycopg.connect(url) as connection:
                mine = Path(f"/proc/{connection.info.backend_pid}/stat").read_text()
            self.server = int(mine.rpartition(")")[2].split()[1])

    def read(self) -> tuple[float, float]:
        """Return the time until now: of this process, and of the server's processes, also of those that have ended."""
        return time.process_time() * 1000, self._read_server() if self.server else 0.0

    def _read_server(self) -> float:
        total = 0.0
        for folder in Path("/proc").iterdir():
            if not folder.name.isdecimal():
                continue
            try:
                words = (folder / "stat").read_text().rpartition(")")[2].split()
                if int(words[1]) == self.server:
                    total += int((folder / "schedstat").read_text().split()[0]) / 1e6
                elif int(folder.name) == self.server:
                    total += (int(words[13]) + int(words[14])) * 10
            except (OSError, IndexError):
                continue
        return total

"""The commands by which a session and the transactions of PostgreSQL begin.

Who runs them: backends/postgres.py. Why writers take a lock: docs/decisions/postgresql.md.
"""

from __future__ import annotations

from typing import Final

# Wait as long as SQLite's writers do; no JIT, which takes longer than these queries.
SETUP: Final = (
    "SELECT set_config('lock_timeout', '30s', false), set_config('jit', 'off', false),"
    " set_config('synchronous_commit', '{durable}', false), set_config('TimeZone', 'UTC', false)"
)
# The same for a transaction alone, behind a pool; times are numbers here, and need no zone.
SETUP_TRANSACTION: Final = (
    "SELECT set_config('lock_timeout', '30s', true), set_config('jit', 'off', true),"
    " set_config('synchronous_commit', '{durable}', true)"
)
BEGIN_READ: Final = ("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",)
_LOCK: Final = "(hashtext('vetrina'), hashtext(coalesce(current_schema(), '')))"
BEGIN_WRITE: Final = (
    "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE",
    f"SELECT pg_advisory_xact_lock{_LOCK}",
)
# For a writer that must not wait: without the lock it is an error, so that nothing is executed that travels with it.
BEGIN_WRITE_NOWAIT: Final = (
    BEGIN_WRITE[0],
    f"SELECT 1 / CAST(pg_try_advisory_xact_lock{_LOCK} AS integer)",
)
# For a writer whose commit may still be under way: who has the lock knows that it is not.
BEGIN_CONFIRMATION: Final = (BEGIN_WRITE[0], "SET LOCAL lock_timeout = '5s'", BEGIN_WRITE[1])

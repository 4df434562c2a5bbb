"""How a migration runs: on its own connection, in one transaction, without waiting long for locks.

Alembic loads this file; `vetrina migrate` runs it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from alembic import context
from alembic.runtime.migration import MigrationContext, MigrationInfo
from sqlalchemy import Engine, create_engine, event
from sqlalchemy.pool import NullPool

from vetrina.backends import planner_statistics
from vetrina.backends.tables.all_tables import METADATA

_LOCK_SECONDS = 10  # seconds that a step waits for a table lock
_STATEMENT_SECONDS = 3600  # seconds for one statement; a step that hangs must not block the site for ever


def _build_engine(url: str) -> Engine:
    if url.startswith("postgres"):
        # As the site itself connects: libpq resolves the database's name.
        return create_engine("postgresql+psycopg://", poolclass=NullPool, creator=lambda: _connect(url))
    engine = create_engine(url, poolclass=NullPool)
    if engine.dialect.name == "sqlite":

        @event.listens_for(engine, "connect")
        def connected(connection: Any, record: object) -> None:
            # The driver would commit before each change of a table, and a failed step would stay half done.
            connection.isolation_level = None
            connection.execute(f"PRAGMA busy_timeout = {_LOCK_SECONDS * 1000}")
            # Rebuilding a table must not delete the rows that reference it.
            connection.execute("PRAGMA foreign_keys = OFF")

        @event.listens_for(engine, "begin")
        def begun(connection: Any) -> None:
            connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def _connect(url: str) -> Any:
    import psycopg

    # A pool in between knows nothing of statements that the driver prepares.
    return psycopg.connect(url, prepare_threshold=None)


def _report_step(
    ctx: MigrationContext, step: MigrationInfo, heads: Collection[Any], run_args: Mapping[str, Any]
) -> None:
    script = context.script.get_revision(str(step.up_revision_id))
    context.config.attributes["progress"](f"{script.revision}  {script.doc}")


def _run_migrations() -> None:
    with _build_engine(context.config.attributes["url"]).connect() as connection:
        context.configure(
            connection=connection,
            target_metadata=METADATA,
            render_as_batch=True,
            transactional_ddl=True,
            on_version_apply=_report_step,
        )
        with context.begin_transaction():
            if connection.dialect.name == "postgresql":
                # Of the transaction alone: a pool would hand on those of the session.
                connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{_LOCK_SECONDS}s'")
                connection.exec_driver_sql(f"SET LOCAL statement_timeout = '{_STATEMENT_SECONDS}s'")
            context.run_migrations()
            if connection.dialect.name == "sqlite":
                if connection.exec_driver_sql("PRAGMA foreign_key_check").first():
                    raise RuntimeError("a step left rows that point to nothing; nothing was changed")
                for statement in planner_statistics.STATEMENTS:
                    connection.exec_driver_sql(statement)


_run_migrations()

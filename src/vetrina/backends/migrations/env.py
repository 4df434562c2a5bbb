"""How a migration runs: on a connection of its own, in one transaction, without waiting for others for long.

Alembic reads this file; `vetrina migrate` is the way to run it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from alembic import context
from alembic.runtime.migration import MigrationContext, MigrationInfo
from sqlalchemy import Engine, create_engine, event
from sqlalchemy.pool import NullPool

from vetrina.backends import planner_statistics
from vetrina.backends.database_schema import METADATA

_LOCK_SECONDS = 10  # how long a step waits for somebody who holds a table
_STATEMENT_SECONDS = 3600  # how long one statement may take; a step that hangs must not hold the site for ever


def _engine(url: str) -> Engine:
    if url.startswith("postgres"):
        # As the site itself does it: what stands behind the name of the database is read by libpq.
        import psycopg

        return create_engine("postgresql+psycopg://", poolclass=NullPool, creator=lambda: psycopg.connect(url))
    engine = create_engine(url, poolclass=NullPool)
    if engine.dialect.name == "sqlite":

        @event.listens_for(engine, "connect")
        def connected(connection: Any, record: object) -> None:
            # The driver would commit before each change of a table: a step that fails would stay half done.
            connection.isolation_level = None
            connection.execute(f"PRAGMA busy_timeout = {_LOCK_SECONDS * 1000}")
            # A table that is made anew must not take along the rows that point to it.
            connection.execute("PRAGMA foreign_keys = OFF")

        @event.listens_for(engine, "begin")
        def begun(connection: Any) -> None:
            connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def _applied(ctx: MigrationContext, step: MigrationInfo, heads: Collection[Any], run_args: Mapping[str, Any]) -> None:
    script = context.script.get_revision(str(step.up_revision_id))
    context.config.attributes["progress"](f"{script.revision}  {script.doc}")


def _run() -> None:
    with _engine(context.config.attributes["url"]).connect() as connection:
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql(f"SET lock_timeout = '{_LOCK_SECONDS}s'")
            connection.exec_driver_sql(f"SET statement_timeout = '{_STATEMENT_SECONDS}s'")
            connection.commit()
        context.configure(
            connection=connection,
            target_metadata=METADATA,
            render_as_batch=True,
            transactional_ddl=True,
            on_version_apply=_applied,
        )
        with context.begin_transaction():
            context.run_migrations()
            if connection.dialect.name == "sqlite":
                if connection.exec_driver_sql("PRAGMA foreign_key_check").first():
                    raise RuntimeError("a step left rows that point to nothing; nothing was changed")
                for statement in planner_statistics.STATEMENTS:
                    connection.exec_driver_sql(statement)


_run()

"""The URL of a PostgreSQL database, and what tells the database behind it from every other one."""

from __future__ import annotations

from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict

from .server_search import complete_conninfo


def read_url(url: str) -> str:
    """Return a URL as the driver takes it. Raises ValueError."""
    try:
        return complete_conninfo(url)
    except psycopg.ProgrammingError as error:
        raise ValueError(f"the database's URL is not understood: {str(error).strip()}") from None


def identify_database(connection: psycopg.Connection[Any], conninfo: str) -> str | None:
    """Return what no other database has that this machine's processes can reach; None where the server keeps it.

    The same whichever of several servers has it now.
    """
    parameters = conninfo_to_dict(conninfo)
    try:
        row = connection.execute(
            "SELECT system_identifier, current_schema(), oid FROM pg_control_system(), pg_database"
            " WHERE datname = current_database()"
        ).fetchone()
    except psycopg.Error:
        return None
    return repr((parameters.get("host"), parameters.get("port"), row))

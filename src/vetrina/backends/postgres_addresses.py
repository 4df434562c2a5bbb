"""The URL of a PostgreSQL database, whether what is behind it will do, and what tells it from every other one."""

from __future__ import annotations

from typing import Any, Final

import psycopg
from psycopg.conninfo import conninfo_to_dict

from .database import DatabaseUnreachable
from .server_search import complete_conninfo

_MIN_SERVER_VERSION: Final = 140000


def read_url(url: str) -> str:
    """Return a URL as the driver takes it. Raises ValueError."""
    try:
        return complete_conninfo(url)
    except psycopg.ProgrammingError as error:
        raise ValueError(f"the database's URL is not understood: {str(error).strip()}") from None


def require_supported(info: psycopg.ConnectionInfo) -> None:
    """Raise DatabaseUnreachable for a server that is too old, or an encoding that cannot hold every text."""
    if info.server_version < _MIN_SERVER_VERSION:
        raise DatabaseUnreachable(f"the server is PostgreSQL {info.server_version // 10000}; it needs 14 or later")
    if (encoding := info.parameter_status("server_encoding")) != "UTF8":
        raise DatabaseUnreachable(f"the database's encoding is {encoding}; make it again with ENCODING 'UTF8'")


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

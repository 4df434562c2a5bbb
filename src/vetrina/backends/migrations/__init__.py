"""One linear history of the tables: how a database of an older version becomes one of this version.

A new database is not made by it (backends/database_schema.py makes the tables at once); a test proves that both ways
end alike. Not here: what the tables are now (tables.py).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from alembic import command
from alembic.config import Config

__all__ = ["configuration", "upgrade"]


def configuration(url: str, progress: Callable[[str], None] = lambda step: None) -> Config:
    """Return Alembic's settings for a database; progress: told each step that is done."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes.update(url=url, progress=progress)
    return config


def upgrade(url: str, progress: Callable[[str], None] = lambda step: None) -> None:
    """Bring a database up to the newest revision, all steps or none; url: as the settings have it."""
    command.upgrade(configuration(url, progress), "head")

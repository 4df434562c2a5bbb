"""The linear history of the tables: upgrades a database of an older version to this one.

A new database does not run it (backends/database_schema.py creates the tables at once); a test proves that both ways
end alike. The current tables: backends/tables/.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from alembic import command
from alembic.config import Config

__all__ = ["build_alembic_config", "upgrade_database"]


def build_alembic_config(url: str, progress: Callable[[str], None] = lambda step: None) -> Config:
    """Return Alembic's configuration for a database; progress: called with each completed step."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes.update(url=url, progress=progress)
    return config


def upgrade_database(url: str, progress: Callable[[str], None] = lambda step: None) -> None:
    """Upgrade a database to the newest revision, all steps or none; url: as in the settings."""
    command.upgrade(build_alembic_config(url, progress), "head")

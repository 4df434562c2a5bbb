"""The linear history of the tables: upgrades a database of an older version to this one.

A new database does not run it (backends/database_schema.py creates the tables at once); a test proves that both ways
end alike. The current tables: backends/tables/.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from alembic import command
from alembic.config import Config

__all__ = ["VERSIONS", "build_alembic_config", "upgrade_database"]


VERSIONS = Path(__file__).parent / "versions"


def build_alembic_config(
    url: str, progress: Callable[[str], None] = lambda step: None, versions: Sequence[Path] = (VERSIONS,)
) -> Config:
    """Return Alembic's configuration for a database.

    progress: called with each completed step. versions: the folders of the steps.
    """
    config = Config()
    config.set_main_option("version_locations", os.pathsep.join(str(one).replace("%", "%%") for one in versions))
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes.update(url=url, progress=progress)
    return config


def upgrade_database(
    url: str, progress: Callable[[str], None] = lambda step: None, versions: Sequence[Path] = (VERSIONS,)
) -> None:
    """Upgrade a database to the newest revision, all steps or none; url: as in the settings."""
    command.upgrade(build_alembic_config(url, progress, versions), "head")

"""Imports into the test sites."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conftest import Stand, made
from vetrina.settings import load_profile
from vetrina.transfer.importing import import_records
from vetrina.transfer.options import ImportOptions
from vetrina.transfer.report import ImportReport
from vetrina.transfer.sources.wxr.source import ExportFileSource

from .export_files import ExportFile
from .old_catalogue import SECRET

ImportCall = Callable[..., ImportReport]


@pytest.fixture
def bring(site: Stand, tmp_path: Path) -> ImportCall:
    """Import an export file into the site: (file, folder of uploads, options) -> report."""

    def run(file: ExportFile, files: Path | None = None, **options: Any) -> ImportReport:
        return import_records(
            site.site, ExportFileSource(file.write(tmp_path), files), ImportOptions(**{"files": bool(files), **options})
        )

    return run


@pytest.fixture(scope="session")
def prepared_shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an empty shop that is copied for others; copying is faster than creating one."""
    folder = tmp_path_factory.mktemp("shop")
    site = made(folder, load_profile("second"), secret=SECRET)
    site.database.connection().execute("PRAGMA wal_checkpoint(TRUNCATE)")
    site.close()
    return folder

"""Imports into the test sites."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conftest import Stand
from vetrina.transfer.importing import import_records
from vetrina.transfer.options import ImportOptions
from vetrina.transfer.report import ImportReport
from vetrina.transfer.sources.wxr.source import ExportFileSource

from .export_files import ExportFile

ImportCall = Callable[..., ImportReport]


@pytest.fixture
def bring(site: Stand, tmp_path: Path) -> ImportCall:
    """Import an export file into the site: (file, folder of uploads, options) -> report."""

    def run(file: ExportFile, files: Path | None = None, **options: Any) -> ImportReport:
        return import_records(
            site.site, ExportFileSource(file.write(tmp_path), files), ImportOptions(**{"files": bool(files), **options})
        )

    return run

"""Imports into the test sites; a site that moves, and the empty one that it moves into."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from conftest import Stand, made
from vetrina.settings import load_profile
from vetrina.transfer.importing import import_records
from vetrina.transfer.options import ImportOptions
from vetrina.transfer.report import ImportReport
from vetrina.transfer.sources.folder import FolderSource
from vetrina.transfer.sources.wxr.source import ExportFileSource

from .export_files import ExportFile
from .old_catalogue import SECRET, open_shop
from .old_site import fill
from .shop_export import ShopExport

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


@pytest.fixture
def shop(prepared_shop: Path, tmp_path: Path) -> Iterator[Stand]:
    """A shop that records are brought into."""
    stand = open_shop(prepared_shop, tmp_path, "new")
    yield stand
    stand.site.close()


@pytest.fixture
def new(tmp_path: Path) -> Iterator[Stand]:
    """The empty site."""
    (tmp_path / "new").mkdir()
    site = made(tmp_path / "new", url="https://new.example")
    yield Stand(site)
    site.close()


@pytest.fixture
def export(tmp_path: Path) -> ShopExport:
    return ShopExport(tmp_path / "export")


@pytest.fixture
def move(shop: Stand, export: ShopExport) -> ImportCall:
    """Bring the records of the folder into the shop: (options) -> report; ids are kept unless it is told otherwise."""

    def run(**options: Any) -> ImportReport:
        return import_records(shop.site, FolderSource(export.folder), ImportOptions(**{"keep_ids": True, **options}))

    return run


@pytest.fixture
def old(tmp_path: Path) -> Iterator[Stand]:
    """A site in two languages, with what belongs to a theme, too."""
    (tmp_path / "old").mkdir()
    site = made(tmp_path / "old", url="https://old.example")
    fill(Stand(site))
    yield Stand(site)
    site.close()

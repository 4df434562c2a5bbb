"""The pages on moving in and out show what the commands say, to the letter."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from pictures import picture
from vetrina.cli import main

from .export_files import OLD, ExportFile, comment

PAGE = Path(__file__).parents[2] / "docs" / "moving-in.md"
WAY_OUT = PAGE.with_name("moving-out.md")


@pytest.fixture
def export(tmp_path: Path) -> Path:
    """The export of the page's example, beside the folder of its uploads."""
    file = ExportFile()
    file.author(2, "anna")
    file.author(3, "bruno")
    file.category(1, "news", "News")
    file.category(4, "walks", "Walks", "news")
    image = f"{OLD}/wp-content/uploads/2020/05/harbour.jpg"
    for at in range(12):
        file.item(
            100 + at, f"Walk {at}", f'<p><a href="{OLD}/about/">Who we are</a></p>', author="anna",
            terms=(("category", "walks"), ("post_tag", "sea")), meta={"_thumbnail_id": "200", "mood": "calm"},
            comments=(comment(10 + at, "Lovely"),),
        )  # fmt: skip
    file.item(150, "About", "Us", post_type="page", post_name="about", author="bruno", link=f"{OLD}/about/")
    file.item(200, "Harbour", post_type="attachment", status="inherit", attachment_url=image)
    file.item(201, "Lost", post_type="attachment", status="inherit", attachment_url=image.replace("harbour", "lost"))
    file.item(300, "Map", "On paper", post_type="product")
    uploads = tmp_path / "uploads" / "2020" / "05"
    uploads.mkdir(parents=True)
    (uploads / "harbour.jpg").write_bytes(picture(900, 600))
    path = tmp_path / "export.xml"
    path.write_text(file.text().replace("<title>Old site<", "<title>The harbour<"), encoding="utf-8")
    return path


def test_the_pages_show_both_runs_and_the_way_out_as_they_are(
    export: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site, page = str(tmp_path / "site"), PAGE.read_text(encoding="utf-8")
    call = CliRunner().invoke
    assert call(main, ["init", "--empty", "--url", "https://new.example", site]).exit_code == 0
    for _ in range(2):
        run = call(main, ["import", str(export), "--site", site, "--files", str(tmp_path / "uploads")])
        assert run.exit_code == 0
        assert run.output.strip() in page
    monkeypatch.chdir(tmp_path)
    run = call(main, ["export", "--site", site, "--wxr", "harbour.xml"])
    assert run.exit_code == 0
    assert run.output in WAY_OUT.read_text(encoding="utf-8")

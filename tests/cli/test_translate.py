"""`vetrina translate`: a job from creation to completion, by the command line alone."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from vetrina.cli import main
from vetrina.content.records import rules as records
from vetrina.content.types.registry import PAGE
from vetrina.site_factory import open_site

from .conftest import Made


def run(folder: Path, *words: str, code: int = 0) -> str:
    result = CliRunner().invoke(main, ["translate", words[0], "--site", str(folder), *words[1:]])
    assert result.exit_code == code, result.output
    return result.output


def test_a_job_is_made_written_filled_and_delivered(made: Made, tmp_path: Path) -> None:
    folder = made.folder
    site = open_site(folder, durable=False)
    with site.work() as work:
        page = records.create_record(work, PAGE, {"title": "Chi siamo"}, language="it")
    site.close()

    created = run(folder, "create", f"post_page:{page.id}", "--into", "en")
    assert f"post_page {page.id} into en: Chi siamo" in created
    number = created.partition("\t")[0]
    assert "waiting for translator" in run(folder, "list")
    file = tmp_path / "job.xliff"
    run(folder, "export", number, "-o", str(file))
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("<target><![CDATA[]]>", "<target>About us"), encoding="utf-8")
    assert "is done" in run(folder, "deliver", str(file))
    assert "waiting" not in run(folder, "list", "--into", "en")
    broken = tmp_path / "broken.xliff"
    broken.write_text("ciao", encoding="utf-8")
    assert "not XML" in run(folder, "deliver", str(broken), code=1)
    assert "translates from it into en" in run(folder, "translator", "admin", "it", "en")
    run(folder, "translator", "admin", "it", "fr", code=2)
    run(folder, "create", "page", "--into", "en", code=2)
    run(folder, "create", f"post_page:{page.id}", "--into", "fr", code=2)

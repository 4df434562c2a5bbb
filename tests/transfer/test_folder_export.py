"""A site as JSON in a folder: complete, the same bytes each time, and readable again."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest
from click.testing import CliRunner

from conftest import Stand
from served import founded
from vetrina.cli import main
from vetrina.cli.site_connection import LocalConnection
from vetrina.transfer.folder_export import CannotExport, export_to_folder
from vetrina.transfer.records import Record, SourceError
from vetrina.transfer.sources.address.site_source import SiteSource
from vetrina.transfer.sources.folder import FolderSource
from vetrina.transfer.sources.folder_layout import MANIFEST, decode_record, encode_record, locate_record

pytestmark = pytest.mark.in_process("the site is read without HTTP")


def read_all(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def filled(site: Stand) -> Stand:
    admin, italian = site.client("admin"), site.client("admin", "/it/cms-json")
    admin.post("/cms/v2/posts", {"title": "Hello", "status": "publish"})
    italian.post("/cms/v2/posts", {"title": "Ciao", "status": "draft"})
    above = admin.post("/cms/v2/pages", {"title": "Above"}).json["id"]
    admin.post("/cms/v2/pages", {"title": "Below", "parent": above})
    headers = {"content-type": "text/plain", "content-disposition": 'attachment; filename="notes.txt"'}
    assert admin.post("/cms/v2/media", body=b"notes", headers=headers).status == 201
    return site


def test_an_unchanged_site_is_exported_in_the_same_bytes(filled: Stand, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    first = export_to_folder(SiteSource(LocalConnection(filled.site)), folder)
    assert first.written == first.records > 10
    media = [*SiteSource(LocalConnection(filled.site)).read_records("/cms/v2/media")]
    assert (first.files, first.missing) == (len(media), 0)
    before = read_all(folder)
    second = export_to_folder(SiteSource(LocalConnection(filled.site)), folder)
    assert (second.written, second.removed) == (0, 0)
    assert read_all(folder) == before
    assert b"notes" in before.values()


def test_a_change_touches_only_the_files_of_what_changed(filled: Stand, tmp_path: Path) -> None:
    folder, admin = tmp_path / "out", filled.client("admin")
    post, gone = (admin.post("/cms/v2/posts", {"title": title}).json["id"] for title in ("Kept", "Deleted"))
    export_to_folder(SiteSource(LocalConnection(filled.site)), folder)
    before = read_all(folder)
    admin.put(f"/cms/v2/posts/{post}", {"title": "Changed"})
    admin.delete(f"/cms/v2/posts/{gone}?force=true")
    totals = export_to_folder(SiteSource(LocalConnection(filled.site)), folder)
    after = read_all(folder)
    assert (totals.written, totals.removed) == (1, 1)
    assert {name for name in before | after if before.get(name) != after.get(name)} == {
        f"records/cms/v2/posts/{post}.json", f"records/cms/v2/posts/{gone}.json",
    }  # fmt: skip


def test_a_folder_gives_the_records_of_the_site(filled: Stand, tmp_path: Path) -> None:
    source = SiteSource(LocalConnection(filled.site))
    export_to_folder(source, tmp_path / "out")
    folder = FolderSource(tmp_path / "out")
    assert folder.describe() == source.describe()
    assert folder.find_greatest_ids() == source.find_greatest_ids()
    for resource in source.describe().resources:
        found = {(record.parent, record.id): record for record in folder.read_records(resource)}
        assert found == {(record.parent, record.id): record for record in source.read_records(resource)}, resource
        assert folder.count_records(resource) == len(found)
    media = next(folder.read_records("/cms/v2/media"))
    path = folder.fetch_file(media, tmp_path)
    assert path == tmp_path / "notes.txt"
    assert path.read_bytes() == b"notes"


def test_nothing_but_an_export_is_written_over(filled: Stand, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "letter.txt").write_text("mine")
    with pytest.raises(CannotExport, match="something else"):
        export_to_folder(SiteSource(LocalConnection(filled.site)), tmp_path / "out")
    with pytest.raises(SourceError, match=MANIFEST):
        FolderSource(tmp_path / "out")


def test_no_id_of_a_foreign_site_leads_out_of_the_folder() -> None:
    assert (
        locate_record(Record("/cms/v2/templates", "a/../b//c", {})) == "records/cms/v2/templates/a%2F..%2Fb%2F%2Fc.json"
    )
    assert locate_record(Record("/cms/v2/../..", "..", {})) == "records/cms/v2/%2E%2E/%2E%2E/%2E%2E.json"


def test_a_file_keeps_the_language_and_the_record_above() -> None:
    note = Record("/shop/v3/orders/{order_id}/notes", 7, {"note": "x"}, "it", 166)
    place = locate_record(note)
    assert place == "records/shop/v3/orders/166/notes/7.json"
    assert decode_record(note.resource, Path(place), orjson.loads(encode_record(note))) == note
    option = Record("/shop/v3/settings/{group_id}", "shop_currency", {"value": "EUR"}, "", "general")
    place = locate_record(option)
    assert place == "records/shop/v3/settings/general/shop_currency.json"
    assert decode_record(option.resource, Path(place), orjson.loads(encode_record(option))) == option


def test_the_command_tells_what_it_wrote(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    site = founded(tmp_path / "site")
    words = ["export", "--site", str(site), str(tmp_path / "out")]
    first = CliRunner().invoke(main, words)
    assert (first.exit_code, first.output.splitlines()[0][-13:]) == (0, "with 0 files.")
    again = CliRunner().invoke(main, words)
    assert again.output.splitlines()[1] == "0 of them are new or changed, 0 files were removed."
    refused = CliRunner().invoke(main, ["export", "http://127.0.0.1:9", str(tmp_path / "other")])
    assert refused.exit_code == 1
    assert "port 9 is not asked" in refused.output
    assert CliRunner().invoke(main, ["export", "https://old.example"]).exit_code == 2

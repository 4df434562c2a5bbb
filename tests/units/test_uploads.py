"""Uploads without HTTP: what is accepted, how it is named, and that all of it is stored or nothing."""

from __future__ import annotations

import io
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis.strategies import binary, text
from PIL import Image

from pictures import huge_claim, picture, quarters
from vetrina.backends.decoding_memory import DecodingMemory
from vetrina.backends.file_store import FolderFileStore, is_file_name
from vetrina.image_settings import ImageSettings, ImageSize
from vetrina.media.images.processing import RotateModifier
from vetrina.media.uploads import filenames, rules as uploads
from vetrina.media.uploads.filetypes import TYPE_OF_EXTENSION, FileRefused, detect_file_type, resolve_file_type
from vetrina.settings import Profile, SiteLimits

DATE = "2026-11-21T10:00:00"
MONTH = "2026/11"
PROFILE = Profile()
MEMORY = DecodingMemory()


class Failing(FolderFileStore):
    """A store that fails at the file with a given index."""

    def __init__(self, folder: Path, at: int) -> None:
        super().__init__(folder)
        self._left = at

    def put(self, name: str, source: Path | bytes) -> None:
        self._left -= 1
        if self._left < 0:
            raise OSError("the disk is full")
        super().put(name, source)


def stored(folder: Path) -> list[str]:
    """Return the paths of all files below the folder of uploads."""
    root = folder / "media" / "uploads"
    return sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())


def kept(folder: Path, content: bytes, name: str, profile: Profile = PROFILE) -> uploads.StoredUpload:
    source = folder / "source"
    source.write_bytes(content)
    with uploads.receive_upload(FolderFileStore(folder / "media"), profile, MEMORY, source, name, DATE) as found:
        return found


def archive() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        file.writestr("word/document.xml", "<x/>")
    return out.getvalue()


# -- names


@pytest.mark.parametrize(
    ("sent", "stem"),
    [
        ("a&b  (c)'s [d] 100%", "ab-cs-d-100"),
        ("été à la plage", "ete-a-la-plage"),
        ("a.php", "a.php_"),
        ("my.holiday.2026", "my.holiday.2026"),
        ("archive.tar", "archive.tar"),
        ("--.-a-.--", "a"),
        ("…???", "…"),
        ("???", "unnamed-file"),
        ("", "unnamed-file"),
        ("文件", "文件"),
        ("a%20b+c", "a-b-c"),
        ("x" * 300, "x" * 180),
    ],
)
def test_names_are_cleaned(sent: str, stem: str) -> None:
    assert filenames.clean_file_stem(sent) == stem


@given(text())
@example(".")
@example("a/../../b")
@example("\u200b.htaccess")
@example("à" * 200)
def test_a_cleaned_name_is_a_name(sent: str) -> None:
    stem, _ = filenames.split_file_name(sent)
    assert "/" not in stem
    cleaned = filenames.clean_file_stem(stem)
    assert is_file_name(f"uploads/{MONTH}/{cleaned}-10000-2048x2048.jpg")
    assert filenames.clean_file_stem(cleaned).rstrip("_") == cleaned.rstrip("_")


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("attachment", None),
        ("attachment; filename=", None),
        ('attachment; filename=""', None),
        ('filename="x.png"', None),
        ("", None),
        ('attachment; filename="a b.jpg"', "a b.jpg"),
        ("attachment; filename=a b.jpg; size=3", "a b.jpg"),
        ('attachment; size=3; FileName="a;b\\".png"', 'a;b".png'),
        ("inline; filename=x.png", "x.png"),
        ("attachment; filename*=UTF-8''caff%C3%A8.jpg; filename=coffee.jpg", "caffè.jpg"),
        ("attachment; filename*=UTF-8''%FF; filename=coffee.jpg", "coffee.jpg"),
        ("attachment; filename*=none''%41; filename=coffee.jpg", "coffee.jpg"),
        ('attachment; filename="' + "caffè.jpg".encode().decode("latin-1") + '"', "caffè.jpg"),
    ],
)
def test_the_disposition_names_the_file(header: str, name: str | None) -> None:
    assert filenames.parse_disposition_name(header) == name


# -- types


@pytest.mark.parametrize(
    ("name", "head", "ending", "mime"),
    [
        ("png", b"\xff\xd8\xff\xe0", "jpg", "image/jpeg"),
        ("jpe", b"\xff\xd8\xff\xe0", "jpe", "image/jpeg"),
        ("jpg", b"GIF89a", "gif", "image/gif"),
        ("pdf", b"%PDF-1.7", "pdf", "application/pdf"),
        ("txt", "ciao\n".encode("utf-16"), "txt", "text/plain"),
        ("csv", b"a;b\n", "csv", "text/csv"),
        ("mp3", b"ID3\4", "mp3", "audio/mpeg"),
        ("mp3", b"\xff\xfb\x90", "mp3", "audio/mpeg"),
        ("m4a", b"\0\0\0\x20ftypM4A ", "m4a", "audio/mpeg"),
        ("mp4", b"\0\0\0\x18ftypisom", "mp4", "video/mp4"),
        ("mov", b"\0\0\0\x14ftypqt  ", "mov", "video/quicktime"),
        ("webm", b"\x1aE\xdf\xa3", "webm", "video/webm"),
        ("ogg", b"OggS", "ogg", "audio/ogg"),
        ("wav", b"RIFF\0\0\0\0WAVE", "wav", "audio/wav"),
        ("zip", b"PK\3\4", "zip", "application/zip"),
        ("doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "doc", "application/msword"),
        ("avif", b"\0\0\0\x1cftypavif\0\0\0\0avif", "avif", "image/avif"),
        ("heic", b"\0\0\0\x18ftypmif1\0\0\0\0mif1heic", "heic", "image/heic"),
    ],
)
def test_the_bytes_decide(name: str, head: bytes, ending: str, mime: str) -> None:
    assert resolve_file_type(name, head) == (ending, mime)


@pytest.mark.parametrize(
    ("name", "head"),
    [
        ("svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>"),
        ("html", b"<!doctype html>"),
        ("php", b"<?php"),
        ("js", b"alert(1)"),
        ("exe", b"MZ"),
        ("", b"words"),
        ("jpg", b"these bytes are no image at all"),
        ("jpg", b"<svg"),
        ("pdf", b"MZ\x90"),
        ("pdf", b"\xff\xd8\xff"),
        ("txt", b"\xff\xd8\xff"),
        ("txt", b"  <!DOCTYPE html><script>"),
        ("txt", b"\xef\xbb\xbf<svg onload=x>"),
        ("csv", b"a\0b"),
        ("txt", b"#!/bin/sh"),
        ("docx", b"MZ"),
        ("mp4", b"<html>"),
        ("mp3", b"words"),
        ("zip", b""),
    ],
)
def test_what_browsers_or_machines_would_run_is_refused(name: str, head: bytes) -> None:
    with pytest.raises(FileRefused):
        resolve_file_type(name, head)


@given(binary(max_size=600))
@example(b"\0\0\0\x00ftyp")
@example(b"RIFF")
def test_every_beginning_has_an_answer(head: bytes) -> None:
    detect_file_type(head)
    for ending in TYPE_OF_EXTENSION:
        try:
            kept_as, mime = resolve_file_type(ending, head)
        except FileRefused:
            continue
        assert TYPE_OF_EXTENSION[kept_as] == mime


# -- keeping


def test_a_file_is_kept_as_it_came(tmp_path: Path) -> None:
    found = kept(tmp_path, b"words\n", "My Words.TXT")
    assert (found.file, found.mime_type, found.filesize, found.size) == (
        f"{MONTH}/My-Words.txt",
        "text/plain",
        6,
        (0, 0),
    )
    assert stored(tmp_path) == [f"{MONTH}/My-Words.txt"]


def test_an_office_file_is_kept(tmp_path: Path) -> None:
    assert kept(tmp_path, archive(), "Letter.docx").mime_type.endswith("wordprocessingml.document")


def test_names_in_use_get_a_number(tmp_path: Path) -> None:
    names = [kept(tmp_path, b"words", "a.txt").file for _ in range(3)]
    assert names == [f"{MONTH}/a.txt", f"{MONTH}/a-1.txt", f"{MONTH}/a-2.txt"]


def test_an_image_whose_sub_size_has_the_name_of_another_file_gets_a_number(tmp_path: Path) -> None:
    """All files of an image are stored under one base name."""
    kept(tmp_path, picture(100, 100, "PNG"), "a-150x150.png")
    found = kept(tmp_path, picture(200, 200, "PNG"), "a.png")
    assert found.file == f"{MONTH}/a-1.png"
    assert stored(tmp_path) == [f"{MONTH}/a-1-150x150.png", f"{MONTH}/a-1.png", f"{MONTH}/a-150x150.png"]


def test_an_image_is_kept_with_its_sub_sizes(tmp_path: Path) -> None:
    found = kept(tmp_path, picture(640, 400), "a.jpg")
    assert {name: one.file for name, one in found.sizes.items()} == {
        "medium": "a-300x188.jpg", "thumbnail": "a-150x150.jpg",
    }  # fmt: skip
    assert stored(tmp_path) == sorted(name.removeprefix("uploads/") for name in found.stored_names)
    assert found.sizes["medium"].filesize == (tmp_path / f"media/uploads/{MONTH}/a-300x188.jpg").stat().st_size


def test_a_large_image_is_scaled_and_its_original_kept(tmp_path: Path) -> None:
    found = kept(tmp_path, picture(3000, 2000, quality=40), "big.jpg")
    assert (found.file, found.original, found.size) == (f"{MONTH}/big-scaled.jpg", f"{MONTH}/big.jpg", (2560, 1707))
    assert found.stem == "big"
    assert found.sizes["large"].file == "big-1024x683.jpg"
    assert found.filesize == (tmp_path / "media/uploads" / found.file).stat().st_size


def test_a_large_png_stays_as_it_is(tmp_path: Path) -> None:
    found = kept(tmp_path, picture(3000, 20, "PNG"), "long.png")
    assert (found.file, found.original, found.size) == (f"{MONTH}/long.png", "", (3000, 20))


def test_a_turned_photo_gets_an_upright_copy(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    found = kept(tmp_path, picture(400, 200, exif=exif), "turned.jpg")
    assert (found.file, found.original) == (f"{MONTH}/turned-rotated.jpg", f"{MONTH}/turned.jpg")
    assert found.size == (200, 400)
    assert found.sizes["medium"].file == "turned-150x300.jpg"
    assert found.words is not None
    assert found.words["orientation"] == 1


def test_the_profile_says_which_sizes_there_are(tmp_path: Path) -> None:
    profile = Profile(images=ImageSettings(sizes={"wide": ImageSize(500, 100, crop=True)}, longest=800))
    found = kept(tmp_path, picture(1000, 500), "a.jpg", profile)
    assert {name: (one.width, one.height) for name, one in found.sizes.items()} == {"wide": (500, 100)}
    assert found.size == (800, 400)


def test_an_image_of_too_many_pixels_is_not_kept(tmp_path: Path) -> None:
    with pytest.raises(FileRefused, match="30000 x 30000"):
        kept(tmp_path, huge_claim(30_000, 30_000), "a.png")
    with pytest.raises(FileRefused):
        kept(tmp_path, picture(100, 100), "a.jpg", Profile(limits=SiteLimits(image_pixels=9_999)))
    assert stored(tmp_path) == []


def test_a_broken_image_leaves_nothing(tmp_path: Path) -> None:
    content = picture(800, 600)
    with pytest.raises(FileRefused, match="decoded"):
        kept(tmp_path, content[: len(content) // 2], "a.jpg")
    assert stored(tmp_path) == []


@pytest.mark.parametrize("at", range(3))
def test_a_store_that_fails_half_way_keeps_nothing(tmp_path: Path, at: int) -> None:
    source = tmp_path / "source"
    source.write_bytes(picture(640, 400))
    files = Failing(tmp_path / "media", at)
    with pytest.raises(OSError, match="full"), uploads.receive_upload(files, PROFILE, MEMORY, source, "a.jpg", DATE):
        pass
    assert stored(tmp_path) == []


def test_what_fails_later_takes_the_files_along(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.write_bytes(picture(640, 400))
    files = FolderFileStore(tmp_path / "media")
    with suppress(RuntimeError), uploads.receive_upload(files, PROFILE, MEMORY, source, "a.jpg", DATE):
        assert len(stored(tmp_path)) == 3
        raise RuntimeError
    assert stored(tmp_path) == []


# -- changed copies and missing sizes


def test_a_changed_copy_has_the_next_number(tmp_path: Path) -> None:
    first = kept(tmp_path, picture(640, 400), "a.jpg")
    files = FolderFileStore(tmp_path / "media")
    source = first.file
    names = []
    for _ in range(3):
        with uploads.receive_edited_copy(
            files, PROFILE, MEMORY, source, "image/jpeg", [RotateModifier(90)], DATE
        ) as copy:
            names.append(copy.file)
            source = copy.file
    assert names == [f"{MONTH}/a-edited.jpg", f"{MONTH}/a-edited-1.jpg", f"{MONTH}/a-edited-2.jpg"]


def test_a_changed_copy_of_a_large_image_is_scaled_again(tmp_path: Path) -> None:
    first = kept(tmp_path, picture(3000, 2000, quality=40), "big.jpg")
    files = FolderFileStore(tmp_path / "media")
    with uploads.receive_edited_copy(
        files, PROFILE, MEMORY, first.original, "image/jpeg", [RotateModifier(90)], DATE
    ) as copy:
        assert (copy.file, copy.size) == (f"{MONTH}/big-edited-scaled.jpg", (1707, 2560))


def test_missing_sizes_are_made_again(tmp_path: Path) -> None:
    first = kept(tmp_path, picture(640, 400), "a.jpg")
    files = FolderFileStore(tmp_path / "media")
    files.delete(f"uploads/{MONTH}/a-150x150.jpg")
    sizes = {"medium": first.sizes["medium"]}
    missing = uploads.list_missing_sizes(PROFILE, first.mime_type, first.size, sizes)
    assert missing == ["thumbnail"]
    with uploads.create_missing_sizes(files, PROFILE, MEMORY, first.file, first.mime_type, missing) as made:
        assert made["thumbnail"].file == "a-150x150.jpg"
    assert uploads.list_missing_sizes(PROFILE, first.mime_type, first.size, {**sizes, **made}) == []
    assert len(stored(tmp_path)) == 3


def test_missing_sizes_of_a_scaled_image_show_all_of_it(tmp_path: Path) -> None:
    first = kept(tmp_path, quarters(3000, 1500, "JPEG", quality=60), "big.jpg")
    files = FolderFileStore(tmp_path / "media")
    files.delete(f"uploads/{MONTH}/big-150x150.jpg")
    files.delete(f"uploads/{MONTH}/big-300x150.jpg")
    missing = uploads.list_missing_sizes(PROFILE, first.mime_type, first.size, {})
    with uploads.create_missing_sizes(files, PROFILE, MEMORY, first.original, first.mime_type, missing[:1]) as made:
        small = Image.open(tmp_path / f"media/uploads/{MONTH}/{made['medium'].file}").convert("RGB")
    assert small.size == (300, 150)
    red, green, blue, white = (small.getpixel(place) for place in ((20, 20), (280, 20), (20, 130), (280, 130)))
    assert [max(range(3), key=colour.__getitem__) for colour in (red, green, blue)] == [0, 1, 2]  # type: ignore[union-attr]
    assert min(white) > 200  # type: ignore[arg-type]

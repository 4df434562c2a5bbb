"""Uploads: a received file is checked, named, and stored with everything derived from it, or refused.

Slow and without the database: done before the transaction that creates the record, and undone if that fails. Accepted
types: media/uploads/filetypes.py. Records: media/attachments/rules.py. Rules: docs/rules/media.md, 2 and 3 and
docs/rules/images.md, 4 and 9.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from vetrina.backends.decoding_memory import DecodingMemory
from vetrina.backends.file_store import FileNameTaken, FileStore
from vetrina.kernel.errors import ApiError, Failure
from vetrina.media.audio_video.metadata import read_media_metadata
from vetrina.media.images import exif as image_exif, headers as image_headers, processing as image_processing
from vetrina.media.images.pixel_sizes import (
    PixelSize,
    SubSize,
    SubSizeCut,
    build_size_suffix,
    compute_scaled_size,
    compute_sub_sizes,
)
from vetrina.media.images.processing import ImageModifier
from vetrina.media.uploads import filenames
from vetrina.media.uploads.filetypes import (
    EDITABLE_TYPES,
    EXTENSION_OF_TYPE,
    HEAD_BYTES,
    TYPE_OF_EXTENSION,
    FileRefused,
    detect_file_type,
    resolve_file_type,
)
from vetrina.settings import Profile

NO_SIZE: Final = PixelSize(0, 0)  # for files that are not images
_MAX_NUMBERS: Final = 10_000  # files of one name in one month
_EDITED_SUFFIX: Final = re.compile(r"-edited(?:-\d+)?\Z")
_CONVERTED_SUFFIX: Final = "-converted"  # suffix of a copy in another format, under the same name
_COVER_TYPES: Final = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})
_UNSCALED_TYPES: Final = frozenset({"image/png"})  # smaller copies could have more bytes than the original


class UploadFileMissing(ApiError):
    """The record exists, its file does not."""

    failure, code = Failure.NOT_FOUND, "rest_unknown_attachment"
    message = "The file {file} is not in the store any more; put it back from a backup."


@dataclass(frozen=True)
class StoredUpload:
    """A stored file, with everything derived from it.

    stem: its name without folder and extension. file: its path in the uploads folder. original: the path of the
    uploaded file, if `file` was made from it. words: image metadata, None for other files. details: audio or video
    metadata. cover: the embedded picture, stored as a file of its own.
    """

    stem: str
    file: str
    original: str
    mime_type: str
    filesize: int
    size: PixelSize = NO_SIZE
    sizes: Mapping[str, SubSize] = field(default_factory=dict)
    words: Mapping[str, Any] | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    cover: StoredUpload | None = None

    @property
    def stored_names(self) -> list[str]:
        """The names of all its files in the store, including its cover's."""
        folder = self.file.rpartition("/")[0]
        beside = [f"{folder}/{one.file}" for one in self.sizes.values()]
        own = [filenames.UPLOADS_FOLDER + path for path in dict.fromkeys((self.original, self.file, *beside)) if path]
        return [*own, *(self.cover.stored_names if self.cover else ())]


@dataclass(frozen=True)
class _DerivedFile:
    """A file derived from an image: the suffix of its name, and its content."""

    suffix: str
    size: PixelSize
    content: bytes


@contextmanager
def receive_upload(
    files: FileStore, profile: Profile, memory: DecodingMemory, path: Path, name: str, local_date: str
) -> Iterator[StoredUpload]:
    """Store an uploaded file; it is deleted again if the block raises.

    path: the file with its bytes. name: as sent. local_date: as `2026-11-…`. Raises FileRefused.
    """
    sent, ending = filenames.split_file_name(name)
    with path.open("rb") as source:
        ending, mime = resolve_file_type(ending, source.read(HEAD_BYTES))
    stored = _store_upload(
        files,
        profile,
        memory,
        path,
        filenames.clean_file_stem(sent),
        ending,
        mime,
        filenames.build_date_folder(local_date),
    )
    try:
        yield stored
    except BaseException:
        _delete_files(files, stored.stored_names)
        raise


@contextmanager
def receive_edited_copy(
    files: FileStore,
    profile: Profile,
    memory: DecodingMemory,
    source: str,
    mime: str,
    modifiers: Sequence[ImageModifier],
    local_date: str,
) -> Iterator[StoredUpload]:
    """Store an edited copy of an image; it is deleted again if the block raises.

    source: the path of the image in the uploads folder. Raises UploadFileMissing, FileRefused, ImageCropFailed,
    ImageTooLarge.
    """
    import tempfile

    with _open_local_file(files, source) as path:
        content = image_processing.create_edited_image(
            path, mime, modifiers, profile.limits.image_pixels, profile.images.quality, memory
        )
    stem, ending = filenames.split_file_name(source)
    with tempfile.NamedTemporaryFile(prefix="vetrina-") as copy:
        Path(copy.name).write_bytes(content)
        # Free it before waiting for memory.
        del content
        folder = filenames.build_date_folder(local_date)
        stored = _store_upload(
            files, profile, memory, Path(copy.name), _EDITED_SUFFIX.sub("", stem) + "-edited", ending, mime, folder
        )
    try:
        yield stored
    except BaseException:
        _delete_files(files, stored.stored_names)
        raise


def list_missing_sizes(profile: Profile, mime: str, size: PixelSize, sizes: Mapping[str, SubSize]) -> list[str]:
    """Return the names of the sub-sizes that an image should have and lacks."""
    if mime not in EDITABLE_TYPES or not size.width:
        return []
    return [name for name in compute_sub_sizes(size, profile.images.sizes) if name not in sizes]


@contextmanager
def create_missing_sizes(
    files: FileStore, profile: Profile, memory: DecodingMemory, file: str, mime: str, missing: Sequence[str]
) -> Iterator[dict[str, SubSize]]:
    """Make missing sub-sizes of an image; they are deleted again if the block raises.

    file: the path of the image as it was uploaded. Raises UploadFileMissing, FileRefused.
    """
    folder, _, last = file.rpartition("/")
    stem, ending = filenames.split_file_name(last)
    created: dict[str, SubSize] = {}
    try:
        with _open_local_file(files, file) as path:
            head = image_headers.read_image_header(path, mime, profile.limits.image_pixels, memory)
            every = compute_sub_sizes(head.size, profile.images.sizes) if head else {}
            cuts = {name: every[name] for name in missing if name in every}
            found = _create_sub_sizes(path, mime, cuts, profile.images.quality, memory)
        for name, one in found.items():
            created[name] = _store_sub_size(files, folder, stem, ending, mime, one)
        yield created
    except BaseException:
        _delete_files(files, [f"{filenames.UPLOADS_FOLDER}{folder}/{one.file}" for one in created.values()])
        raise


def _store_upload(
    files: FileStore,
    profile: Profile,
    memory: DecodingMemory,
    path: Path,
    stem: str,
    ending: str,
    mime: str,
    folder: str,
) -> StoredUpload:
    """Store a file under a free name, with a smaller or upright copy and sub-sizes if it is an image."""
    stored = StoredUpload(stem, "", "", mime, path.stat().st_size)
    main: _DerivedFile | None = None
    derived: dict[str, _DerivedFile] = {}
    if mime.startswith("image/"):
        head = image_headers.read_image_header(path, mime, profile.limits.image_pixels, memory)
        words = image_exif.read_image_metadata(path, mime)
        # Formats that few browsers display get copies in one that all do.
        as_mime = image_headers.DISPLAY_TYPES.get(mime, mime) if head else mime
        stored = replace(stored, size=head.size if head else NO_SIZE, words=words, mime_type=as_mime)
        if head and as_mime in EDITABLE_TYPES:
            whole = (0, 0, *head.size)
            smaller = None if mime in _UNSCALED_TYPES else compute_scaled_size(head.size, profile.images.longest)
            cuts = compute_sub_sizes(head.size, profile.images.sizes)
            if smaller:
                cuts["-scaled"] = SubSizeCut(smaller, whole)
            elif as_mime != mime:
                cuts[_CONVERTED_SUFFIX] = SubSizeCut(head.size, whole)
            elif head.orientation != 1:
                cuts["-rotated"] = SubSizeCut(head.size, whole)
            derived = _create_sub_sizes(path, mime, cuts, profile.images.quality, memory)
            main = next(
                (derived.pop(name) for name in ("-scaled", "-rotated", _CONVERTED_SUFFIX) if name in derived), None
            )
            if head.orientation != 1:
                words["orientation"] = 1
    else:
        facts = read_media_metadata(path, mime)
        size = PixelSize(facts.members.get("width", 0), facts.members.get("height", 0))
        stored = replace(stored, size=size, details=facts.members)
        if facts.cover:
            stored = replace(
                stored, cover=_store_cover(files, profile, memory, facts.cover, f"{stem}-{ending}-image", folder)
            )
    try:
        return _store_under_free_name(files, path, stored, folder, ending, main, derived)
    except BaseException:
        _delete_files(files, stored.cover.stored_names if stored.cover else [])
        raise


def _store_under_free_name(
    files: FileStore,
    path: Path,
    stored: StoredUpload,
    folder: str,
    ending: str,
    main: _DerivedFile | None,
    derived: Mapping[str, _DerivedFile],
) -> StoredUpload:
    """Store a file and its derived files under the first free name. Raises FileNameTaken."""
    own = (
        ending if stored.mime_type == TYPE_OF_EXTENSION.get(ending) or not main else EXTENSION_OF_TYPE[stored.mime_type]
    )
    every = [*derived.values(), *([main] if main else [])]
    for number in range(_MAX_NUMBERS):
        name = filenames.number_file_stem(stored.stem, number)
        try:
            _store_all_files(files, path, f"{filenames.UPLOADS_FOLDER}{folder}{name}", ending, own, every)
        except FileNameTaken:
            continue
        sizes = {
            key: SubSize(f"{name}{one.suffix}.{own}", *one.size, len(one.content), stored.mime_type)
            for key, one in derived.items()
        }
        stored = replace(stored, stem=name, file=f"{folder}{name}.{ending}", sizes=sizes)
        if main:
            stored = replace(
                stored, original=stored.file, file=f"{folder}{name}{main.suffix}.{own}", size=main.size,
                filesize=len(main.content),
            )  # fmt: skip
        return stored
    raise FileNameTaken(stored.stem)


def _store_cover(
    files: FileStore, profile: Profile, memory: DecodingMemory, content: bytes, stem: str, folder: str
) -> StoredUpload | None:
    """Store the picture embedded in an audio file, None if the site does not accept it."""
    import tempfile

    mime = detect_file_type(content[:HEAD_BYTES])
    if mime not in _COVER_TYPES:
        return None
    with tempfile.NamedTemporaryFile(prefix="vetrina-") as copy:
        Path(copy.name).write_bytes(content)
        try:
            return _store_upload(files, profile, memory, Path(copy.name), stem, EXTENSION_OF_TYPE[mime], mime, folder)
        except FileRefused:
            return None


def _create_sub_sizes(
    path: Path, mime: str, cuts: Mapping[str, SubSizeCut], quality: int, memory: DecodingMemory
) -> dict[str, _DerivedFile]:  # fmt: skip
    contents = image_processing.create_sub_sizes(path, mime, list(cuts.values()), quality, memory)
    out = {}
    for (name, cut), content in zip(cuts.items(), contents, strict=True):
        suffix = "" if name == _CONVERTED_SUFFIX else name if name.startswith("-") else build_size_suffix(cut.size)
        out[name] = _DerivedFile(suffix, cut.size, content)
    return out


def _store_all_files(
    files: FileStore, path: Path, name: str, ending: str, own: str, derived: Sequence[_DerivedFile]
) -> None:
    """Store a file and those derived from it, with suffixes from `own`; all of them or none. Raises FileNameTaken."""
    written: list[str] = []
    try:
        sources: list[tuple[str, Path | bytes]] = [(f".{ending}", path)]
        sources += [(f"{one.suffix}.{own}", one.content) for one in derived]
        for suffix, source in sources:
            whole = f"{name}{suffix}"
            if whole not in written:  # two sizes may have the same name
                files.put(whole, source)
                written.append(whole)
    except BaseException:
        _delete_files(files, written)
        raise


def _store_sub_size(files: FileStore, folder: str, stem: str, ending: str, mime: str, derived: _DerivedFile) -> SubSize:
    for number in range(_MAX_NUMBERS):
        file = f"{filenames.number_file_stem(stem + derived.suffix, number)}.{ending}"
        try:
            files.put(f"{filenames.UPLOADS_FOLDER}{folder}/{file}", derived.content)
        except FileNameTaken:
            continue
        return SubSize(file, *derived.size, len(derived.content), mime)
    raise FileNameTaken(stem)


@contextmanager
def _open_local_file(files: FileStore, file: str) -> Iterator[Path]:
    try:
        with files.open_local_copy(filenames.UPLOADS_FOLDER + file) as path:
            yield path
    except FileNotFoundError:
        raise UploadFileMissing(file=file) from None


def _delete_files(files: FileStore, names: Sequence[str]) -> None:
    for name in names:
        files.delete(name)

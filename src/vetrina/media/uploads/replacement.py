"""The replacement of a stored file by another one of the same type, under the names that the old one has.

Everything is made before the transaction and written after it, so that a refusal changes nothing. Records:
media/attachments/rules.py. Rules: docs/rules/media.md, 11.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from vetrina.backends.decoding_memory import DecodingMemory
from vetrina.backends.file_store import FileStore
from vetrina.kernel.errors import ApiError
from vetrina.media.audio_video.metadata import read_media_metadata
from vetrina.media.images import exif as image_exif, headers as image_headers, processing as image_processing
from vetrina.media.images.pixel_sizes import (
    PixelSize,
    SubSize,
    SubSizeCut,
    build_size_suffix,
    compute_scaled_size,
    compute_sub_sizes,
    fill_box,
)
from vetrina.media.uploads import filenames
from vetrina.media.uploads.filetypes import EDITABLE_TYPES, HEAD_BYTES, TYPE_OF_EXTENSION, resolve_file_type
from vetrina.media.uploads.rules import NO_SIZE
from vetrina.settings import Profile

_MAIN: Final = "-main"  # the cut that readers get instead of the file as it was uploaded


class ReplacementTypeDiffers(ApiError):
    """The address of a file ends as its type does, so the type cannot change."""

    code = "rest_upload_type_differs"
    message = "The file is of the type {found}, and the one that it replaces is {wanted}; upload it as a new file."


@dataclass(frozen=True)
class ReplacedFile:
    """What stands for a file from now on. mime_type: of `file`. sizes: its sub-sizes. words: image metadata.

    contents: what is written, by the name in the uploads folder. gone: names that are not used any more.
    """

    file: str
    original: str
    mime_type: str
    filesize: int
    size: PixelSize = NO_SIZE
    sizes: Mapping[str, SubSize] = field(default_factory=dict)
    details: Mapping[str, Any] = field(default_factory=dict)
    contents: Mapping[str, bytes | Path] = field(default_factory=dict)
    gone: tuple[str, ...] = ()

    def store(self, files: FileStore) -> None:
        """Write the files in the place of the old ones."""
        for name, content in self.contents.items():
            # A name that is taken is never overwritten: for a moment there is no file.
            files.delete(filenames.UPLOADS_FOLDER + name)
            files.put(filenames.UPLOADS_FOLDER + name, content)
        for name in self.gone:
            files.delete(filenames.UPLOADS_FOLDER + name)


@dataclass(frozen=True)
class FileNames:
    """The names of a stored file in the uploads folder. original: empty where it is `file`. sizes: by their files."""

    file: str
    original: str
    mime_type: str
    sizes: Mapping[str, PixelSize]

    @property
    def uploaded(self) -> str:
        return self.original or self.file

    @property
    def folder(self) -> str:
        return self.file.rpartition("/")[0]


def build_replacement(
    files: FileStore, profile: Profile, memory: DecodingMemory, path: Path, name: str, old: FileNames
) -> ReplacedFile:
    """Return what replaces a file. path: the uploaded file. name: as it was sent.

    Raises FileRefused, ReplacementTypeDiffers.
    """
    ending = old.uploaded.rpartition(".")[2].lower()
    wanted = TYPE_OF_EXTENSION.get(ending, old.mime_type)
    with path.open("rb") as source:
        _, mime = resolve_file_type(filenames.split_file_name(name)[1], source.read(HEAD_BYTES))
    if mime != wanted:
        raise ReplacementTypeDiffers(found=mime, wanted=wanted)
    if mime.startswith("image/"):
        return _build_image(files, profile, memory, path, mime, old)
    facts = read_media_metadata(path, mime).members
    size = PixelSize(facts.get("width", 0), facts.get("height", 0))
    return ReplacedFile(old.file, "", mime, path.stat().st_size, size, {}, facts, {old.file: path})


def _build_image(
    files: FileStore, profile: Profile, memory: DecodingMemory, path: Path, mime: str, old: FileNames
) -> ReplacedFile:
    head = image_headers.read_image_header(path, mime, profile.limits.image_pixels, memory)
    words = image_exif.read_image_metadata(path, mime)
    as_mime = image_headers.DISPLAY_TYPES.get(mime, mime) if head else mime
    size, filesize = head.size if head else NO_SIZE, path.stat().st_size
    contents: dict[str, bytes | Path] = {}
    sizes: dict[str, SubSize] = {}
    original = old.original
    if head and as_mime in EDITABLE_TYPES:
        whole = (0, 0, *head.size)
        longest = None if mime == "image/png" else compute_scaled_size(head.size, profile.images.longest)
        cuts = compute_sub_sizes(head.size, profile.images.sizes)
        names = {key: _name_size(files, old, cut.size) for key, cut in cuts.items()}
        for file, box in old.sizes.items():
            if file not in names.values():
                # Texts name this address: it shows the new picture, cut to the same shape.
                key = f"{box.width}x{box.height}"
                cuts[key], names[key] = fill_box(head.size, box), file
        if longest or original or as_mime != mime or head.orientation != 1:
            cuts[_MAIN] = SubSizeCut(longest or head.size, whole)
            original = original or _find_free_name(files, old, "-original", old.uploaded)
        made = image_processing.create_sub_sizes(path, mime, list(cuts.values()), profile.images.quality, memory)
        for (label, cut), content in zip(cuts.items(), made, strict=True):
            if label == _MAIN:
                contents[old.file], size, filesize = content, cut.size, len(content)
            else:
                contents[f"{old.folder}/{names[label]}"] = content
                sizes[label] = SubSize(names[label], *cut.size, len(content), as_mime)
        if head.orientation != 1:
            words["orientation"] = 1
    contents[original or old.file] = path
    gone = tuple(f"{old.folder}/{file}" for file in old.sizes if f"{old.folder}/{file}" not in contents)
    return ReplacedFile(old.file, original, as_mime, filesize, size, sizes, {"image_meta": words}, contents, gone)


def _name_size(files: FileStore, old: FileNames, size: PixelSize) -> str:
    """Return the name of a sub-size: the one that the old file has, or a free one."""
    known = next((file for file, one in old.sizes.items() if one == size), None)
    return known or _find_free_name(files, old, build_size_suffix(size), old.file).rpartition("/")[2]


def _find_free_name(files: FileStore, old: FileNames, suffix: str, like: str) -> str:
    """Return a free name beside the old file. like: the name whose ending it has."""
    stem, ending = filenames.split_file_name(old.uploaded.rpartition("/")[2])[0], like.rpartition(".")[2]
    number = 0
    while files.size(f"{filenames.UPLOADS_FOLDER}{_number(old, stem + suffix, number)}.{ending}") is not None:
        number += 1
    return f"{_number(old, stem + suffix, number)}.{ending}"


def _number(old: FileNames, stem: str, number: int) -> str:
    return f"{old.folder}/{filenames.number_file_stem(stem, number)}"

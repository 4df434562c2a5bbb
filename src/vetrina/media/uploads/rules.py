"""Uploads: a file that came in is looked at, named, and kept with all that is made of it, or refused.

Slow and without the database: it is done before the transaction that notes the file, and undone when that fails. Not
here: what a file may be (media/uploads/filetypes.py), names (media/uploads/filenames.py), pixels
(media/images/processing.py), records (media/attachments/store.py). Rules: facts of the interface, "Upload", "Sub-sizes"
and "Edit".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import msgspec

from vetrina.backends.decoding_memory import DecodingMemory
from vetrina.backends.file_store import Files, NameTaken
from vetrina.kernel.errors import ApiError
from vetrina.media.audio_video.details import details
from vetrina.media.images import exif as image_exif
from vetrina.media.images import files as image_files
from vetrina.media.images import processing as image_processing
from vetrina.media.images.processing import Modifier
from vetrina.media.images.sizes import Cut, Size, scaled, wanted
from vetrina.media.uploads import filenames
from vetrina.media.uploads.filetypes import EDITABLE, ENDINGS, HEAD_BYTES, TYPES, FileRefused, settled, signature
from vetrina.settings import Profile

__all__ = ["NO_SIZE", "FileGone", "Kept", "SubSize", "missing_sizes", "receive", "receive_edited", "restore_sizes"]

NO_SIZE: Final = Size(0, 0)  # of files that are no images
_MOST_NUMBERS: Final = 10_000  # files of one name in one month
_EDITED: Final = re.compile(r"-edited(?:-\d+)?\Z")
_CONVERTED: Final = "-converted"  # a copy in another format, under the very name
_COVERS: Final = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})
_NOT_SCALED: Final = frozenset({"image/png"})  # smaller ones could have more bytes than the original


class FileGone(ApiError):
    """The record is there, its file is not."""

    status, code = 404, "rest_unknown_attachment"
    message = "The file {file} is not in the store any more; put it back from a backup."


class SubSize(msgspec.Struct, frozen=True):
    """A smaller file of an image, beside it. filesize: bytes."""

    file: str
    width: int
    height: int
    filesize: int
    mime_type: str


@dataclass(frozen=True)
class Kept:
    """A file that is kept, with all that was made of it.

    stem: its name without folder and ending. file: its path in the folder of uploads. original: that of the uploaded
    file, where `file` was made of it. words: what an image says of itself, None for other files. details: what a sound
    or film says of itself. cover: the picture that it holds, kept as a file of its own.
    """

    stem: str
    file: str
    original: str
    mime_type: str
    filesize: int
    size: Size = NO_SIZE
    sizes: Mapping[str, SubSize] = field(default_factory=dict)
    words: Mapping[str, Any] | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    cover: Kept | None = None

    @property
    def names(self) -> list[str]:
        """Return the names of all its files in the store, those of its cover too."""
        folder = self.file.rpartition("/")[0]
        beside = [f"{folder}/{one.file}" for one in self.sizes.values()]
        own = [filenames.FOLDER + path for path in dict.fromkeys((self.original, self.file, *beside)) if path]
        return [*own, *(self.cover.names if self.cover else ())]


@dataclass(frozen=True)
class _Made:
    """A file that was made of an image: what stands behind the name, and its content."""

    suffix: str
    size: Size
    content: bytes


@contextmanager
def receive(
    files: Files, profile: Profile, memory: DecodingMemory, path: Path, name: str, local_date: str
) -> Iterator[Kept]:
    """Keep an uploaded file; it is removed again when the block is left by an error.

    path: where its bytes lie. name: as it was sent. local_date: as `2026-11-…`. Raises FileRefused.
    """
    sent, ending = filenames.stem_and_ending(name)
    with path.open("rb") as source:
        ending, mime = settled(ending, source.read(HEAD_BYTES))
    kept = _keep(files, profile, memory, path, filenames.cleaned(sent), ending, mime, filenames.folder(local_date))
    try:
        yield kept
    except BaseException:
        _discard(files, kept.names)
        raise


@contextmanager
def receive_edited(
    files: Files, profile: Profile, memory: DecodingMemory, source: str, mime: str, modifiers: Sequence[Modifier],
    local_date: str,
) -> Iterator[Kept]:  # fmt: skip
    """Keep a changed copy of an image; it is removed again when the block is left by an error.

    source: the path of the image in the folder of uploads. Raises FileGone, FileRefused, CropFailed, TooManyPixels.
    """
    import tempfile

    with _local(files, source) as path:
        content = image_processing.edited(
            path, mime, modifiers, profile.limits.image_pixels, profile.images.quality, memory
        )
    stem, ending = filenames.stem_and_ending(source)
    with tempfile.NamedTemporaryFile(prefix="vetrina-") as copy:
        Path(copy.name).write_bytes(content)
        # The next wait is for memory.
        del content
        folder = filenames.folder(local_date)
        kept = _keep(files, profile, memory, Path(copy.name), _EDITED.sub("", stem) + "-edited", ending, mime, folder)
    try:
        yield kept
    except BaseException:
        _discard(files, kept.names)
        raise


def missing_sizes(profile: Profile, mime: str, size: Size, sizes: Mapping[str, SubSize]) -> list[str]:
    """Return the names of the sub-sizes that an image should have and has not."""
    if mime not in EDITABLE or not size.width:
        return []
    return [name for name in wanted(size, profile.images.sizes) if name not in sizes]


@contextmanager
def restore_sizes(
    files: Files, profile: Profile, memory: DecodingMemory, file: str, mime: str, missing: Sequence[str]
) -> Iterator[dict[str, SubSize]]:
    """Make missing sub-sizes of an image; they are removed again when the block is left by an error.

    file: the path of the image as it was uploaded. Raises FileGone, FileRefused.
    """
    folder, _, last = file.rpartition("/")
    stem, ending = filenames.stem_and_ending(last)
    made: dict[str, SubSize] = {}
    try:
        with _local(files, file) as path:
            head = image_files.header(path, mime, profile.limits.image_pixels, memory)
            every = wanted(head.size, profile.images.sizes) if head else {}
            cuts = {name: every[name] for name in missing if name in every}
            found = _make_sizes(path, mime, cuts, profile.images.quality, memory)
        for name, one in found.items():
            made[name] = _put_beside(files, folder, stem, ending, mime, one)
        yield made
    except BaseException:
        _discard(files, [f"{filenames.FOLDER}{folder}/{one.file}" for one in made.values()])
        raise


def _keep(
    files: Files, profile: Profile, memory: DecodingMemory, path: Path, stem: str, ending: str, mime: str, folder: str
) -> Kept:
    """Keep a file under a free name, with a smaller or upright copy and sub-sizes where it is an image."""
    kept = Kept(stem, "", "", mime, path.stat().st_size)
    shown: _Made | None = None
    made: dict[str, _Made] = {}
    if mime.startswith("image/"):
        head = image_files.header(path, mime, profile.limits.image_pixels, memory)
        words = image_exif.words(path, mime)
        # Formats that few browsers show get copies in one that all do.
        as_mime = image_files.SHOWN_AS.get(mime, mime) if head else mime
        kept = replace(kept, size=head.size if head else NO_SIZE, words=words, mime_type=as_mime)
        if head and as_mime in EDITABLE:
            whole = (0, 0, *head.size)
            smaller = None if mime in _NOT_SCALED else scaled(head.size, profile.images.longest)
            cuts = wanted(head.size, profile.images.sizes)
            if smaller:
                cuts["-scaled"] = Cut(smaller, whole)
            elif as_mime != mime:
                cuts[_CONVERTED] = Cut(head.size, whole)
            elif head.orientation != 1:
                cuts["-rotated"] = Cut(head.size, whole)
            made = _make_sizes(path, mime, cuts, profile.images.quality, memory)
            shown = next((made.pop(name) for name in ("-scaled", "-rotated", _CONVERTED) if name in made), None)
            if head.orientation != 1:
                words["orientation"] = 1
    else:
        facts = details(path, mime)
        size = Size(facts.members.get("width", 0), facts.members.get("height", 0))
        kept = replace(kept, size=size, details=facts.members)
        if facts.cover:
            kept = replace(kept, cover=_cover(files, profile, memory, facts.cover, f"{stem}-{ending}-image", folder))
    try:
        return _named(files, path, kept, folder, ending, shown, made)
    except BaseException:
        _discard(files, kept.cover.names if kept.cover else [])
        raise


def _named(
    files: Files, path: Path, kept: Kept, folder: str, ending: str, shown: _Made | None, made: Mapping[str, _Made]
) -> Kept:
    """Put a file and all that was made of it under the first name that is free. Raises NameTaken."""
    own = ending if kept.mime_type == TYPES.get(ending) or not shown else ENDINGS[kept.mime_type]
    every = [*made.values(), *([shown] if shown else [])]
    for number in range(_MOST_NUMBERS):
        name = filenames.numbered(kept.stem, number)
        try:
            _put_all(files, path, f"{filenames.FOLDER}{folder}{name}", ending, own, every)
        except NameTaken:
            continue
        sizes = {
            key: SubSize(f"{name}{one.suffix}.{own}", *one.size, len(one.content), kept.mime_type)
            for key, one in made.items()
        }
        kept = replace(kept, stem=name, file=f"{folder}{name}.{ending}", sizes=sizes)
        if shown:
            kept = replace(
                kept, original=kept.file, file=f"{folder}{name}{shown.suffix}.{own}", size=shown.size,
                filesize=len(shown.content),
            )  # fmt: skip
        return kept
    raise NameTaken(kept.stem)


def _cover(
    files: Files, profile: Profile, memory: DecodingMemory, content: bytes, stem: str, folder: str
) -> Kept | None:
    """Keep the picture that a sound holds, None where it is none that the site takes."""
    import tempfile

    mime = signature(content[:HEAD_BYTES])
    if mime not in _COVERS:
        return None
    with tempfile.NamedTemporaryFile(prefix="vetrina-") as copy:
        Path(copy.name).write_bytes(content)
        try:
            return _keep(files, profile, memory, Path(copy.name), stem, ENDINGS[mime], mime, folder)
        except FileRefused:
            return None


def _make_sizes(
    path: Path, mime: str, cuts: Mapping[str, Cut], quality: int, memory: DecodingMemory
) -> dict[str, _Made]:  # fmt: skip
    contents = image_processing.derived(path, mime, list(cuts.values()), quality, memory)
    out = {}
    for (name, cut), content in zip(cuts.items(), contents, strict=True):
        suffix = "" if name == _CONVERTED else name if name.startswith("-") else f"-{cut.size.width}x{cut.size.height}"
        out[name] = _Made(suffix, cut.size, content)
    return out


def _put_all(files: Files, path: Path, name: str, ending: str, own: str, made: Sequence[_Made]) -> None:
    """Put a file and those made of it, which end in `own`; all of them or none. Raises NameTaken."""
    put: list[str] = []
    try:
        sources: list[tuple[str, Path | bytes]] = [(f".{ending}", path)]
        sources += [(f"{one.suffix}.{own}", one.content) for one in made]
        for suffix, source in sources:
            whole = f"{name}{suffix}"
            if whole not in put:  # two sizes may come out alike
                files.put(whole, source)
                put.append(whole)
    except BaseException:
        _discard(files, put)
        raise


def _put_beside(files: Files, folder: str, stem: str, ending: str, mime: str, one: _Made) -> SubSize:
    for number in range(_MOST_NUMBERS):
        file = f"{filenames.numbered(stem + one.suffix, number)}.{ending}"
        try:
            files.put(f"{filenames.FOLDER}{folder}/{file}", one.content)
        except NameTaken:
            continue
        return SubSize(file, *one.size, len(one.content), mime)
    raise NameTaken(stem)


@contextmanager
def _local(files: Files, file: str) -> Iterator[Path]:
    try:
        with files.local(filenames.FOLDER + file) as path:
            yield path
    except FileNotFoundError:
        raise FileGone(file=file) from None


def _discard(files: Files, names: Sequence[str]) -> None:
    for name in names:
        files.delete(name)

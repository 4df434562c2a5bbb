"""Sub-sizes of an image made anew from its own file, under the names that they have.

For a site whose sizes or quality changed, or whose smaller files were lost. Slow and without the database, as uploads
are; what it leaves is right whenever it ends, and doing it again changes nothing. Sizes that the site no longer has
stay, because documents may show them. Not here: sizes that only are missing, while somebody waits
(media/uploads/rules.py), when it is done (the room that asks).
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from vetrina.backends.decoding_memory import DecodingMemory
from vetrina.backends.file_store import Files, NameTaken
from vetrina.media.attachments.store import Media
from vetrina.media.images import files as image_files
from vetrina.media.images import processing as image_processing
from vetrina.media.images.sizes import Cut, wanted
from vetrina.media.uploads import filenames
from vetrina.media.uploads.filetypes import EDITABLE, FileRefused
from vetrina.media.uploads.rules import SubSize
from vetrina.settings import Profile

__all__ = ["remade"]

_MOST_NUMBERS = 1_000  # files of one name and size


def remade(files: Files, profile: Profile, memory: DecodingMemory, media: Media) -> dict[str, SubSize]:
    """Make every sub-size of an image anew and return them by name; empty for a file that has none or is gone."""
    if media.mime_type not in EDITABLE:
        return {}
    source = filenames.FOLDER + media.source
    try:
        with files.local(source) as path:
            head = image_files.header(path, media.mime_type, profile.limits.image_pixels, memory)
            cuts = wanted(head.size, profile.images.sizes) if head else {}
            contents = image_processing.derived(
                path, media.mime_type, list(cuts.values()), profile.images.quality, memory
            )
    except (FileNotFoundError, FileRefused):
        return {}
    return {
        name: _put(files, media, name, cut, content)
        for (name, cut), content in zip(cuts.items(), contents, strict=True)
    }


def _put(files: Files, media: Media, name: str, cut: Cut, content: bytes) -> SubSize:
    """Keep a sub-size under the name that it has, or under the first that is free."""
    folder, _, last = media.source.rpartition("/")
    stem, ending = filenames.stem_and_ending(last)
    own = media.sizes.get(name)
    if own is not None and (own.width, own.height) == tuple(cut.size):
        whole = f"{filenames.FOLDER}{folder}/{own.file}"
        if not _holds(files, whole, content):
            files.delete(whole)
            # Whoever made it meanwhile made the same.
            with suppress(NameTaken):
                files.put(whole, content)
        return SubSize(own.file, *cut.size, len(content), media.mime_type)
    for number in range(_MOST_NUMBERS):
        file = f"{filenames.numbered(f'{stem}-{cut.size.width}x{cut.size.height}', number)}.{ending}"
        whole = f"{filenames.FOLDER}{folder}/{file}"
        if not _holds(files, whole, content):
            try:
                files.put(whole, content)
            except NameTaken:
                continue
        return SubSize(file, *cut.size, len(content), media.mime_type)
    raise NameTaken(stem)


def _holds(files: Files, name: str, content: bytes) -> bool:
    if files.size(name) != len(content):
        return False
    with files.local(name) as path:
        return Path(path).read_bytes() == content

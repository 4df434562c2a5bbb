"""Regenerate the sub-sizes of an image from its own file, under their existing names.

For a site whose sizes or quality changed, or whose smaller files were lost. Slow and without the database, like
uploads; it can stop at any time and be repeated. Sizes that the site no longer has are kept, because documents may use
them. Missing sizes only: media/uploads/rules.py.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from vetrina.backends.decoding_memory import DecodingMemory
from vetrina.backends.file_store import FileNameTaken, FileStore
from vetrina.media.attachments.store import MediaFile
from vetrina.media.images import headers as image_headers, processing as image_processing
from vetrina.media.images.pixel_sizes import SubSize, SubSizeCut, build_size_suffix, compute_sub_sizes
from vetrina.media.uploads import filenames
from vetrina.media.uploads.filetypes import EDITABLE_TYPES, FileRefused
from vetrina.settings import Profile

_MAX_NUMBERS = 1_000  # files of one name and size


def recreate_sub_sizes(
    files: FileStore, profile: Profile, memory: DecodingMemory, media: MediaFile
) -> dict[str, SubSize]:
    """Regenerate every sub-size of an image and return them by name; empty if it has none or its file is gone."""
    if media.mime_type not in EDITABLE_TYPES:
        return {}
    source = filenames.UPLOADS_FOLDER + media.source_path
    try:
        with files.open_local_copy(source) as path:
            head = image_headers.read_image_header(path, media.mime_type, profile.limits.image_pixels, memory)
            cuts = compute_sub_sizes(head.size, profile.images.sizes) if head else {}
            contents = image_processing.create_sub_sizes(
                path, media.mime_type, list(cuts.values()), profile.images.quality, memory
            )
    except (FileNotFoundError, FileRefused):
        return {}
    return {
        name: _store_sub_size(files, media, name, cut, content)
        for (name, cut), content in zip(cuts.items(), contents, strict=True)
    }


def _store_sub_size(files: FileStore, media: MediaFile, name: str, cut: SubSizeCut, content: bytes) -> SubSize:
    """Store a sub-size under its existing name, or under the first free one."""
    folder, _, last = media.source_path.rpartition("/")
    stem, ending = filenames.split_file_name(last)
    own = media.sizes.get(name)
    if own is not None and (own.width, own.height) == tuple(cut.size):
        whole = f"{filenames.UPLOADS_FOLDER}{folder}/{own.file}"
        if not _has_content(files, whole, content):
            files.delete(whole)
            # A concurrent run made the same file.
            with suppress(FileNameTaken):
                files.put(whole, content)
        return SubSize(own.file, *cut.size, len(content), media.mime_type)
    for number in range(_MAX_NUMBERS):
        file = f"{filenames.number_file_stem(stem + build_size_suffix(cut.size), number)}.{ending}"
        whole = f"{filenames.UPLOADS_FOLDER}{folder}/{file}"
        if not _has_content(files, whole, content):
            try:
                files.put(whole, content)
            except FileNameTaken:
                continue
        return SubSize(file, *cut.size, len(content), media.mime_type)
    raise FileNameTaken(stem)


def _has_content(files: FileStore, name: str, content: bytes) -> bool:
    if files.size(name) != len(content):
        return False
    with files.open_local_copy(name) as path:
        return Path(path).read_bytes() == content

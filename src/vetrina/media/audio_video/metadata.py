"""Metadata of files that are not images: audio, video and documents.

Nothing here refuses a file; one that cannot be parsed just has no details. What the libraries read of a file is
bounded, whatever its headers claim. The fields are those known from `media_details`; those of documents are our own.
Library: tinytag reads audio (MIT; mutagen knows more formats, and its licence is not ours).
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from vetrina.media.audio_video.matroska import MATROSKA_CODECS, MATROSKA_FORMATS, parse_matroska_header
from vetrina.media.audio_video.mp4 import MP4_FORMATS, parse_mp4_header
from vetrina.media.documents.pdf import read_pdf_metadata
from vetrina.media.uploads.bounded_file import BoundedFile
from vetrina.media.uploads.metadata_text import clean_plain_text

if TYPE_CHECKING:
    from tinytag import TinyTag


_AUDIO_FORMATS: Final = {"audio/mpeg": "mp3", "audio/wav": "wav", "audio/ogg": "ogg", "audio/flac": "flac",
                  "audio/x-ms-wma": "asf", "video/ogg": "ogg"}  # fmt: skip
_DATA: Final = {"_MP4": "mp4", "_ID3": "mp3", "_MPEG": "mp3", "_Flac": "flac", "_Ogg": "ogg", "_Wave": "wav",
                "_ASF": "wma"}  # fmt: skip
_MODES: Final = {1: "mono", 2: "stereo"}
_TAGS: Final = {"title": "title", "artist": "artist", "albumartist": "band", "album": "album", "composer": "composer",
                "genre": "genre", "year": "year", "comment": "comment"}  # fmt: skip
_MAX_SECONDS: Final = 10 * 365 * 86_400  # seconds; a longer video is a broken value
_MAX_TOTAL_BYTES: Final = 48 << 20  # bytes per file, all reads together
_MAX_READ_BYTES: Final = 24 << 20  # bytes per read
_MAX_READS: Final = 200_000


@dataclass(frozen=True)
class MediaMetadata:
    """The metadata of a file. members: by their names in responses. cover: an embedded picture."""

    members: Mapping[str, Any] = field(default_factory=dict)
    cover: bytes = b""


def read_media_metadata(path: Path, mime: str) -> MediaMetadata:
    """Return the metadata of a file; empty if none is known."""
    if mime == "application/pdf":
        return MediaMetadata(read_pdf_metadata(path))
    try:
        with path.open("rb") as file:
            if mime in MP4_FORMATS:
                return _read_mp4_metadata(file, mime)
            if mime in MATROSKA_FORMATS:
                return _read_matroska_metadata(file, mime)
            return _read_audio_metadata(file, mime) if mime in _AUDIO_FORMATS else MediaMetadata()
    except (OSError, struct.error, ValueError, OverflowError):
        return MediaMetadata()


# -- audio and video


def _read_mp4_metadata(file: BinaryIO, mime: str) -> MediaMetadata:
    found = parse_mp4_header(file)
    lasting = _build_length_members(found.pop("seconds", 0))
    if not lasting:
        return MediaMetadata()
    tags = _read_audio_tags(file)
    sound = {"audio": _build_audio_properties(tags)} if tags is not None and tags.samplerate else {}
    members = {
        "fileformat": MP4_FORMATS[mime],
        "dataformat": "quicktime",
        **found,
        **lasting,
        "mime_type": mime,
        **sound,
    }
    return MediaMetadata({**members, **(_build_audio_tags(tags) if tags is not None else {})}, _get_cover(tags))


def _read_matroska_metadata(file: BinaryIO, mime: str) -> MediaMetadata:
    found = parse_matroska_header(file)
    lasting = _build_length_members(found.pop("seconds", 0))
    codecs = [MATROSKA_CODECS[name] for name in found.pop("codecs", ()) if name in MATROSKA_CODECS]
    sound = {name: found.pop(name) for name in ("channels", "sample_rate") if found.get(name, 0) > 0}
    if mode := _MODES.get(sound.get("channels", 0)):
        sound["channelmode"] = mode
    title = clean_plain_text(found.pop("title", ""))
    if not lasting and not found:
        return MediaMetadata()
    kind = MATROSKA_FORMATS[mime]
    members = {"fileformat": kind, "dataformat": codecs[0] if codecs else kind, **found, **lasting, "mime_type": mime}
    return MediaMetadata(members | ({"audio": sound} if sound else {}) | ({"title": title} if title else {}))


def _read_audio_metadata(file: BinaryIO, mime: str) -> MediaMetadata:
    tags = _read_audio_tags(file)
    if tags is None:
        return MediaMetadata()
    lasting = _build_length_members(tags.duration or 0)
    if not lasting:
        return MediaMetadata()
    properties = _build_audio_properties(tags)
    kind = "mp4" if properties.get("dataformat") == "mp4" else _AUDIO_FORMATS[mime]
    return MediaMetadata(
        {**properties, "fileformat": kind, **lasting, "mime_type": mime, **_build_audio_tags(tags)}, _get_cover(tags)
    )


def _read_audio_tags(file: BinaryIO) -> TinyTag | None:
    """Return the tags of an audio file, None if the library reads none."""
    # Imported late: few requests need it.
    from tinytag import TinyTag, TinyTagException

    file.seek(0)
    bounded = BoundedFile(file, _MAX_TOTAL_BYTES, _MAX_READS, _MAX_READ_BYTES)
    try:
        # BoundedFile has the methods that are called, not all that the annotation names.
        return TinyTag.get(file_obj=bounded, image=True)  # type: ignore[arg-type]
    except (TinyTagException, RecursionError, MemoryError):
        return None


def _build_audio_properties(tags: TinyTag) -> dict[str, Any]:
    out: dict[str, Any] = {"dataformat": _DATA.get(type(tags).__name__, "")}
    numbers = {
        "channels": tags.channels, "sample_rate": tags.samplerate, "bits_per_sample": tags.bitdepth,
        "bitrate": round(tags.bitrate * 1000) if tags.bitrate else None,
    }  # fmt: skip
    out |= {name: int(value) for name, value in numbers.items() if value and 0 < value < 1 << 40}
    if mode := _MODES.get(out.get("channels", 0)):
        out["channelmode"] = mode
    if tags.is_lossless is not None:
        out["lossless"] = tags.is_lossless
    return {name: value for name, value in out.items() if value != ""}


def _build_audio_tags(tags: TinyTag) -> dict[str, Any]:
    """Return the text tags of an audio file, without markup."""
    out = {}
    for name, own in _TAGS.items():
        value = getattr(tags, name)
        if value is not None and (text := clean_plain_text(str(value))):
            out[own] = text
    for own, number, total in (
        ("track_number", tags.track, tags.track_total),
        ("part_of_a_set", tags.disc, tags.disc_total),
    ):
        if number:
            out[own] = f"{number}/{total}" if total else str(number)
    return out


def _get_cover(tags: TinyTag | None) -> bytes:
    image = tags.images.any if tags is not None else None
    return image.data if image is not None else b""


def _build_length_members(seconds: float) -> dict[str, Any]:
    if not 0 < seconds < _MAX_SECONDS:
        return {}
    whole = int(seconds + 0.5)
    return {"length": whole, "length_formatted": _format_duration(whole)}


def _format_duration(seconds: int) -> str:
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"

"""What files that are no images say of themselves: sounds, films and documents.

Nothing here can refuse a file; one that is not understood just has no details. What the libraries read of a file is
bounded, whatever its headers claim. Not here: images (media/images/processing.py), the headers of films
(media/audio_video/mp4.py, media/audio_video/matroska.py), documents (media/documents/pdf.py). Rules: the members are
those that users of the interface know in `media_details`; those of documents are our own. Library: tinytag reads sounds
(MIT; mutagen knows more formats, and its licence is not ours).
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from vetrina.media.audio_video.matroska import matroska
from vetrina.media.audio_video.mp4 import film
from vetrina.media.documents.pdf import document
from vetrina.media.uploads.bounded_file import BoundedFile
from vetrina.media.uploads.metadata_text import plain_words

if TYPE_CHECKING:
    from tinytag import TinyTag

__all__ = ["Details", "details"]

_FILMS: Final = {"video/mp4": "mp4", "video/quicktime": "quicktime", "video/3gpp": "mp4"}
_MATROSKA: Final = frozenset(("video/webm", "video/x-matroska", "audio/x-matroska"))
_CODECS: Final = {"V_VP8": "vp8", "V_VP9": "vp9", "V_AV1": "av1", "V_MPEG4/ISO/AVC": "h264", "V_MPEGH/ISO/HEVC": "h265",
                  "A_VORBIS": "vorbis", "A_OPUS": "opus", "A_AAC": "aac", "A_MPEG/L3": "mp3",
                  "A_FLAC": "flac"}  # fmt: skip
_SOUNDS: Final = {"audio/mpeg": "mp3", "audio/wav": "wav", "audio/ogg": "ogg", "audio/flac": "flac",
                  "audio/x-ms-wma": "asf", "video/ogg": "ogg"}  # fmt: skip
_DATA: Final = {"_MP4": "mp4", "_ID3": "mp3", "_MPEG": "mp3", "_Flac": "flac", "_Ogg": "ogg", "_Wave": "wav",
                "_ASF": "wma"}  # fmt: skip
_MODES: Final = {1: "mono", 2: "stereo"}
_TAGS: Final = {"title": "title", "artist": "artist", "albumartist": "band", "album": "album", "composer": "composer",
                "genre": "genre", "year": "year", "comment": "comment"}  # fmt: skip
_LONGEST: Final = 10 * 365 * 86_400  # seconds; a longer film is a broken number
_MOST_READ: Final = 48 << 20  # bytes of one file, all reads together
_AT_ONCE: Final = 24 << 20  # bytes of one read
_MOST_READS: Final = 200_000


@dataclass(frozen=True)
class Details:
    """What a file says of itself. members: by the names that answers have for it. cover: a picture that it holds."""

    members: Mapping[str, Any] = field(default_factory=dict)
    cover: bytes = b""


def details(path: Path, mime: str) -> Details:
    """Return what a file says of itself; empty where nothing is known."""
    if mime == "application/pdf":
        return Details(document(path))
    try:
        with path.open("rb") as file:
            if mime in _FILMS:
                return _film(file, mime)
            if mime in _MATROSKA:
                return _matroska(file, mime)
            return _sound(file, mime) if mime in _SOUNDS else Details()
    except (OSError, struct.error, ValueError, OverflowError):
        return Details()


# -- sounds and films


def _film(file: BinaryIO, mime: str) -> Details:
    found = film(file)
    lasting = _lasting(found.pop("seconds", 0))
    if not lasting:
        return Details()
    heard = _heard(file)
    sound = {"audio": _properties(heard)} if heard is not None and heard.samplerate else {}
    members = {"fileformat": _FILMS[mime], "dataformat": "quicktime", **found, **lasting, "mime_type": mime, **sound}
    return Details({**members, **(_tags(heard) if heard is not None else {})}, _cover(heard))


def _matroska(file: BinaryIO, mime: str) -> Details:
    found = matroska(file)
    lasting = _lasting(found.pop("seconds", 0))
    codecs = [_CODECS[name] for name in found.pop("codecs", ()) if name in _CODECS]
    sound = {name: found.pop(name) for name in ("channels", "sample_rate") if found.get(name, 0) > 0}
    if mode := _MODES.get(sound.get("channels", 0)):
        sound["channelmode"] = mode
    title = plain_words(found.pop("title", ""))
    if not lasting and not found:
        return Details()
    kind = "webm" if mime == "video/webm" else "matroska"
    members = {"fileformat": kind, "dataformat": codecs[0] if codecs else kind, **found, **lasting, "mime_type": mime}
    return Details(members | ({"audio": sound} if sound else {}) | ({"title": title} if title else {}))


def _sound(file: BinaryIO, mime: str) -> Details:
    heard = _heard(file)
    if heard is None:
        return Details()
    lasting = _lasting(heard.duration or 0)
    if not lasting:
        return Details()
    properties = _properties(heard)
    kind = "mp4" if properties.get("dataformat") == "mp4" else _SOUNDS[mime]
    return Details({**properties, "fileformat": kind, **lasting, "mime_type": mime, **_tags(heard)}, _cover(heard))


def _heard(file: BinaryIO) -> TinyTag | None:
    """Return what the library reads of a sound, None where it reads nothing."""
    # A library that few requests need.
    from tinytag import TinyTag, TinyTagException

    file.seek(0)
    bounded = BoundedFile(file, _MOST_READ, _MOST_READS, _AT_ONCE)
    try:
        # A bounded file has what is called of it, not all that its type names.
        return TinyTag.get(file_obj=bounded, image=True)  # type: ignore[arg-type]
    except (TinyTagException, RecursionError, MemoryError):
        return None


def _properties(heard: TinyTag) -> dict[str, Any]:
    out: dict[str, Any] = {"dataformat": _DATA.get(type(heard).__name__, "")}
    numbers = {
        "channels": heard.channels, "sample_rate": heard.samplerate, "bits_per_sample": heard.bitdepth,
        "bitrate": round(heard.bitrate * 1000) if heard.bitrate else None,
    }  # fmt: skip
    out |= {name: int(value) for name, value in numbers.items() if value and 0 < value < 1 << 40}
    if mode := _MODES.get(out.get("channels", 0)):
        out["channelmode"] = mode
    if heard.is_lossless is not None:
        out["lossless"] = heard.is_lossless
    return {name: value for name, value in out.items() if value != ""}


def _tags(heard: TinyTag) -> dict[str, Any]:
    """Return the words that people wrote into a sound, without markup."""
    out = {}
    for name, own in _TAGS.items():
        value = getattr(heard, name)
        if value is not None and (text := plain_words(str(value))):
            out[own] = text
    for own, number, total in (
        ("track_number", heard.track, heard.track_total),
        ("part_of_a_set", heard.disc, heard.disc_total),
    ):
        if number:
            out[own] = f"{number}/{total}" if total else str(number)
    return out


def _cover(heard: TinyTag | None) -> bytes:
    image = heard.images.any if heard is not None else None
    return image.data if image is not None else b""


def _lasting(seconds: float) -> dict[str, Any]:
    if not 0 < seconds < _LONGEST:
        return {}
    whole = int(seconds + 0.5)
    return {"length": whole, "length_formatted": _formatted(whole)}


def _formatted(seconds: int) -> str:
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"

"""Metadata of audio and video files, and that no file can make reading it fail."""

from __future__ import annotations

import struct
import wave
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis.strategies import binary, integers, sampled_from

from sounds import document, m4a, mp3, ogg
from vetrina.media.audio_video.metadata import MediaMetadata, read_media_metadata


def box(kind: bytes, *parts: bytes) -> bytes:
    content = b"".join(parts)
    return struct.pack(">I4s", len(content) + 8, kind) + content


def film(seconds: int, width: int, height: int, long: bool = False) -> bytes:
    """Return the boxes of a film without its pictures; long: with numbers of 64 bits."""
    version = bytes([long, 0, 0, 0])
    times = struct.pack(">QQIQ" if long else ">IIII", 0, 0, 1000, seconds * 1000)
    track = struct.pack(">QQIIQ" if long else ">IIIII", 0, 0, 1, 0, seconds * 1000)
    picture = bytes(52) + struct.pack(">II", width << 16, height << 16)
    sound = bytes(60)
    tracks = (box(b"trak", box(b"tkhd", version, track, one)) for one in (sound, picture))
    moov = box(b"moov", box(b"mvhd", version, times, bytes(80)), *tracks)
    return box(b"ftyp", b"isom\0\0\0\0") + box(b"mdat", bytes(1000)) + moov


def stored(folder: Path, content: bytes) -> Path:
    path = folder / "file"
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("long", [False, True])
def test_a_film_says_how_long_and_how_large_it_is(tmp_path: Path, long: bool) -> None:
    found = read_media_metadata(stored(tmp_path, film(3725, 640, 360, long)), "video/mp4").members
    assert found == {
        "fileformat": "mp4", "dataformat": "quicktime", "width": 640, "height": 360, "length": 3725,
        "length_formatted": "1:02:05", "mime_type": "video/mp4",
    }  # fmt: skip


def test_a_sound_says_how_long_it_is(tmp_path: Path) -> None:
    path = tmp_path / "sound.wav"
    with wave.open(str(path), "wb") as sound:
        sound.setnchannels(2)
        sound.setsampwidth(2)
        sound.setframerate(8000)
        sound.writeframes(bytes(4 * 8000 * 65))
    found = read_media_metadata(path, "audio/wav").members
    assert (found["length"], found["length_formatted"], found["channels"]) == (65, "1:05", 2)
    assert (found["sample_rate"], found["bitrate"]) == (8000, 256_000)


def test_a_flac_says_how_long_it_is(tmp_path: Path) -> None:
    packed = (44_100 << 44) | (1 << 41) | (15 << 36) | 44_100 * 9
    content = b"fLaC\x80\0\0\x22" + bytes(10) + packed.to_bytes(8, "big") + bytes(16)
    found = read_media_metadata(stored(tmp_path, content), "audio/flac").members
    assert (found["length_formatted"], found["channels"], found["sample_rate"]) == ("0:09", 2, 44_100)
    assert (found["dataformat"], found["fileformat"], found["lossless"]) == ("flac", "flac", True)


def test_an_mp3_says_what_people_wrote_into_it(tmp_path: Path) -> None:
    told = {"TIT2": "Sea <b>wind</b>", "TPE1": "Anna", "TALB": "Coast", "TRCK": "4/12", "TDRC": "2021", "TCON": "Folk"}
    found = read_media_metadata(stored(tmp_path, mp3(10, cover=b"\xff\xd8\xff picture", **told)), "audio/mpeg")
    assert found.cover == b"\xff\xd8\xff picture"
    assert dict(found.members) == {
        "dataformat": "mp3", "channels": 2, "sample_rate": 44_100, "bitrate": 128_000, "channelmode": "stereo",
        "lossless": False, "fileformat": "mp3", "length": 10, "length_formatted": "0:10", "mime_type": "audio/mpeg",
        "title": "Sea wind", "artist": "Anna", "album": "Coast", "genre": "Folk", "year": "2021",
        "track_number": "4/12",
    }  # fmt: skip


def test_an_ogg_says_how_long_it_is(tmp_path: Path) -> None:
    found = read_media_metadata(stored(tmp_path, ogg(75, artist="Anna", title="Wave")), "audio/ogg").members
    assert (found["length_formatted"], found["channels"], found["sample_rate"]) == ("1:15", 2, 48_000)
    assert (found["fileformat"], found["artist"], found["title"]) == ("ogg", "Anna", "Wave")


def test_an_m4a_says_how_long_it_is(tmp_path: Path) -> None:
    found = read_media_metadata(stored(tmp_path, m4a(42)), "audio/mpeg").members
    assert (found["length_formatted"], found["fileformat"], found["dataformat"]) == ("0:42", "mp4", "mp4")
    assert (found["channels"], found["sample_rate"]) == (2, 44_100)


def test_a_document_says_how_many_pages_it_has_and_how_large_they_are(tmp_path: Path) -> None:
    content = document(3, 595.28, 842, title="Tide <i>table</i>", author="Harbour office")
    assert read_media_metadata(stored(tmp_path, content), "application/pdf").members == {
        "pages": 3, "page_width": 595.28, "page_height": 842, "title": "Tide table", "author": "Harbour office",
    }  # fmt: skip


def test_a_header_that_claims_much_is_not_believed(tmp_path: Path) -> None:
    import tracemalloc

    path = tmp_path / "claim.mp3"
    with path.open("wb") as file:
        file.write(b"ID3\4\0\0\x7f\x7f\x7f\x7fAPIC\x7f\x7f\x7f\x70\0\0\0image/jpeg\0\3\0")
        file.truncate(200 << 20)
    tracemalloc.start()
    read_media_metadata(path, "audio/mpeg")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 100 << 20


def test_other_files_say_nothing(tmp_path: Path) -> None:
    assert read_media_metadata(stored(tmp_path, b"%PDF-1.4"), "application/pdf") == MediaMetadata()
    assert read_media_metadata(stored(tmp_path, b"ID3\3" + bytes(100)), "audio/mpeg") == MediaMetadata()
    assert read_media_metadata(stored(tmp_path, b"words"), "text/plain") == MediaMetadata()


_MIMES = ["video/mp4", "audio/wav", "audio/flac", "audio/mpeg", "audio/ogg", "audio/x-ms-wma", "application/pdf"]


@given(content=binary(max_size=400), mime=sampled_from(_MIMES))
def test_no_bytes_make_the_question_fail(tmp_path_factory: pytest.TempPathFactory, content: bytes, mime: str) -> None:
    folder = tmp_path_factory.getbasetemp()
    wav, flac, mp3_, pdf = b"RIFF\0\0\0\0WAVEfmt \x10\0\0\0", b"fLaC\0\0\0\x22", b"ID3\4\0\0", b"%PDF-1.7\n"
    for beginning in (b"", film(1, 2, 2)[:60], wav, flac, mp3_, ogg(3)[:70], pdf):
        read_media_metadata(stored(folder, beginning + content), mime)


_GOOD = {
    "audio/mpeg": mp3(1, cover=bytes(50), TIT2="a"), "audio/ogg": ogg(2, title="a"),
    "video/mp4": film(3, 9, 9) + m4a(4), "application/pdf": document(2, 100, 100, "a", "b"),
}  # fmt: skip


@given(mime=sampled_from(sorted(_GOOD)), at=integers(0, 1 << 16), content=binary(min_size=1, max_size=8))
def test_no_broken_byte_makes_the_question_fail(
    tmp_path_factory: pytest.TempPathFactory, mime: str, at: int, content: bytes
) -> None:
    whole = _GOOD[mime]
    at %= len(whole)
    broken = whole[:at] + content + whole[at + len(content) :]
    read_media_metadata(stored(tmp_path_factory.getbasetemp(), broken), mime)
    read_media_metadata(stored(tmp_path_factory.getbasetemp(), whole[:at]), mime)

"""What sound and film files say of themselves, and that no file can make the question fail."""

from __future__ import annotations

import struct
import wave
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis.strategies import binary, sampled_from

from vetrina.domain.media.details import details


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
    found = details(stored(tmp_path, film(3725, 640, 360, long)), "video/mp4")
    assert found == {
        "fileformat": "mp4", "width": 640, "height": 360, "length": 3725, "length_formatted": "1:02:05",
        "mime_type": "video/mp4",
    }  # fmt: skip


def test_a_sound_says_how_long_it_is(tmp_path: Path) -> None:
    path = tmp_path / "sound.wav"
    with wave.open(str(path), "wb") as sound:
        sound.setnchannels(2)
        sound.setsampwidth(2)
        sound.setframerate(8000)
        sound.writeframes(bytes(4 * 8000 * 65))
    found = details(path, "audio/wav")
    assert (found["length"], found["length_formatted"], found["channels"]) == (65, "1:05", 2)
    assert (found["sample_rate"], found["bitrate"]) == (8000, 256_000)


def test_a_flac_says_how_long_it_is(tmp_path: Path) -> None:
    packed = (44_100 << 44) | (1 << 41) | (15 << 36) | 44_100 * 9
    content = b"fLaC\0\0\0\x22" + bytes(10) + packed.to_bytes(8, "big") + bytes(16)
    found = details(stored(tmp_path, content), "audio/flac")
    assert (found["length_formatted"], found["channels"], found["sample_rate"]) == ("0:09", 2, 44_100)


def test_other_files_say_nothing(tmp_path: Path) -> None:
    assert details(stored(tmp_path, b"%PDF-1.4"), "application/pdf") == {}
    assert details(stored(tmp_path, b"ID3\3" + bytes(100)), "audio/mpeg") == {}


@given(content=binary(max_size=400), mime=sampled_from(["video/mp4", "audio/wav", "audio/flac"]))
def test_no_bytes_make_the_question_fail(tmp_path_factory: pytest.TempPathFactory, content: bytes, mime: str) -> None:
    folder = tmp_path_factory.getbasetemp()
    for beginning in (b"", film(1, 2, 2)[:60], b"RIFF\0\0\0\0WAVEfmt \x10\0\0\0", b"fLaC\0\0\0\x22"):
        details(stored(folder, beginning + content), mime)

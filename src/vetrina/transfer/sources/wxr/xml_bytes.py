"""Bytes of an export file that no XML may have: old databases leave control characters and broken letters in texts.

One of them would end the reading of the whole file, so `?` stands for each. Positions in the file stay as they are.
"""

from __future__ import annotations

import codecs
import re
from operator import ne
from typing import Final

_CONTROLS: Final = bytes(code for code in range(32) if code not in b"\t\n\r")
_HIGH: Final = bytes(range(128, 256))
_WITHOUT_CONTROLS: Final = bytes.maketrans(_CONTROLS, b"?" * len(_CONTROLS))
_ASCII: Final = bytes.maketrans(_CONTROLS + _HIGH, b"?" * len(_CONTROLS + _HIGH))
_NO_LETTERS: Final = re.compile("[\ufffe\uffff]")  # three bytes each
_ERRORS: Final = "vetrina.same_length"


def _replace_byte_by_byte(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return "?" * (error.end - error.start), error.end


codecs.register_error(_ERRORS, _replace_byte_by_byte)


class XmlByteReplacer:
    """Replaces what no XML may have, chunk by chunk. encoding: of the file. replaced: how many bytes so far."""

    def __init__(self, encoding: str) -> None:
        self.replaced = 0
        self._decoder = codecs.getincrementaldecoder("utf-8")(_ERRORS) if encoding == "utf-8" else None
        self._table = _ASCII if encoding == "us-ascii" else _WITHOUT_CONTROLS

    def replace(self, chunk: bytes, *, last: bool = False) -> bytes:
        """Return a chunk with nothing but what XML may have; a letter that it ends in comes with the next one."""
        found = chunk
        if self._decoder is not None:
            raw = self._decoder.getstate()[0] + chunk
            found = _NO_LETTERS.sub("???", self._decoder.decode(chunk, last)).encode()
            chunk = raw[: len(found)]
        found = found.translate(self._table)
        if found != chunk:
            self.replaced += sum(map(ne, found, chunk))
        return found


def replace_bad_bytes(text: bytes, encoding: str) -> bytes:
    """Return a part of a file with nothing but what XML may have, of the same length."""
    return XmlByteReplacer(encoding).replace(text, last=True)

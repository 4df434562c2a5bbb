"""Pictures of what is suggested to an owner: a mark for each, drawn when it is asked for.

The marks of others are theirs; ours are a colour that follows from the name, and its first letters where letters can
be written. Not here: what is suggested (shop/admin/suggestions.py), sending files (http/file_responses.py).
"""

from __future__ import annotations

import colorsys
import zlib
from functools import cache
from typing import Final
from xml.sax.saxutils import escape

from vetrina.core.unit_of_work import Work
from vetrina.shop.admin import suggestions
from vetrina.shop.payments import gateways

__all__ = ["PLACE", "address_of", "drawn", "of_gateway"]

PLACE: Final = "plugins/shop/assets/images/"  # beneath the address of the site's files
_SIDE: Final = 72  # pixels
_WAYS: Final = "payment_methods/"  # folder of the pictures of ways of paying


def of_gateway(id: str) -> str:
    """Return the name of the picture of a way of paying."""
    return f"{_WAYS}{id}.svg"


def address_of(work: Work, name: str) -> str:
    """Return the address of a picture."""
    return f"{work.origin}/cms-content/{PLACE}{name}"


def drawn(name: str) -> tuple[str, bytes] | None:
    """Return type and bytes of a picture by the name of its file; None for one that nothing suggests."""
    own = name.removeprefix(PLACE)
    if own == name or (own not in suggestions.picture_names() and own not in _of_ways()):
        return None
    return ("image/svg+xml", _svg(own)) if own.endswith(".svg") else ("image/png", _png(own))


def _of_ways() -> frozenset[str]:
    return frozenset(of_gateway(id) for id in gateways.every_id())


def _colour(name: str) -> tuple[int, int, int]:
    hue = zlib.crc32(_word(name).encode()) % 360 / 360
    red, green, blue = (round(part * 255) for part in colorsys.hls_to_rgb(hue, 0.42, 0.5))
    return red, green, blue


def _word(name: str) -> str:
    """Return what a picture is of: the name of its file without its folder and its kind."""
    return name.rpartition("/")[2].rpartition(".")[0]


@cache
def _svg(name: str) -> bytes:
    letters = "".join(part[0] for part in _word(name).split("-")[:2] if part).upper()
    colour = "#{:02x}{:02x}{:02x}".format(*_colour(name))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_SIDE}" height="{_SIDE}" viewBox="0 0 72 72">'
        f'<rect width="72" height="72" rx="12" fill="{colour}"/>'
        f'<text x="36" y="46" font-family="sans-serif" font-size="28" fill="#fff" text-anchor="middle">'
        f"{escape(letters)}</text></svg>"
    ).encode()


@cache
def _png(name: str) -> bytes:
    """Return a disc in the colour of the name."""
    inside, outside = bytes((*_colour(name), 255)), bytes(4)
    middle, radius = (_SIDE - 1) / 2, _SIDE / 2
    rows = b"".join(
        b"\0" + b"".join(
            inside if (x - middle) ** 2 + (y - middle) ** 2 <= radius**2 else outside for x in range(_SIDE)
        )
        for y in range(_SIDE)
    )  # fmt: skip
    side = _SIDE.to_bytes(4, "big")
    # Eight bits for each of red, green, blue and opacity; nothing filtered, nothing interlaced.
    head = side + side + bytes((8, 6, 0, 0, 0))
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in parts)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")

"""Generated images for suggestions to an owner, drawn on request.

Instead of other companies' logos: a color derived from the name, with its initials where letters can be written. Not
here: the suggestions (shop/admin/suggestions.py), sending files (http/file_responses.py).
"""

from __future__ import annotations

import colorsys
import zlib
from functools import cache
from html import escape
from typing import Final

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.admin import suggestions
from vetrina.shop.payments import gateways

IMAGES_PATH: Final = "plugins/shop/assets/images/"  # below the URL of the site's files
_SIDE: Final = 72  # pixels
_WAYS: Final = "payment_methods/"  # folder of the images of payment methods


def build_gateway_image_name(id: str) -> str:
    """Return the file name of the image of a payment method."""
    return f"{_WAYS}{id}.svg"


def build_image_url(work: UnitOfWork, name: str) -> str:
    """Return the URL of an image."""
    return f"{work.origin}/cms-content/{IMAGES_PATH}{name}"


def render_image(name: str) -> tuple[str, bytes] | None:
    """Return media type and bytes of an image by its file name; None for one that no suggestion uses."""
    own = name.removeprefix(IMAGES_PATH)
    if own == name or (own not in suggestions.list_image_names() and own not in _list_gateway_images()):
        return None
    return ("image/svg+xml", _render_svg(own)) if own.endswith(".svg") else ("image/png", _render_png(own))


def _list_gateway_images() -> frozenset[str]:
    return frozenset(build_gateway_image_name(id) for id in gateways.list_all_gateway_ids())


def _compute_color(name: str) -> tuple[int, int, int]:
    hue = zlib.crc32(_get_file_stem(name).encode()) % 360 / 360
    red, green, blue = (round(part * 255) for part in colorsys.hls_to_rgb(hue, 0.42, 0.5))
    return red, green, blue


def _get_file_stem(name: str) -> str:
    """Return the subject of an image: its file name without folder and extension."""
    return name.rpartition("/")[2].rpartition(".")[0]


@cache
def _render_svg(name: str) -> bytes:
    letters = "".join(part[0] for part in _get_file_stem(name).split("-")[:2] if part).upper()
    color = "#{:02x}{:02x}{:02x}".format(*_compute_color(name))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_SIDE}" height="{_SIDE}" viewBox="0 0 72 72">'
        f'<rect width="72" height="72" rx="12" fill="{color}"/>'
        f'<text x="36" y="46" font-family="sans-serif" font-size="28" fill="#fff" text-anchor="middle">'
        f"{escape(letters, quote=False)}</text></svg>"
    ).encode()


@cache
def _render_png(name: str) -> bytes:
    """Return a disc in the color of the name."""
    inside, outside = bytes((*_compute_color(name), 255)), bytes(4)
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
    return b"\x89PNG\r\n\x1a\n" + b"".join(_build_png_chunk(kind, data) for kind, data in parts)


def _build_png_chunk(kind: bytes, data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")

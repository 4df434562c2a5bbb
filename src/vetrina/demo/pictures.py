"""Images drawn by code: landscapes, walls, maps, and products. The same seed draws the same image.

The sub-sizes that the site makes of them: media/images/processing.py.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw


_DRAWN_SIZE: Final = (1200, 800)  # pixels of the drawing
_FILE_SIZE: Final = (900, 600)  # pixels of the file; a larger one gets more sub-sizes, each of which takes its time
_THING_SIZE: Final = 600  # pixels of a side
_STEP: Final = 12  # pixels between two points of a line

Color = tuple[int, int, int]


def draw_subject(subject: str, path: Path, random: Random) -> None:
    """Draw one of SUBJECTS into a JPEG file."""
    from PIL import Image, ImageDraw

    image = Image.new("RGB", _DRAWN_SIZE)
    SUBJECTS[subject](ImageDraw.Draw(image), image, random)
    image.resize(_FILE_SIZE, Image.Resampling.BILINEAR).save(path, "JPEG", quality=80)


def draw_thing(shape: str, colour: str, path: Path) -> None:
    """Draw a product into a JPEG file: its outline on a light background.

    shape: one of _OUTLINES. colour: as `#8a3b12`.
    """
    from PIL import Image, ImageDraw

    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    image = Image.new("RGB", (_THING_SIZE, _THING_SIZE), (246, 243, 236))
    pen = ImageDraw.Draw(image)
    pen.ellipse((110, 490, 490, 540), fill=(226, 221, 210))
    _OUTLINES[shape](pen, (red, green, blue))
    image.save(path, "JPEG", quality=80)


# -- landscapes


def _draw_sky(image: Image, above: Color, below: Color) -> None:
    """Fill the background with a vertical gradient."""
    from PIL import Image as Images

    strip = Images.new("RGB", (1, 64))
    for at in range(64):
        strip.putpixel((0, at), _mix_colors(above, below, at / 63))
    image.paste(strip.resize(_DRAWN_SIZE, Images.Resampling.BILINEAR), (0, 0))


def _mix_colors(one: Color, other: Color, share: float) -> Color:
    mixed = [round(start + (end - start) * share) for start, end in zip(one, other, strict=True)]
    return mixed[0], mixed[1], mixed[2]


def _draw_ridge(pen: ImageDraw, random: Random, height: int, swing: int, colour: Color) -> None:
    """Draw a hill from side to side. height: of its middle, from the top; swing: its amplitude."""
    phases = [random.uniform(0, math.tau) for _ in range(4)]
    points = []
    for x in range(0, _DRAWN_SIZE[0] + _STEP, _STEP):
        wave = sum(
            math.sin(x / _DRAWN_SIZE[0] * math.tau * (0.6 + 0.9 * at) + turn) / (1 + at)
            for at, turn in enumerate(phases)
        )
        points.append((x, height + wave * swing))
    pen.polygon([(0, _DRAWN_SIZE[1]), *points, (_DRAWN_SIZE[0], _DRAWN_SIZE[1])], fill=colour)


def _draw_hills(pen: ImageDraw, image: Image, random: Random) -> None:
    _draw_sky(image, (142, 183, 207), (250, 227, 190))
    x, y = random.randint(200, 1000), random.randint(190, 260)
    pen.ellipse((x - 60, y - 60, x + 60, y + 60), fill=(255, 243, 214))
    for at in range(5):
        _draw_ridge(pen, random, 330 + 90 * at, 60, _mix_colors((129, 160, 176), (38, 66, 54), at / 4))


def _draw_night(pen: ImageDraw, image: Image, random: Random) -> None:
    _draw_sky(image, (13, 21, 44), (52, 68, 104))
    for _ in range(140):
        x, y, size = random.randint(0, 1199), random.randint(0, 480), random.choice((1, 1, 2))
        pen.ellipse((x - size, y - size, x + size, y + size), fill=(233, 233, 214))
    x, y = random.randint(250, 950), random.randint(120, 220)
    pen.ellipse((x - 52, y - 52, x + 52, y + 52), fill=(240, 236, 205))
    pen.ellipse((x - 22, y - 60, x + 82, y + 44), fill=(20, 29, 55))
    for at in range(3):
        _draw_ridge(pen, random, 480 + 110 * at, 70, _mix_colors((34, 46, 72), (9, 14, 24), at / 2))


def _draw_bridge(pen: ImageDraw, image: Image, random: Random) -> None:
    _draw_hills(pen, image, random)
    pen.rectangle((0, 610, 1200, 800), fill=(74, 122, 110))
    for _ in range(90):
        x, y = random.randint(0, 1180), random.randint(620, 795)
        pen.line((x, y, x + random.randint(15, 70), y), fill=(120, 165, 148), width=2)
    pen.polygon([(150, 640), (150, 560), (600, 430), (1050, 560), (1050, 640)], fill=(148, 142, 130))
    pen.pieslice((340, 470, 860, 850), 180, 360, fill=(74, 122, 110))
    for _ in range(120):
        x = random.randint(160, 1030)
        y = random.randint(445 + abs(x - 600) // 4, 490 + abs(x - 600) // 4)
        pen.rectangle((x, y, x + random.randint(14, 30), y + 9), outline=(112, 107, 98))


def _draw_wall(pen: ImageDraw, image: Image, random: Random) -> None:
    _draw_sky(image, (84, 82, 76), (60, 58, 54))
    y = -10
    while y < _DRAWN_SIZE[1]:
        high, x = random.randint(50, 95), -random.randint(0, 80)
        while x < _DRAWN_SIZE[0]:
            wide, grey = random.randint(70, 190), random.randint(116, 186)
            pen.rounded_rectangle((x, y, x + wide - 7, y + high - 7), 14, fill=(grey, grey - 6, grey - 18))
            x += wide
        y += high


def _draw_leaves(pen: ImageDraw, image: Image, random: Random) -> None:
    _draw_sky(image, (92, 66, 40), (52, 38, 26))
    colours = ((176, 96, 34), (201, 143, 52), (142, 52, 28), (120, 84, 38), (214, 178, 90))
    for _ in range(150):
        x, y, long, turn = (
            random.randint(0, 1200),
            random.randint(0, 800),
            random.randint(50, 120),
            random.uniform(0, 7),
        )
        tip = (x + long * math.cos(turn), y + long * math.sin(turn))
        side = (math.cos(turn + 1.57) * long / 5, math.sin(turn + 1.57) * long / 5)
        middle = ((x + tip[0]) / 2, (y + tip[1]) / 2)
        edges = [(x, y), (middle[0] + side[0], middle[1] + side[1]), tip, (middle[0] - side[0], middle[1] - side[1])]
        pen.polygon(edges, fill=random.choice(colours))
        pen.line([(x, y), tip], fill=(90, 54, 24), width=2)


def _draw_map(pen: ImageDraw, image: Image, random: Random) -> None:
    image.paste((240, 234, 214), (0, 0, *_DRAWN_SIZE))
    for _ in range(5):
        x, y = random.randint(100, 1100), random.randint(80, 720)
        for ring in range(9):
            wide, high = 40 + ring * random.randint(38, 44), 30 + ring * random.randint(26, 32)
            pen.ellipse((x - wide, y - high, x + wide, y + high), outline=(190, 160, 120), width=2)
    _draw_trail(pen, random, (96, 150, 190), 6, 1.0)
    _draw_trail(pen, random, (186, 52, 40), 7, 0.6)
    for _ in range(14):
        x, y = random.randint(40, 1150), random.randint(40, 750)
        pen.rectangle((x, y, x + 14, y + 14), fill=(70, 62, 54))


def _draw_trail(pen: ImageDraw, random: Random, colour: Color, width: int, drawn: float) -> None:
    """Draw a path from left to right. drawn: the share that is drawn, the rest are gaps."""
    height, before = random.randint(250, 550), (0.0, 400.0)
    turn = random.uniform(0, math.tau)
    for x in range(0, _DRAWN_SIZE[0] + 30, 30):
        point = (float(x), height + 120 * math.sin(x / 210 + turn) + 40 * math.sin(x / 70 + turn))
        if x and random.random() < drawn:
            pen.line([before, point], fill=colour, width=width)
        before = point


SUBJECTS: Final[Mapping[str, Callable[[ImageDraw, Image, Random], None]]] = {
    "hills": _draw_hills,
    "night": _draw_night,
    "bridge": _draw_bridge,
    "wall": _draw_wall,
    "leaves": _draw_leaves,
    "map": _draw_map,
}


# -- products


def _draw_sheet(pen: ImageDraw, colour: Color) -> None:
    for at, left in enumerate((140, 240, 340)):
        shade = _mix_colors(colour, (255, 255, 255), 0.12 * at)
        rise = 24 if at % 2 else 0
        pen.polygon(
            [(left, 150 + rise), (left + 100, 174 - rise), (left + 100, 474 - rise), (left, 450 + rise)], fill=shade
        )
    pen.line([(160, 400), (250, 320), (330, 340), (430, 210)], fill=(255, 250, 240), width=8)


def _draw_book(pen: ImageDraw, colour: Color) -> None:
    pen.rounded_rectangle((180, 130, 440, 500), 14, fill=_mix_colors(colour, (0, 0, 0), 0.25))
    pen.rounded_rectangle((170, 120, 420, 490), 14, fill=colour)
    pen.rectangle((200, 120, 216, 490), fill=_mix_colors(colour, (255, 255, 255), 0.35))


def _draw_jacket(pen: ImageDraw, colour: Color) -> None:
    right = [(390, 130), (520, 240), (460, 320), (410, 270), (410, 500)]
    pen.polygon([*right, *((600 - x, y) for x, y in reversed(right))], fill=colour)
    pen.line([(300, 130), (300, 500)], fill=_mix_colors(colour, (0, 0, 0), 0.35), width=6)
    for y in range(180, 480, 60):
        pen.ellipse((308, y, 322, y + 14), fill=(246, 243, 236))


def _draw_sock(pen: ImageDraw, colour: Color) -> None:
    pen.polygon([(230, 110), (360, 110), (360, 330), (470, 430), (430, 510), (330, 500), (230, 400)], fill=colour)
    pen.rectangle((230, 110, 360, 160), fill=_mix_colors(colour, (255, 255, 255), 0.4))


def _draw_bottle(pen: ImageDraw, colour: Color) -> None:
    pen.rounded_rectangle((220, 200, 380, 510), 36, fill=colour)
    pen.rounded_rectangle((250, 120, 350, 205), 12, fill=_mix_colors(colour, (0, 0, 0), 0.4))


def _draw_pencil(pen: ImageDraw, colour: Color) -> None:
    for at in range(3):
        left = 190 + at * 80
        pen.rectangle((left, 130, left + 50, 430), fill=_mix_colors(colour, (255, 255, 255), 0.2 * at))
        pen.polygon([(left, 430), (left + 50, 430), (left + 25, 505)], fill=(222, 190, 140))


def _draw_parcel(pen: ImageDraw, colour: Color) -> None:
    pen.rectangle((140, 200, 460, 500), fill=colour)
    pen.rectangle((280, 200, 320, 500), fill=_mix_colors(colour, (255, 255, 255), 0.5))
    pen.rectangle((140, 320, 460, 356), fill=_mix_colors(colour, (255, 255, 255), 0.5))


def _draw_egg(pen: ImageDraw, colour: Color) -> None:
    pen.rounded_rectangle((282, 380, 318, 515), 12, fill=_mix_colors(colour, (0, 0, 0), 0.3))
    pen.ellipse((205, 120, 395, 410), fill=colour)
    pen.ellipse((245, 165, 300, 250), fill=_mix_colors(colour, (255, 255, 255), 0.35))


def _draw_scarf(pen: ImageDraw, colour: Color) -> None:
    shade, light = _mix_colors(colour, (0, 0, 0), 0.25), _mix_colors(colour, (255, 255, 255), 0.5)
    pen.polygon([(330, 200), (440, 180), (460, 480), (350, 490)], fill=shade)
    pen.polygon([(170, 180), (280, 200), (270, 510), (150, 500)], fill=colour)
    pen.rounded_rectangle((160, 120, 440, 230), 50, fill=_mix_colors(colour, (255, 255, 255), 0.12))
    for y in (430, 455):
        pen.line([(156, y), (271, y + 8)], fill=light, width=8)
        pen.line([(348, y - 8), (457, y - 14)], fill=light, width=8)


def _draw_kiln(pen: ImageDraw, colour: Color) -> None:
    pen.polygon([(150, 515), (210, 190), (390, 190), (450, 515)], fill=colour)
    pen.ellipse((210, 165, 390, 215), fill=_mix_colors(colour, (0, 0, 0), 0.35))
    for row, y in enumerate(range(250, 500, 50)):
        pen.line([(212 - 11 * row, y), (388 + 11 * row, y)], fill=_mix_colors(colour, (255, 255, 255), 0.3), width=4)
    pen.pieslice((245, 395, 355, 635), 180, 360, fill=(58, 38, 30))
    pen.polygon([(270, 515), (300, 430), (330, 515)], fill=(222, 140, 60))


_OUTLINES: Final[Mapping[str, Callable[[ImageDraw, Color], None]]] = {
    "sheet": _draw_sheet,
    "book": _draw_book,
    "jacket": _draw_jacket,
    "sock": _draw_sock,
    "bottle": _draw_bottle,
    "pencil": _draw_pencil,
    "parcel": _draw_parcel,
    "egg": _draw_egg,
    "scarf": _draw_scarf,
    "kiln": _draw_kiln,
}

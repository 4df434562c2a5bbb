"""Pictures of screens for docs/administration.md, taken with VETRINA_PICTURES=1."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

from PIL import Image

PICTURES = Path(__file__).parents[3] / "docs" / "pictures" / "administration"


def take_picture(page: Any, name: str) -> None:
    """Write what the window shows where pictures are asked for."""
    if os.environ.get("VETRINA_PICTURES"):
        page.wait_for_timeout(600)
        PICTURES.mkdir(parents=True, exist_ok=True)
        Image.open(io.BytesIO(page.screenshot())).convert("RGB").save(PICTURES / f"{name}.webp", quality=72, method=6)

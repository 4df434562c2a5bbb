"""Build the documentation: `python -m derive [FOLDER]`, by default into `build/docs`; any warning is an error."""

from __future__ import annotations

import gc
import sys
from pathlib import Path

from sphinx.cmd.build import build_main

from .sources import ROOT, gather

__all__ = ["build"]


def build(folder: Path) -> int:
    """Write the sources into `folder/source` and the site into `folder/html`; return the exit status."""
    # Documents are trees whose nodes know their parents: looking through all of them, time and again, for what nobody
    # holds any more took two fifths of the build.
    gc.freeze()
    gc.set_threshold(100_000, 20, 50)
    gather(folder / "source")
    settings = ["-c", str(ROOT / "docs"), "-d", str(folder / "doctrees")]
    strict = ["-q", "-E", "-W", "--keep-going", "-j", "2"]
    return build_main([*strict, *settings, "-b", "html", str(folder / "source"), str(folder / "html")])


if __name__ == "__main__":
    sys.exit(build(Path(sys.argv[1]) if sys.argv[1:] else ROOT / "build" / "docs"))

"""What a site is while it runs, from its profile and its settings.

Not here: how the two are found (backends/site_folder.py), the rooms that answer requests (site.py).
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from vetrina.backends.decoding_memory import DecodingMemory
from vetrina.backends.files import Files
from vetrina.backends.outbound import Outbound
from vetrina.domain.content.dynamic import dynamic_blocks
from vetrina.domain.content.site_types import taxonomies_of_profile, types_of_profile
from vetrina.kernel.times import Clock, SystemClock, zone
from vetrina.settings import Profile, Settings

from .design import design_blocks
from .media import gallery, image_blocks
from .work import Frame

__all__ = ["frame_of"]

_BLOCKS = {**dynamic_blocks.BLOCKS, **design_blocks.BLOCKS, **image_blocks.BLOCKS, **gallery.BLOCKS}


def frame_of(
    profile: Profile,
    settings: Settings,
    clock: Clock | None = None,
    outbound: Outbound | None = None,
    files: Files | None = None,
    folder: Path | None = None,
) -> Frame:
    """Return the frame that a profile and settings make.

    clock, outbound: the machine's when left out. files: where uploads are kept, nowhere when left out.
    folder: of the site.
    """
    types, taxonomies, limits = types_of_profile(profile), taxonomies_of_profile(profile), profile.limits
    if "shop" in profile.modules:
        from .shop import kinds as shop_kinds

        types, taxonomies = {**types, **shop_kinds.TYPES}, {**taxonomies, **shop_kinds.TAXONOMIES}
    outbound = outbound or Outbound(
        seconds=limits.outbound_seconds, most_bytes=limits.outbound_bytes, redirects=limits.outbound_redirects
    )
    local, clock = zone(profile.time_zone), clock or SystemClock()
    frame = Frame(profile, settings, local, clock, types, taxonomies, outbound, blocks=_BLOCKS)
    frame = replace(frame, decoding=DecodingMemory(settings.decoding_megapixels))
    if "multilingual" in profile.modules:
        from .mlang import site_texts

        frame = replace(frame, texts=site_texts)
    if folder is not None:
        frame = replace(frame, folder=folder)
    return replace(frame, files=files) if files is not None else frame

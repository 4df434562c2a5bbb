"""What a site is while it runs, from its profile and its settings.

Not here: how the two are found (backends/site_folder.py), the rooms that answer requests (site.py).
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from vetrina.backends.decoding_memory import DecodingMemory
from vetrina.backends.file_store import Files
from vetrina.backends.http_client import Outbound
from vetrina.content.blocks import dynamic_blocks
from vetrina.content.types.registry import taxonomies_of_profile, types_of_profile
from vetrina.core.unit_of_work import Frame
from vetrina.design.templates import blocks as template_blocks
from vetrina.kernel.times import Clock, SystemClock, zone
from vetrina.media.images import blocks as image_blocks
from vetrina.media.images import gallery as image_gallery
from vetrina.settings import Profile, Settings

__all__ = ["frame_of"]

_BLOCKS = {**dynamic_blocks.BLOCKS, **template_blocks.BLOCKS, **image_blocks.BLOCKS, **image_gallery.BLOCKS}


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
        from vetrina.shop.products import product_types

        types, taxonomies = {**types, **product_types.TYPES}, {**taxonomies, **product_types.TAXONOMIES}
    outbound = outbound or Outbound(
        seconds=limits.outbound_seconds, most_bytes=limits.outbound_bytes, redirects=limits.outbound_redirects
    )
    local, clock = zone(profile.time_zone), clock or SystemClock()
    frame = Frame(profile, settings, local, clock, types, taxonomies, outbound, blocks=_BLOCKS)
    frame = replace(frame, decoding=DecodingMemory(settings.decoding_megapixels))
    if "multilingual" in profile.modules:
        from vetrina.multilingual.strings import site_texts

        frame = replace(frame, texts=site_texts)
    if folder is not None:
        frame = replace(frame, folder=folder)
    return replace(frame, files=files) if files is not None else frame

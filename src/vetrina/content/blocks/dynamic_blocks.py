"""Every dynamic block of this package, with the function that renders it; start reading here.

Not here: how they are called (content/blocks/dynamic_rendering.py), blocks of design and media, which are in their
modules.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from vetrina.content.blocks import (
    calendar_block,
    comment_blocks,
    feed_block,
    list_blocks,
    person_blocks,
    query_blocks,
    record_blocks,
    site_blocks,
)
from vetrina.content.blocks.block_context import BlockRenderFunction

BLOCKS: Final[Mapping[str, BlockRenderFunction]] = {
    **calendar_block.BLOCKS,
    **comment_blocks.BLOCKS,
    **feed_block.BLOCKS,
    **list_blocks.BLOCKS,
    **person_blocks.BLOCKS,
    **query_blocks.BLOCKS,
    **record_blocks.BLOCKS,
    **site_blocks.BLOCKS,
}

"""Every block that shows something of the site, with what makes it: the list that a newcomer reads.

Not here: how they are shown (content/blocks/dynamic_rendering.py), blocks of the design and of media, which their rooms
make.
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
from vetrina.content.blocks.dynamic_rendering import Maker

__all__ = ["BLOCKS"]

BLOCKS: Final[Mapping[str, Maker]] = {
    **calendar_block.BLOCKS,
    **comment_blocks.BLOCKS,
    **feed_block.BLOCKS,
    **list_blocks.BLOCKS,
    **person_blocks.BLOCKS,
    **query_blocks.BLOCKS,
    **record_blocks.BLOCKS,
    **site_blocks.BLOCKS,
}

"""The catalogue of a shop: lists of products, and the page of one."""

from __future__ import annotations

from typing import Final

from vetrina.core.phrases import Phrases
from vetrina.pages.page_features import PageFeatures

FEATURES: Final = PageFeatures(phrases=Phrases(__name__))

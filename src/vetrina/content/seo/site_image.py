"""The image that stands for the site where a page has none of its own. Rules: docs/rules/seo.md, 3."""

from __future__ import annotations

from vetrina.core.unit_of_work import UnitOfWork


def get_site_image_id(work: UnitOfWork) -> int:
    """Return the id of the site's logo, else of its icon; 0 for none."""
    return int(work.option("site_logo") or work.option("site_icon") or 0)

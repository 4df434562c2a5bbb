"""What an import is told beside its source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class ImportOptions:
    """What an import is told.

    keep_ids: whether records keep their ids; None: on an empty site. dry_run: write nothing. files: whether files of
    the library come. author: login of the account that gets everything, empty for none. authors: login in the source →
    login here.
    """

    keep_ids: bool | None = None
    dry_run: bool = False
    files: bool = True
    author: str = ""
    authors: Mapping[str, str] = field(default_factory=dict)

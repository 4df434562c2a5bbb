"""Settings of the source: they come into an empty site only, where nobody has chosen any."""

from __future__ import annotations

from typing import Any, Final

from vetrina.content.site_settings import rules as site_settings

from .incoming_record import IncomingRecord
from .journal import RECORD, TERM
from .outcome import Written

_REFERENCES: Final = {
    "default_category": TERM, "page_on_front": RECORD, "page_for_posts": RECORD, "site_logo": RECORD,
    "site_icon": RECORD,
}  # fmt: skip


def write_settings(one: IncomingRecord) -> Written:
    """Write the settings that came; one that names something that has not come stays as it is."""
    if not one.keep_ids:
        one.notes["settings stay those of this site, which was not empty"] += 1
        return Written(1, adopted=True)
    given: dict[str, Any] = {}
    for name, value in one.values.items():
        kind = _REFERENCES.get(name)
        if kind is None:
            if name in site_settings.SETTING_NAMES and name != "url" and _has_type_of(one.work.raw_option(name), value):
                given[name] = value
        elif found := one.resolve(kind, value, name):
            given[name] = found
    site_settings.update_site_settings(one.work, given)
    return Written(1)


def _has_type_of(stored: Any, value: Any) -> bool:
    return stored is None or type(value) is type(stored)

"""Options pages of the source: they come into an empty site only, where nobody has written any."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vetrina.content.options_pages.rules import load_options_page, update_options_page
from vetrina.transfer.sources.address.site_source import BY_LANGUAGE_MEMBER

from .extra_fields import convert_own_fields
from .incoming_record import IncomingRecord, RecordSkipped
from .outcome import Written


def write_options_page(one: IncomingRecord) -> Written:
    """Write the values of a page, in each language that has its own. Raises RecordSkipped, InvalidParam."""
    work, name = one.work, str(one.record.id)
    profile = work.site.profile
    if name not in profile.options_pages:
        raise RecordSkipped(f"the profile has no options page {name!r}")
    if not one.keep_ids:
        one.notes["options pages stay those of this site, which was not empty"] += 1
        return Written(1, adopted=True)
    with work.use_language(profile.default_language):
        _write_values(one, name, one.meta)
    others = one.values.get(BY_LANGUAGE_MEMBER)
    for language, values in others.items() if isinstance(others, Mapping) else ():
        if language in profile.languages and isinstance(values, Mapping):
            # What a language doesn't have of its own it shows as the default one has it.
            own = {key: value for key, value in values.items() if value != one.meta.get(key)}
            with work.use_language(language):
                _write_values(one, name, own)
    return Written(1)


def _write_values(one: IncomingRecord, name: str, values: Mapping[str, Any]) -> None:
    page = load_options_page(one.work, name)
    converted = convert_own_fields(one, name, values)
    # Nothing is emptied that was empty: a field that is required would refuse it.
    given = {key: value for key, value in converted.items() if value is not None or page.values.get(key) is not None}
    if given:
        update_options_page(one.work, page, {"meta": given})

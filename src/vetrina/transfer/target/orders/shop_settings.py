"""Settings of a shop on their way in: they come into an empty site only, where nobody has chosen any."""

from __future__ import annotations

from typing import Final

from vetrina.shop.settings import rules as settings
from vetrina.shop.settings.rules import InvalidSettingGroup, InvalidSettingValue, InvalidShopSetting
from vetrina.transfer.target.incoming_record import IncomingRecord
from vetrina.transfer.target.journal import RECORD
from vetrina.transfer.target.outcome import Written

_SEALED: Final = "password"  # type of a setting
_PAGES: Final = "pages"  # choices that are the site's pages
_LIST: Final = "multiselect"


def write_shop_setting(one: IncomingRecord) -> Written:
    """Write one setting of a group; what is not known here, or does not fit, is told."""
    work, group, id = one.work, str(one.record.parent), str(one.record.id)
    if not one.keep_ids:
        one.notes["settings of the shop stay those of this site, which was not empty"] += 1
        return Written(1, adopted=True)
    try:
        setting = settings.get_setting(group, id)
    except (InvalidSettingGroup, InvalidShopSetting):
        one.notes[f"settings of the shop's group {group!r} that are not known here"] += 1
        return Written(1)
    value = one.values.get("value")
    if setting.type == _SEALED:
        if value:
            one.notes[f"secrets do not come: set {id!r} of {group!r} by hand"] += 1
        return Written(1)
    of = settings.get_setting_group(group)
    if setting.source == _PAGES and value not in (None, "", "0", 0):
        found = one.resolve(RECORD, value, id)
        if found and str(found) != str(settings.get_setting_value(work, of, setting)):
            # A number where it is one there: what has chosen pages by themselves stores them so.
            work.set_option(id, found if isinstance(value, int) else str(found))
        return Written(1)
    if value == settings.get_setting_value(work, of, setting):
        return Written(1)
    if setting.type == _LIST and value in (None, ""):
        value = []
    try:
        settings.update_setting(work, of, setting, value)
    except InvalidSettingValue:
        one.notes[f"the value of the shop's setting {id!r} does not fit"] += 1
    return Written(1)

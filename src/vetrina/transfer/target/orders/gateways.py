"""Ways of paying on their way in, into an empty site only: those that are here, as they were set, without secrets."""

from __future__ import annotations

from typing import Any, Final

from vetrina.shop.payments import gateways
from vetrina.shop.payments.gateways import GatewayNotFound
from vetrina.shop.settings.rules import InvalidSettingValue
from vetrina.transfer.target.incoming_record import IncomingRecord, RecordSkipped
from vetrina.transfer.target.member_values import list_settings, read_flag, read_number, read_text
from vetrina.transfer.target.outcome import Written

_SEALED: Final = "password"  # type of a setting
_GIVEN_BESIDE: Final = ("title", "description")


def write_gateway(one: IncomingRecord) -> Written:
    """Write how a way of paying is set. Raises RecordSkipped."""
    work, id = one.work, str(one.record.id)
    if not one.keep_ids:
        one.notes["ways of paying stay those of this site, which was not empty"] += 1
        return Written(1, adopted=True)
    try:
        old = gateways.get_gateway(work, id)
    except GatewayNotFound:
        raise RecordSkipped(f"there is no way of paying {id!r} here") from None
    for name, value in list_settings(one.values.get("settings")).items():
        setting = old.gateway.settings.get(name)
        if setting is None or name in _GIVEN_BESIDE:
            continue
        if setting.type == _SEALED:
            one.notes[f"the way of paying {id!r} has secrets, which do not come: set {name!r} by hand"] += 1
            continue
        try:
            old = gateways.update_gateway(work, old, {"settings": {name: value}})
        except InvalidSettingValue:
            one.notes[f"the value of the setting {name!r} of the way of paying {id!r} does not fit"] += 1
    given: dict[str, Any] = {"enabled": read_flag(one.values.get("enabled"))}
    given |= {name: read_text(one.values[name]) for name in _GIVEN_BESIDE if name in one.values}
    order = one.values.get("order")
    gateways.update_gateway(work, old, {**given, "order": None if order in (None, "") else read_number(order)})
    return Written(1)

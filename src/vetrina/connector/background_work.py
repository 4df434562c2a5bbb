"""What the connector does in the background: the daily heartbeat, and sending what nobody pulls."""

from __future__ import annotations

from vetrina.connector.connection import heartbeat
from vetrina.connector.sync import sender
from vetrina.core.background_work import Background, Errand

__all__ = ["BACKGROUND"]

BACKGROUND = Background(
    errands={
        heartbeat.SEND: Errand(heartbeat.sent, heartbeat.keep),
        sender.SEND: Errand(sender.sent, sender.keep),
    },
    sweeps=(heartbeat.sweep, sender.sweep),
)

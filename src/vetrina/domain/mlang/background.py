"""What translation does in the background: jobs go to the service and come back, texts become strings."""

from __future__ import annotations

from vetrina.domain.background import Background, Errand, nothing

from . import courier, notices, outdated, site_texts

__all__ = ["BACKGROUND"]

BACKGROUND = Background(
    errands={
        courier.SEND: Errand(courier.sent, courier.keep_sent),
        courier.FILL: Errand(courier.filled, courier.keep_filled),
        courier.CALL_OFF: Errand(courier.called_off, nothing),
        notices.MAIL: Errand(notices.sent, nothing),
    },
    settling=(site_texts.settle, outdated.settle),
    sweeps=(site_texts.sweep,),
)

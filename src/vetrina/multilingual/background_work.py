"""What translation does in the background: jobs go to the service and come back, texts become strings."""

from __future__ import annotations

from vetrina.core.background_work import Background, Errand, nothing
from vetrina.multilingual.jobs import mails as job_mails
from vetrina.multilingual.jobs import outdated
from vetrina.multilingual.services import dispatch
from vetrina.multilingual.strings import site_texts

__all__ = ["BACKGROUND"]

BACKGROUND = Background(
    errands={
        dispatch.SEND: Errand(dispatch.sent, dispatch.keep_sent),
        dispatch.FILL: Errand(dispatch.filled, dispatch.keep_filled),
        dispatch.CALL_OFF: Errand(dispatch.called_off, nothing),
        job_mails.MAIL: Errand(job_mails.sent, nothing),
    },
    settling=(site_texts.settle, outdated.settle),
    sweeps=(site_texts.sweep,),
)

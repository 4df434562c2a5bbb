"""The texts of the pages of sign-in by a provider, in each language that has them; other languages get English."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from vetrina.access.single_sign_on.refusals import Refusal

_ENGLISH: Final = {
    "sign_in_by": "Sign in with {label}",
    "other_ways": "Other ways to sign in",
    "failed": "You are not signed in",
    "again": "Try again",
    "sign_in_here": "Sign in in another way",
    "connect": "Connect {label}",
    "connect_text": "You are signed in as {name}. From then on you sign in to this account with your account at "
    "{label}, too.",
    "connected": "{label} is connected",
    "connected_text": "You can sign in to the account {name} with {label} from now on.",
    "go_on": "Go on",
    Refusal.CANCELLED: "The sign-in was cancelled at {label}. Nothing was changed; you can begin again.",
    Refusal.REFUSED_THERE: "{label} refused the sign-in. Begin again; if it happens every time, tell whoever runs "
    "this site.",
    Refusal.STALE: "This sign-in was not begun in this browser, or it was finished before. Begin again, and allow this "
    "site to set cookies.",
    Refusal.EXPIRED: "The sign-in took too long: it has to be finished within ten minutes. Begin again.",
    Refusal.UNTRUSTED: "{label} sent an answer that cannot be trusted, so nobody was signed in. Begin again; if it "
    "happens every time, tell whoever runs this site.",
    Refusal.AWAY: "{label} does not answer at the moment. Try again in a few minutes, or sign in in another way.",
    Refusal.UNKNOWN: "No account of this site belongs to your account at {label}. If you have an account here, sign in "
    "to it in another way and connect {label} there; else ask whoever runs this site for one.",
    Refusal.UNVERIFIED: "{label} does not vouch for a mail address of yours, and no account is made here without one. "
    "Confirm your address there, then begin again.",
    Refusal.DOMAIN: "No accounts are made here for mail addresses like yours. Choose another account at {label}, or "
    "ask whoever runs this site.",
    Refusal.EMAIL_TAKEN: "There is an account here with your mail address already. Sign in to it in another way and "
    "connect {label} there.",
    Refusal.IDENTITY_TAKEN: "This account at {label} is connected with another account of this site. Remove it there "
    "first.",
    Refusal.OTHER_SESSION: "Nothing was connected: you are not signed in any more, or as somebody else. Sign in and "
    "begin again.",
}

_ITALIAN: Final = {
    "sign_in_by": "Accedi con {label}",
    "other_ways": "Altri modi di accedere",
    "failed": "L’accesso non è avvenuto",
    "again": "Riprova",
    "sign_in_here": "Accedi in un altro modo",
    "connect": "Collega {label}",
    "connect_text": "Hai eseguito l’accesso come {name}. D’ora in poi accederai a questo account anche con il tuo "
    "account presso {label}.",
    "connected": "{label} è collegato",
    "connected_text": "Da adesso puoi accedere all’account {name} con {label}.",
    "go_on": "Continua",
    Refusal.CANCELLED: "L’accesso è stato annullato presso {label}. Non è cambiato nulla; puoi ricominciare.",
    Refusal.REFUSED_THERE: "{label} ha rifiutato l’accesso. Ricomincia; se succede ogni volta, dillo a chi gestisce il "
    "sito.",
    Refusal.STALE: "Questo accesso non è cominciato in questo browser, o è già stato concluso. Ricomincia, e consenti "
    "i cookie di questo sito.",
    Refusal.EXPIRED: "L’accesso ha richiesto troppo tempo: va concluso entro dieci minuti. Ricomincia.",
    Refusal.UNTRUSTED: "La risposta di {label} non è attendibile, perciò l’accesso non è avvenuto. Ricomincia; se "
    "succede ogni volta, dillo a chi gestisce il sito.",
    Refusal.AWAY: "In questo momento {label} non risponde. Riprova tra qualche minuto, o accedi in un altro modo.",
    Refusal.UNKNOWN: "Nessun account di questo sito corrisponde al tuo account presso {label}. Se qui hai un account, "
    "accedi in un altro modo e collega {label}; altrimenti chiedine uno a chi gestisce il sito.",
    Refusal.UNVERIFIED: "{label} non garantisce alcun tuo indirizzo e-mail, e senza non si crea un account. Conferma "
    "lì il tuo indirizzo, poi ricomincia.",
    Refusal.DOMAIN: "Per indirizzi e-mail come il tuo qui non si creano account. Scegli un altro account presso "
    "{label}, o chiedi a chi gestisce il sito.",
    Refusal.EMAIL_TAKEN: "Qui c’è già un account con il tuo indirizzo e-mail. Accedi in un altro modo e collega "
    "{label}.",
    Refusal.IDENTITY_TAKEN: "Questo account presso {label} è collegato con un altro account del sito. Prima toglilo da "
    "quello.",
    Refusal.OTHER_SESSION: "Non è stato collegato nulla: l’accesso è terminato, o è di qualcun altro. Accedi e "
    "ricomincia.",
}

_TEXTS: Final[Mapping[str, Mapping[str, str]]] = {"en": _ENGLISH, "it": _ITALIAN}


def get_provider_texts(language: str) -> Mapping[str, str]:
    """Return the texts of a language, by key."""
    return _TEXTS.get(language, _ENGLISH)

"""The texts of the site's own pages in each language that has them here; other languages get English."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_LANGUAGE_NAMES: Final = {
    "de": "Deutsch", "en": "English", "es": "Español", "fr": "Français", "it": "Italiano", "nl": "Nederlands",
    "pl": "Polski", "pt": "Português",
}  # fmt: skip

_ENGLISH: Final = {
    "skip": "Skip to the content",
    "main": "Main",
    "pages": "Pages",
    "languages": "Languages",
    "home": "Home",
    "by": "by",
    "published": "Published",
    "filed": "Filed under",
    "newer": "Newer entries",
    "older": "Older entries",
    "page": "page {number}",
    "nothing": "Nothing has been published here yet.",
    "found": "Search results for “{text}”",
    "none_found": "Nothing was found for “{text}”.",
    "search": "Search",
    "entries_by": "Entries by {name}",
    "archive": "Archive: {name}",
    "comments": "Comments",
    "comments_on": "Comments on: {title}",
    "comment_by": "By {name}",
    "comment_of": "{name} on “{title}”",
    "anonymous": "Anonymous",
    "says": "{name} wrote on {date}:",
    "protected": "This text is protected. Enter its password to read it.",
    "protected_short": "This text is protected by a password.",
    "password": "Password",
    "open": "Open",
    "wrong_password": "This password is wrong.",
    "wait": "Too many wrong passwords. Try again in {wait} seconds.",
    "preview": "Preview: readers do not see this state.",
    "preview_over": "This preview cannot be shown",
    "preview_over_text": "Its link is wrong, was withdrawn or has expired. Ask whoever sent it for a new one.",
    "preview_wait": "Too many wrong links. Try again in {wait} seconds.",
    "private": "Only for those who may read private entries.",
    "missing": "There is no such page",
    "missing_text": "The address may be wrong, or the page is gone.",
    "not_allowed": "This cannot be done here",
    "sign_in": "Sign in",
    "sign_out": "Sign out",
    "sign_out_text": "You are signed in as {name}. Do you want to sign out?",
    "signed_in_as": "Signed in as {name}.",
    "login": "User name or e-mail address",
    "wrong": "The user name or the password is wrong.",
    "stale": "The form was open for too long, or comes from another site. Send it again.",
    "lost_link": "Lost your password?",
    "lost": "Lost password",
    "lost_text": "Write the name or the address of your account. A mail brings you a link by which you choose a new "
    "password.",
    "lost_empty": "Write a user name or an e-mail address.",
    "lost_wait": "This was asked for too often. Try again in {wait} seconds.",
    "send_link": "Send the link",
    "lost_sent": "Look into your mail",
    "lost_sent_text": "If there is such an account, a mail with a link is on its way to its address. The link is good "
    "for a day. If you just asked for one, the first mail holds.",
    "new_password": "New password",
    "new_password_text": "Choose a new password for the account {login}.",
    "save_password": "Save the password",
    "password_unusable": "A password is not empty and has no backslash.",
    "password_saved": "The password is saved",
    "password_saved_text": "It holds from now on. Whoever was signed in with the old one is not any more.",
    "link_over": "This link is over",
    "link_over_text": "It was used, is older than a day, or a newer one was sent.",
    "lost_again": "Ask for a new link",
    "coming_soon": "The shop opens soon. Come back in a while.",
    "administration": "Administration",
    "needs_scripts": "The administration is a program in your browser: allow scripts of this site.",
    "building": "The administration is being built. This page shows it as soon as it is there.",
    "not_built": "The administration has not been built. Whoever runs this server builds it with the command",
    "no_payments": "No payment service can be connected: ways of paying are packages of whoever runs the server.",
    "authorise": "Connect an application",
    "asks": "{name} asks to act on this site in your name ({user}).",
    "asks_unnamed": "An application asks to act on this site in your name ({user}).",
    "gets": "It would get a password of its own. Any program in your name, or whoever runs this site, can withdraw "
    "it at any time; your own password stays secret.",
    "returns": "You would be led back to {address} with the new password.",
    "shows": "The new password would be shown on the next page, once.",
    "app_name": "Name for this application",
    "approve": "Yes, connect it",
    "reject": "No, refuse",
    "empty_name": "Give the application a name.",
    "made": "Application connected",
    "made_text": "This is the password of {name}. Copy it now: it is never shown again.",
    "refused": "Application refused",
    "refused_text": "Nothing was changed. You can close this page.",
    "bad_address": "The application gave an address that cannot be used",
    "bad_success_url": "The address to return to (success_url) must begin with https, or lead to this computer, or to "
    "an application on it.",
    "bad_reject_url": "The address for a refusal (reject_url) must begin with https, or lead to this computer, or to "
    "an application on it.",
    "bad_app_id": "The application's number (app_id) must be a UUID.",
}

_ITALIAN: Final = {
    "skip": "Vai al contenuto",
    "main": "Principale",
    "pages": "Pagine",
    "languages": "Lingue",
    "home": "Inizio",
    "by": "di",
    "published": "Pubblicato",
    "filed": "Archiviato in",
    "newer": "Più recenti",
    "older": "Meno recenti",
    "page": "pagina {number}",
    "nothing": "Qui non è stato ancora pubblicato nulla.",
    "found": "Risultati per «{text}»",
    "none_found": "Nessun risultato per «{text}».",
    "search": "Cerca",
    "entries_by": "Articoli di {name}",
    "archive": "Archivio: {name}",
    "comments": "Commenti",
    "comments_on": "Commenti a: {title}",
    "comment_by": "Di {name}",
    "comment_of": "{name} su «{title}»",
    "anonymous": "Anonimo",
    "says": "{name} ha scritto il {date}:",
    "protected": "Questo testo è protetto. Inserisci la password per leggerlo.",
    "protected_short": "Questo testo è protetto da una password.",
    "password": "Password",
    "open": "Apri",
    "wrong_password": "Questa password è sbagliata.",
    "wait": "Troppe password sbagliate. Riprova tra {wait} secondi.",
    "preview": "Anteprima: i lettori non vedono questo stato.",
    "preview_over": "Questa anteprima non si può mostrare",
    "preview_over_text": "Il collegamento è sbagliato, ritirato o scaduto. Chiedine uno nuovo a chi l'ha inviato.",
    "preview_wait": "Troppi collegamenti sbagliati. Riprova tra {wait} secondi.",
    "private": "Solo per chi può leggere le voci private.",
    "missing": "Questa pagina non esiste",
    "missing_text": "L’indirizzo può essere sbagliato, o la pagina non c’è più.",
    "not_allowed": "Questo non si può fare qui",
    "sign_in": "Accedi",
    "sign_out": "Esci",
    "sign_out_text": "Hai eseguito l’accesso come {name}. Vuoi uscire?",
    "signed_in_as": "Accesso eseguito come {name}.",
    "login": "Nome utente o indirizzo e-mail",
    "wrong": "Il nome utente o la password sono sbagliati.",
    "stale": "Il modulo è rimasto aperto troppo a lungo, o viene da un altro sito. Invialo di nuovo.",
    "lost_link": "Hai perso la password?",
    "lost": "Password persa",
    "lost_text": "Scrivi il nome o l’indirizzo del tuo account. Un messaggio ti porta un link per scegliere una nuova "
    "password.",
    "lost_empty": "Scrivi un nome utente o un indirizzo e-mail.",
    "lost_wait": "Richiesto troppe volte. Riprova tra {wait} secondi.",
    "send_link": "Invia il link",
    "lost_sent": "Guarda nella posta",
    "lost_sent_text": "Se l’account esiste, un messaggio con un link è in viaggio verso il suo indirizzo. Il link vale "
    "un giorno. Se lo hai appena chiesto, vale il primo messaggio.",
    "new_password": "Nuova password",
    "new_password_text": "Scegli una nuova password per l’account {login}.",
    "save_password": "Salva la password",
    "password_unusable": "Una password non è vuota e non contiene barre rovesciate.",
    "password_saved": "La password è salvata",
    "password_saved_text": "Vale da adesso. Chi aveva eseguito l’accesso con la vecchia non lo ha più.",
    "link_over": "Questo link non vale più",
    "link_over_text": "È stato usato, ha più di un giorno, o ne è stato inviato uno più recente.",
    "lost_again": "Chiedi un nuovo link",
    "coming_soon": "Il negozio apre presto. Torna tra poco.",
    "administration": "Amministrazione",
    "needs_scripts": "L’amministrazione è un programma nel browser: consenti gli script di questo sito.",
    "building": "L’amministrazione è in costruzione. Questa pagina la mostra appena è pronta.",
    "not_built": "L’amministrazione non è stata costruita. Chi gestisce il server la costruisce con il comando",
    "no_payments": "Nessun servizio si può collegare: i modi di pagare sono pacchetti di chi gestisce il server.",
    "authorise": "Collega un’applicazione",
    "asks": "{name} chiede di agire su questo sito a tuo nome ({user}).",
    "asks_unnamed": "Un’applicazione chiede di agire su questo sito a tuo nome ({user}).",
    "gets": "Riceverebbe una password propria. La può ritirare in ogni momento un programma a tuo nome, o chi "
    "gestisce il sito; la tua password resta segreta.",
    "returns": "Torneresti a {address} con la nuova password.",
    "shows": "La nuova password sarebbe mostrata nella prossima pagina, una volta sola.",
    "app_name": "Nome per questa applicazione",
    "approve": "Sì, collegala",
    "reject": "No, rifiuta",
    "empty_name": "Dai un nome all’applicazione.",
    "made": "Applicazione collegata",
    "made_text": "Questa è la password di {name}. Copiala adesso: non sarà più mostrata.",
    "refused": "Applicazione rifiutata",
    "refused_text": "Non è cambiato nulla. Puoi chiudere questa pagina.",
    "bad_address": "L’applicazione ha dato un indirizzo che non si può usare",
    "bad_success_url": "L’indirizzo di ritorno (success_url) deve cominciare con https, o portare a questo computer, o "
    "a un’applicazione su di esso.",
    "bad_reject_url": "L’indirizzo per il rifiuto (reject_url) deve cominciare con https, o portare a questo computer, "
    "o a un’applicazione su di esso.",
    "bad_app_id": "Il numero dell’applicazione (app_id) deve essere un UUID.",
}

_PHRASES: Final = {"en": _ENGLISH, "it": _ITALIAN}


def get_phrases(language: str) -> Mapping[str, str]:
    """Return the phrases of a language, by key."""
    return _PHRASES.get(language, _ENGLISH)


def list_text_languages() -> tuple[str, ...]:
    """Return the languages that the pages have texts in."""
    return tuple(_PHRASES)


def get_language_name(language: str) -> str:
    """Return a language's own name; its code where it is not known."""
    return _LANGUAGE_NAMES.get(language, language)

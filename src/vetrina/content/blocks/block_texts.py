"""What blocks say by themselves on public pages, in each language that has it here; other languages get English.

Contents in answers of the interface have these texts in English, as clients know them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_ITALIAN: Final = {
    "1 result found": "1 risultato",
    "Category": "Categoria",
    "Close": "Chiudi",
    "Comments": "Commenti",
    "Displaying {range} of {total}": "{range} di {total}",
    "Leave a Reply": "Lascia un commento",
    "Log in": "Accedi",
    "Log in to Reply": "Accedi per rispondere",
    "Log out": "Esci",
    "Menu": "Menu",
    "Next": "Successivo",
    "Next Page": "Pagina successiva",
    "Newer Comments": "Commenti più recenti",
    "No comments to show.": "Nessun commento.",
    "Older Comments": "Commenti meno recenti",
    "One response": "Una risposta",
    "Pagination": "Pagine",
    "Previous": "Precedente",
    "Previous Page": "Pagina precedente",
    "Read more": "Continua a leggere",
    "Response": "Risposta",
    "Responses": "Risposte",
    "Search": "Cerca",
    "Search results": "Risultati della ricerca",
    "You must be {link}logged in{end} to post a comment.": "Per commentare bisogna {link}accedere{end}.",
    "Your comment is awaiting moderation.": "Il tuo commento è in attesa di moderazione.",
    "{count} responses": "{count} risposte",
    "{responses} to {title}": "{responses} a {title}",
    "{total} results found": "{total} risultati",
}

_TEXTS: Final[Mapping[str, Mapping[str, str]]] = {"it": _ITALIAN}


def translate_block_text(language: str, text: str) -> str:
    """Return what a block says in a language, in English where that is not known."""
    return _TEXTS.get(language, {}).get(text, text)

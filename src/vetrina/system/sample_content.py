"""What a new site shows at first: a few posts and pages in each of its languages that has them here.

They go through the same functions as everything else, so that a first look shows real answers: blocks and classic
text, categories above each other, tags, an excerpt, a sticky post, a page beneath another, a page as the front.
Not here: what every site begins with (system/bootstrap.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from vetrina.content.records import rules as records
from vetrina.content.records.model import Record
from vetrina.content.terms import rules as term_rules
from vetrina.content.terms import translations as term_translations
from vetrina.content.terms.store import Term
from vetrina.content.translations import record_translations
from vetrina.content.types.registry import CATEGORY, PAGE, POST, POST_TAG
from vetrina.core.unit_of_work import Work
from vetrina.kernel.times import iso

__all__ = ["plant"]

_DAY: Final = 86_400  # seconds


class _Post(msgspec.Struct, frozen=True):
    """A sample post. age: days. category, tags: keys of the language's terms; further: other members."""

    title: str
    content: str
    age: int
    category: str
    tags: tuple[str, ...] = ()
    further: Mapping[str, Any] = {}


class _Page(msgspec.Struct, frozen=True):
    """A sample page. pages: those beneath it."""

    title: str
    content: str
    pages: tuple[_Page, ...] = ()


class _Sample(msgspec.Struct, frozen=True):
    """The sample of one language. categories: name → (description, name of the one above). front: its first page."""

    categories: Mapping[str, tuple[str, str]]
    tags: tuple[str, ...]
    posts: tuple[_Post, ...]
    front: _Page
    others: tuple[_Page, ...]


class _Planted(msgspec.Struct, frozen=True):
    """What was written of a sample, in its order. front: the number of its first page."""

    front: int
    terms: list[Term]
    records: list[Record]


_EN = _Sample(
    categories={
        "Notes": ("What happens in the shop.", ""),
        "Readings": ("Evenings with authors.", "Notes"),
        "Shelves": ("Books that we would take with us.", ""),
    },
    tags=("winter", "travel", "opening hours"),
    posts=(
        _Post(
            "Three books for a long train ride",
            """\
<!-- wp:paragraph -->
<p>From Trieste to Palermo the train takes <strong>most of a day</strong> and a ferry. We were asked what to read on
the way, and could not agree; so here are three answers.</p>
<!-- /wp:paragraph -->

<!-- wp:heading -->
<h2 class="wp-block-heading">The list</h2>
<!-- /wp:heading -->

<!-- wp:list {"ordered":true} -->
<ol class="wp-block-list"><!-- wp:list-item -->
<li>A detective story, because it ends when the journey does.</li>
<!-- /wp:list-item -->

<!-- wp:list-item -->
<li>Letters of a painter, to be opened anywhere.</li>
<!-- /wp:list-item -->

<!-- wp:list-item -->
<li>A timetable of 1931, the best novel of the three.</li>
<!-- /wp:list-item --></ol>
<!-- /wp:list -->

<!-- wp:quote -->
<blockquote class="wp-block-quote"><!-- wp:paragraph -->
<p>Whoever reads on trains arrives twice.</p>
<!-- /wp:paragraph --><cite>Written on our door</cite></blockquote>
<!-- /wp:quote -->""",
            age=2,
            category="Shelves",
            tags=("travel",),
            further={"excerpt": "A detective story, a painter's letters and a timetable.", "sticky": True},
        ),
        _Post(
            "The shop in winter",
            """\
From the first of December we open at ten and close at six -- on Thursdays at nine, when there is a reading.

The stove is lit from half past nine. Whoever comes "only to get warm" is welcome, too; most of you leave with a book
anyway...

<!--more-->
On the 24th we close at one. The shop opens again on January 7th.""",
            age=9,
            category="Notes",
            tags=("winter", "opening hours"),
        ),
        _Post(
            "An evening about lighthouses",
            """\
<!-- wp:paragraph -->
<p>Next Thursday the keeper of the old lighthouse tells how its lamp was lit, and reads from the log book of 1957.</p>
<!-- /wp:paragraph -->

<!-- wp:table -->
<figure class="wp-block-table"><table><tbody><tr><td>Doors</td><td>19:30</td></tr><tr><td>Reading</td>
<td>20:00</td></tr></tbody></table></figure>
<!-- /wp:table -->""",
            age=16,
            category="Readings",
            tags=("winter",),
        ),
    ),
    front=_Page(
        "Welcome",
        """\
<!-- wp:heading {"level":1} -->
<h1 class="wp-block-heading">A small shop window</h1>
<!-- /wp:heading -->

<!-- wp:paragraph -->
<p>This is the front page of a new site. Its posts and pages are samples: change them, or remove them.</p>
<!-- /wp:paragraph -->""",
    ),
    others=(
        _Page(
            "About us",
            "<!-- wp:paragraph -->\n<p>Two rooms, four chairs, some nine thousand books.</p>\n<!-- /wp:paragraph -->",
            (_Page("How to find us", "Behind the market, under the arcades.\n\nThe tram stops at the fountain."),),
        ),
    ),
)

_IT = _Sample(
    categories={
        "Notizie": ("Quel che succede in bottega.", ""),
        "Letture": ("Serate con gli autori.", "Notizie"),
        "Scaffali": ("Libri che porteremmo con noi.", ""),
    },
    tags=("inverno", "viaggi", "orari"),
    posts=(
        _Post(
            "Tre libri per un lungo viaggio in treno",
            """\
<!-- wp:paragraph -->
<p>Da Trieste a Palermo ci vuole <strong>quasi un giorno</strong>, e un traghetto. Ci hanno chiesto che cosa leggere
strada facendo; non ci siamo messi d'accordo, perciò ecco tre risposte.</p>
<!-- /wp:paragraph -->

<!-- wp:list -->
<ul class="wp-block-list"><!-- wp:list-item -->
<li>Un giallo, perché finisce insieme al viaggio.</li>
<!-- /wp:list-item -->

<!-- wp:list-item -->
<li>Le lettere di un pittore, da aprire dove capita.</li>
<!-- /wp:list-item -->

<!-- wp:list-item -->
<li>Un orario ferroviario del 1931: dei tre, il romanzo migliore.</li>
<!-- /wp:list-item --></ul>
<!-- /wp:list -->""",
            age=2,
            category="Scaffali",
            tags=("viaggi",),
            further={"excerpt": "Un giallo, le lettere di un pittore e un orario."},
        ),
        _Post(
            "La bottega d'inverno",
            """\
Dal primo dicembre apriamo alle dieci e chiudiamo alle diciotto -- il giovedì alle ventuno, quando c'è una lettura.

La stufa è accesa dalle nove e mezza. È benvenuto anche chi viene "solo per scaldarsi"...

<!--more-->
Il 24 chiudiamo all'una. Riapriamo il 7 gennaio.""",
            age=9,
            category="Notizie",
            tags=("inverno", "orari"),
        ),
        _Post(
            "Una serata sui fari",
            """\
<!-- wp:paragraph -->
<p>Giovedì prossimo il guardiano del vecchio faro racconta come si accendeva la lampada, e legge dal
diario del 1957.</p>
<!-- /wp:paragraph -->

<!-- wp:quote -->
<blockquote class="wp-block-quote"><!-- wp:paragraph -->
<p>Più è buio, più si vede lontano.</p>
<!-- /wp:paragraph --></blockquote>
<!-- /wp:quote -->""",
            age=16,
            category="Letture",
            tags=("inverno",),
        ),
    ),
    front=_Page(
        "Benvenuti",
        """\
<!-- wp:heading {"level":1} -->
<h1 class="wp-block-heading">Una piccola vetrina</h1>
<!-- /wp:heading -->

<!-- wp:paragraph -->
<p>Questa è la prima pagina di un sito nuovo. Articoli e pagine sono esempi: si cambiano, o si tolgono.</p>
<!-- /wp:paragraph -->""",
    ),
    others=(
        _Page(
            "Chi siamo",
            "<!-- wp:paragraph -->\n<p>Due stanze, quattro sedie e circa novemila libri.</p>\n<!-- /wp:paragraph -->",
            (_Page("Dove siamo", "Dietro il mercato, sotto i portici.\n\nIl tram ferma alla fontana."),),
        ),
    ),
)

_SAMPLES: Final = {"en": _EN, "it": _IT}


def plant(work: Work) -> None:
    """Write the samples of the site's languages, by the caller of the work, and show the first page as the front.

    What stands at the same place in two languages is linked as translations.

    A site without a language that has samples gets the English ones in its default language.
    """
    profile = work.frame.profile
    languages = {language: _SAMPLES[language] for language in profile.languages if language in _SAMPLES}
    planted = {
        language: _plant_one(work, language, sample)
        for language, sample in (languages or {profile.default_language: _EN}).items()
    }
    first = planted.get(profile.default_language) or next(iter(planted.values()))
    for other in planted.values():
        if other is not first:
            _link(work, first, other)
    work.set_option("show_on_front", "page")
    work.set_option("page_on_front", first.front)
    work.language_for(profile.default_language)


def _link(work: Work, first: _Planted, other: _Planted) -> None:
    for original, term in zip(first.terms, other.terms, strict=True):
        term_translations.join(work, term, original.translations)
    for page, record in zip(first.records, other.records, strict=True):
        record_translations.join(work, record, page.translations)


def _plant_one(work: Work, language: str, sample: _Sample) -> _Planted:
    """Write the samples of a language and return them; the front page is known by its number."""
    work.language_for(language)
    terms: dict[str, int] = {}
    made: list[Term] = []
    written: list[Record] = []
    for name, (description, above) in sample.categories.items():
        parent = terms[above] if above else 0
        made.append(term_rules.create(work, CATEGORY, name, description=description, parent=parent))
        terms[name] = made[-1].id
    tags = {}
    for name in sample.tags:
        made.append(term_rules.create(work, POST_TAG, name))
        tags[name] = made[-1].id
    # The oldest first, so that numbers rise with dates as on a site that has grown.
    for post in sorted(sample.posts, key=lambda one: -one.age):
        given = {
            "title": post.title,
            "content": post.content,
            "status": "publish",
            "date_gmt": iso(work.now - post.age * _DAY),
            CATEGORY.base: [terms[post.category]],
            POST_TAG.base: [tags[name] for name in post.tags],
            **post.further,
        }
        written.append(records.create(work, POST, given))
    front = _pages(work, sample.front, 0)
    written += front
    for page in sample.others:
        written += _pages(work, page, 0)
    return _Planted(front[0].id, made, written)


def _pages(work: Work, page: _Page, above: int) -> list[Record]:
    """Write a page and those beneath it, and return them, itself first."""
    given = {"title": page.title, "content": page.content, "status": "publish", "parent": above}
    out = [records.create(work, PAGE, given)]
    for beneath in page.pages:
        out += _pages(work, beneath, out[0].id)
    return out

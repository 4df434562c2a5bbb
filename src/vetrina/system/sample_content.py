"""Sample content of a new site: a few posts and pages in each of its languages that has samples here.

It is written by the same functions as everything else and shows what there is: blocks and classic text, nested
categories, tags, an excerpt, a sticky post, a child page, a static front page. Rules: docs/rules/site_settings.md, 4.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from vetrina.content.records import rules as records
from vetrina.content.records.model import Record
from vetrina.content.terms import rules as term_rules, translations as term_translations
from vetrina.content.terms.store import Term
from vetrina.content.translations import record_translations
from vetrina.content.types.registry import CATEGORY, PAGE, POST, POST_TAG
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.times import format_iso

_DAY: Final = 86_400  # seconds


class _SamplePost(msgspec.Struct, frozen=True):
    """A sample post. age: days. category, tags: keys of the language's terms; further: other members."""

    title: str
    content: str
    age: int
    category: str
    tags: tuple[str, ...] = ()
    further: Mapping[str, Any] = {}


class _SamplePage(msgspec.Struct, frozen=True):
    """A sample page. pages: its children."""

    title: str
    content: str
    pages: tuple[_SamplePage, ...] = ()


class _LanguageSample(msgspec.Struct, frozen=True):
    """The sample of one language. categories: name → (description, name of the parent). front: its front page."""

    categories: Mapping[str, tuple[str, str]]
    tags: tuple[str, ...]
    posts: tuple[_SamplePost, ...]
    front: _SamplePage
    others: tuple[_SamplePage, ...]


class _CreatedSample(msgspec.Struct, frozen=True):
    """What was written of a sample, in order. front: the id of its front page."""

    front: int
    terms: list[Term]
    records: list[Record]


_ENGLISH_SAMPLE = _LanguageSample(
    categories={
        "Notes": ("What happens in the shop.", ""),
        "Readings": ("Evenings with authors.", "Notes"),
        "Shelves": ("Books that we would take with us.", ""),
    },
    tags=("winter", "travel", "opening hours"),
    posts=(
        _SamplePost(
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
        _SamplePost(
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
        _SamplePost(
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
    front=_SamplePage(
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
        _SamplePage(
            "About us",
            "<!-- wp:paragraph -->\n<p>Two rooms, four chairs, some nine thousand books.</p>\n<!-- /wp:paragraph -->",
            (
                _SamplePage(
                    "How to find us", "Behind the market, under the arcades.\n\nThe tram stops at the fountain."
                ),
            ),
        ),
    ),
)

_ITALIAN_SAMPLE = _LanguageSample(
    categories={
        "Notizie": ("Quel che succede in bottega.", ""),
        "Letture": ("Serate con gli autori.", "Notizie"),
        "Scaffali": ("Libri che porteremmo con noi.", ""),
    },
    tags=("inverno", "viaggi", "orari"),
    posts=(
        _SamplePost(
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
        _SamplePost(
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
        _SamplePost(
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
    front=_SamplePage(
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
        _SamplePage(
            "Chi siamo",
            "<!-- wp:paragraph -->\n<p>Due stanze, quattro sedie e circa novemila libri.</p>\n<!-- /wp:paragraph -->",
            (_SamplePage("Dove siamo", "Dietro il mercato, sotto i portici.\n\nIl tram ferma alla fontana."),),
        ),
    ),
)

_SAMPLES: Final = {"en": _ENGLISH_SAMPLE, "it": _ITALIAN_SAMPLE}


def create_samples(work: UnitOfWork) -> None:
    """Write the samples of the site's languages as the calling user, and make the first page the front page.

    Items at the same position in two languages are linked as translations.
    A site without a language that has samples gets the English ones in its default language.
    """
    profile = work.site.profile
    languages = {language: _SAMPLES[language] for language in profile.languages if language in _SAMPLES}
    planted = {
        language: _create_language_sample(work, language, sample)
        for language, sample in (languages or {profile.default_language: _ENGLISH_SAMPLE}).items()
    }
    first = planted.get(profile.default_language) or next(iter(planted.values()))
    for other in planted.values():
        if other is not first:
            _link_translations(work, first, other)
    work.set_option("show_on_front", "page")
    work.set_option("page_on_front", first.front)
    work.language_for(profile.default_language)


def _link_translations(work: UnitOfWork, first: _CreatedSample, other: _CreatedSample) -> None:
    for original, term in zip(first.terms, other.terms, strict=True):
        term_translations.join_term_group(work, term, original.translations)
    for page, record in zip(first.records, other.records, strict=True):
        record_translations.join_record_group(work, record, page.translations)


def _create_language_sample(work: UnitOfWork, language: str, sample: _LanguageSample) -> _CreatedSample:
    """Write the samples of a language and return them; the front page is identified by its id."""
    work.language_for(language)
    terms: dict[str, int] = {}
    made: list[Term] = []
    written: list[Record] = []
    for name, (description, above) in sample.categories.items():
        parent = terms[above] if above else 0
        made.append(term_rules.create_term(work, CATEGORY, name, description=description, parent=parent))
        terms[name] = made[-1].id
    tags = {}
    for name in sample.tags:
        made.append(term_rules.create_term(work, POST_TAG, name))
        tags[name] = made[-1].id
    # The oldest first, so that ids rise with dates as on a site that has grown.
    for post in sorted(sample.posts, key=lambda one: -one.age):
        given = {
            "title": post.title,
            "content": post.content,
            "status": "publish",
            "date_gmt": format_iso(work.now - post.age * _DAY),
            CATEGORY.base: [terms[post.category]],
            POST_TAG.base: [tags[name] for name in post.tags],
            **post.further,
        }
        written.append(records.create_record(work, POST, given))
    front = _create_pages(work, sample.front, 0)
    written += front
    for page in sample.others:
        written += _create_pages(work, page, 0)
    return _CreatedSample(front[0].id, made, written)


def _create_pages(work: UnitOfWork, page: _SamplePage, above: int) -> list[Record]:
    """Write a page and its children, and return them, the page itself first."""
    given = {"title": page.title, "content": page.content, "status": "publish", "parent": above}
    out = [records.create_record(work, PAGE, given)]
    for beneath in page.pages:
        out += _create_pages(work, beneath, out[0].id)
    return out

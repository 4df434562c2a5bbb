"""Typographic characters in rendered text, and emoji for smilies."""

import time

import pytest
from hypothesis import given, strategies as st

from vetrina.content.text import rendering as text_rendering
from vetrina.content.text.smilies import replace_smilies
from vetrina.content.text.typography import typeset_markup

HOSTILE = ("[", "<", '"', "'", "&", "-", "1x", "1.", "[gallery ", "<!--", "&nbsp;", "'9", '"1', "<code>", ' "a1" 2" ')


@pytest.mark.parametrize(
    "plain, typographic",
    [
        ('Lei disse "sì" e tacque', "Lei disse &#8220;sì&#8221; e tacque"),
        ("('piano')", "(&#8216;piano&#8217;)"),
        ("all'alba, dell'oca", "all&#8217;alba, dell&#8217;oca"),
        ("classe '74, '74s", "classe &#8217;74, &#8217;74s"),
        ("'742", "&#8216;742"),
        ("'74%", "&#8216;74%"),
        ("nato nel '74'", "nato nel &#8217;74&#8217;"),
        ('"nato nel \'74"', "&#8220;nato nel &#8217;74&#8221;"),
        ("\"Così 'fu' detto\"", "&#8220;Così &#8216;fu&#8217; detto&#8221;"),
        ("'tis 'twas", "&#8217;tis &#8217;twas"),
        ("``vecchio''", "&#8220;vecchio&#8221;"),
        ('"la rete."', "&#8220;la rete.&#8221;"),
        ('detto "piano"?', "detto &#8220;piano&#8221;?"),
        ("un'[a", "un'[a"),
        ("\"'doppio'\"", "&#8220;&#8216;doppio'&#8221;"),
    ],
)
def test_quote_marks_are_judged_by_their_neighbours(plain, typographic):
    assert typeset_markup(plain) == typographic


@pytest.mark.parametrize(
    "plain, typographic",
    [
        ("lungo 7' e 3\"", "lungo 7&#8242; e 3&#8243;"),
        ("7'4\"", "7&#8217;4&#8243;"),
        ('la "numero 7"', "la &#8220;numero 7&#8221;"),
        ('"8 metri e 7" larga', "&#8220;8 metri e 7&#8221; larga"),
        ("'tra 5' e 6' in 7'. Poi 8'", "&#8216;tra 5&#8242; e 6&#8242; in 7&#8217;. Poi 8&#8242;"),
        ('"3.14"', "&#8220;3.14&#8221;"),
        ("'3.14'x", "&#8216;3.14&#8217;x"),
    ],
)
def test_a_mark_behind_a_number_is_a_prime_unless_a_quotation_waits_for_its_end(plain, typographic):
    assert typeset_markup(plain) == typographic


@pytest.mark.parametrize(
    "plain, typographic",
    [
        ("uno - due", "uno &#8211; due"),
        ("uno-due", "uno-due"),
        ("uno -- due", "uno &#8212; due"),
        ("uno--due", "uno&#8211;due"),
        ("uno---due", "uno&#8212;due"),
        ("-- inizio", "&#8212; inizio"),
        ("xn--caff-gpa", "xn--caff-gpa"),
        ("uno&nbsp;-&nbsp;due", "uno&nbsp;&#8211;&nbsp;due"),
        ("------", "&#8212;&#8212;"),
        ("e poi...", "e poi&#8230;"),
        ("5x7", "5&#215;7"),
        ("5 x 7", "5 x 7"),
        ("0x77", "0x77"),
        ("0.5x2", "0.5&#215;2"),
        ("1x2x3", "1x2x3"),
        ("Vetrina (tm)", "Vetrina &#8482;"),
        ("Vetrina(tm)", "Vetrina(tm)"),
    ],
)
def test_dashes_dots_and_signs(plain, typographic):
    assert typeset_markup(plain) == typographic


@pytest.mark.parametrize(
    "plain, typographic",
    [
        ("pane & vino", "pane &#038; vino"),
        ("pane &amp; vino &#38; &#x26; &eacute;", "pane &amp; vino &#38; &#x26; &eacute;"),
        ("&&amp; &# &!", "&#038;&amp; &#038;# &#038;!"),
        ('<a href="/?a=1&b=2">x</a>', '<a href="/?a=1&#038;b=2">x</a>'),
        ("<!-- a & b -->", "<!-- a & b -->"),
        ("<code>a & b</code> & c", "<code>a & b</code> &#038; c"),
    ],
)
def test_a_bare_ampersand_becomes_an_entity(plain, typographic):
    assert typeset_markup(plain) == typographic


@pytest.mark.parametrize(
    "html",
    [
        "<pre>\"a\" -- 'b'...</pre>",
        "<kbd>--</kbd>",
        "<script>'a--b'</script>",
        '<pre>"a"</code>"b"</pre>',
        '<b title="l\'ora -- sua">x</b>',
        "[gallery ids=\"1,2\" title='a--b']",
        "3 <'4",
    ],
)
def test_code_attributes_and_known_shortcodes_stay(html):
    assert typeset_markup(html) == html


def test_unknown_shortcodes_are_text():
    assert typeset_markup('[tenda a="7"]') == "[tenda a=&#8221;7&#8243;]"


def test_text_on_both_sides_of_a_tag_is_judged_alone():
    assert typeset_markup("'<i>a</i>'") == "&#8216;<i>a</i>&#8216;"
    assert typeset_markup('"<i>a</i>" b') == "&#8220;<i>a</i>&#8221; b"


@pytest.mark.parametrize(
    "text, shown",
    [
        ("bene :)", "bene 🙂"),
        (":-( male", "🙁 male"),
        ("riga\n;-)\naltra", "riga\n😉\naltra"),
        ("bene:)", "bene:)"),
        ("<b>:D</b>", "<b>😀</b>"),
        ("<code> :) </code>", "<code> :) </code>"),
        (":lol:&nbsp;", "😆&nbsp;"),
    ],
)
def test_smilies_with_blanks_around_become_emoji(text, shown):
    assert replace_smilies(text) == shown


def test_titles_are_typeset_and_trimmed_but_never_filtered():
    assert (
        text_rendering.render_title(' "Uno" <script>x()</script> [gallery] ')
        == "&#8220;Uno&#8221; <script>x()</script> [gallery]"
    )
    assert text_rendering.render_title("<code>a & b</code>") == "<code>a &#038; b</code>"


@given(st.text(alphabet=st.sampled_from("'\" 19x.-&;<>[]()/abg\n\xa0à`"), max_size=60) | st.text(max_size=60))
def test_any_text_can_be_typeset(text):
    typeset_markup(text)
    text_rendering.render_title(text)


@given(st.text(alphabet="abc àé,.;\n", max_size=60).filter(lambda text: "..." not in text))
def test_text_without_special_signs_stays(text):
    assert typeset_markup(text) == text


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_text_takes_linear_time(piece):
    started = time.process_time()
    typeset_markup(piece * (100_000 // len(piece)))
    assert time.process_time() - started < 3

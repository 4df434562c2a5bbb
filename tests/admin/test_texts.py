"""The texts of the administration and their catalogues: `admin/src` and `admin/languages`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from admin.built import build_administration

ADMIN: Final = Path(__file__).parents[2] / "admin"
CATALOGUES: Final = sorted((ADMIN / "languages").glob("*.po"))
EDITOR_CATALOGUES: Final = sorted((ADMIN / "languages" / "editor").glob("*.po"))
# A call of one of the functions of src/app/i18n.ts, and how many of its arguments are texts.
CALL: Final = re.compile(r"(?<![\w.$])(t|tn|tx)\(\s*")
TEXTS: Final = {"t": 1, "tn": 2, "tx": 2}
LITERAL: Final = re.compile(r"""'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)\"""")
COMMENT: Final = re.compile(r"/\*.*?\*/|(?<!:)//[^\n]*", re.DOTALL)
PLACEHOLDER: Final = re.compile(r"%(?:\d+\$)?[sd]")
ESCAPES: Final = {"n": "\n", "t": "\t"}


class Text(NamedTuple):
    """A text as a catalogue knows it."""

    context: str
    one: str
    other: str = ""


def find_texts(source: str) -> tuple[list[Text], list[str]]:
    """Return the texts of a file of the front end, and the calls whose texts are no literals."""
    code = COMMENT.sub("", source)
    found, wrong = [], []
    for call in CALL.finditer(code):
        position, given = call.end(), []
        for _ in range(TEXTS[call[1]]):
            literal = LITERAL.match(code, position)
            after = re.compile(r"\s*(,\s*|\))").match(code, literal.end()) if literal else None
            if literal is None or after is None:
                wrong.append(code[call.start() : call.start() + 60])
                break
            given.append(_unescape(literal[1] if literal[1] is not None else literal[2]))
            position = after.end()
        else:
            match call[1]:
                case "t":
                    found.append(Text("", given[0]))
                case "tn":
                    found.append(Text("", given[0], given[1]))
                case _:
                    found.append(Text(given[1], given[0]))
    return found, wrong


def read_catalogue(content: str) -> dict[Text, list[str]]:
    """Return the entries of a gettext catalogue: the forms of each text."""
    out: dict[Text, list[str]] = {}
    for block in re.split(r"\n\s*\n", content):
        members: dict[str, str] = {}
        name = ""
        for line in block.splitlines():
            started = re.match(r"(msgctxt|msgid|msgid_plural|msgstr(?:\[\d\])?) ", line)
            name = started[1] if started else name
            text = re.search(r'"(.*)"\s*$', line)
            if text and not line.startswith("#"):
                members[name] = members.get(name, "") + _unescape(text[1])
        if members.get("msgid"):
            text_of = Text(members.get("msgctxt", ""), members["msgid"], members.get("msgid_plural", ""))
            assert text_of not in out, f"{text_of} is there twice"
            out[text_of] = [value for key, value in sorted(members.items()) if key.startswith("msgstr")]
    return out


def _unescape(text: str) -> str:
    return re.sub(r"\\(.)", lambda found: ESCAPES.get(found[1], found[1]), text)


def _list_placeholders(text: str) -> list[str]:
    return sorted(re.sub(r"\d+\$", "", one) for one in PLACEHOLDER.findall(text))


def _find_all() -> tuple[set[Text], list[str]]:
    texts: set[Text] = set()
    wrong = []
    for file in sorted((ADMIN / "src").rglob("*.ts*")):
        if file.name == "i18n.ts":
            continue
        found, refused = find_texts(file.read_text())
        texts.update(found)
        wrong += [f"{file.relative_to(ADMIN)}: {one}" for one in refused]
    return texts, wrong


def test_the_scanner_finds_each_kind_of_call_and_refuses_what_is_no_literal() -> None:
    source = """
        // t('in a comment')
        t('One'); tx("Open", 'state'); sprintf(tn('%d thing', '%d things', count), count); format('no');
        t(\n\t'It\\'s'); set('no'); one.t('no'); t(name); t(`no`); tn('one', other, 2); t('a' + 'b');
    """
    found, wrong = find_texts(source)
    assert found == [Text("", "One"), Text("state", "Open"), Text("", "%d thing", "%d things"), Text("", "It's")]
    assert [one[:8] for one in wrong] == ["t(name);", "t(`no`);", "tn('one'", "t('a' + "]


def test_every_text_is_a_literal() -> None:
    assert _find_all()[1] == []


@pytest.mark.parametrize("file", CATALOGUES, ids=lambda file: file.stem)
def test_a_catalogue_has_every_text_and_no_other(file: Path) -> None:
    texts, known = _find_all()[0], set(read_catalogue(file.read_text()))
    assert sorted(texts - known) == [], "missing"
    assert sorted(known - texts) == [], "unused"


@pytest.mark.parametrize("file", CATALOGUES, ids=lambda file: file.stem)
def test_every_text_is_translated_with_its_plurals_and_placeholders(file: Path) -> None:
    content = file.read_text()
    plurals = re.search(r"nplurals=(\d+)", content)
    assert plurals
    faults = []
    for text, forms in read_catalogue(content).items():
        expected = int(plurals[1]) if text.other else 1
        if len(forms) != expected or not all(forms):
            faults.append(f"{text}: {expected} forms")
        # A form of few things may leave the number out, where the text in English does.
        allowed = [_list_placeholders(text.other or text.one)]
        for number, form in enumerate(forms):
            if _list_placeholders(form) not in ([*allowed, _list_placeholders(text.one)] if number == 0 else allowed):
                faults.append(f"{text}: placeholders of {form!r}")
    assert faults == []


@pytest.mark.parametrize("file", EDITOR_CATALOGUES, ids=lambda file: file.stem)
def test_a_catalogue_of_the_editor_translates_what_its_packages_say(file: Path) -> None:
    bundled = _read_bundle()
    faults = []
    for text, forms in read_catalogue(file.read_text()).items():
        if not all(one in bundled for one in text):
            faults.append(f"{text}: no package says this")
        if len(forms) != (2 if text.other else 1) or not all(forms):
            faults.append(f"{text}: not translated")
        allowed = [_list_placeholders(text.one), _list_placeholders(text.other)]
        faults += [f"{text}: placeholders of {one!r}" for one in forms if _list_placeholders(one) not in allowed]
    assert faults == []


def _read_bundle() -> str:
    """Return the scripts of the administration, their escapes read."""
    scripts = "".join(one.read_text(encoding="utf-8") for one in build_administration().glob("*.js"))
    known = re.sub(
        r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2}))", lambda found: chr(int(found[1] or found[2], 16)), scripts
    )
    return re.sub(r"\\(['\"])", r"\1", known)

"""Names of months and days by language."""

from __future__ import annotations

import pytest

from vetrina.kernel.date_format import format_date, get_month_name, list_weekday_names


@pytest.mark.parametrize(
    ("language", "month", "day"),
    [
        ("en", "March", "Monday"),
        ("it", "Marzo", "lunedì"),
        ("de", "März", "Montag"),
        ("pt-br", "março", "segunda-feira"),
        ("xx", "March", "Monday"),
        ("", "March", "Monday"),
        ("not a language", "March", "Monday"),
    ],
)
def test_a_language_has_its_names_and_an_unknown_one_english(language: str, month: str, day: str) -> None:
    assert (get_month_name(3, language), list_weekday_names(language)[0]) == (month, day)


def test_a_date_has_them_whole_and_short() -> None:
    assert format_date("D j M Y, l j F", 0, 0, "it") == "gio 1 Gen 1970, giovedì 1 Gennaio"
    assert format_date("r", 0, 0, "it") == "Thu, 01 Jan 1970 00:00:00 +0000"

"""Dates as clients write them, and the site's zone around its clock changes."""

import pytest
from hypothesis import example, given
from hypothesis.strategies import from_regex, integers, sampled_from, text

from vetrina.kernel.times import (
    DateTimeOutOfRange,
    MalformedDateTime,
    TimeZone,
    UnknownTimeZone,
    format_iso,
    is_date_time,
    load_time_zone,
    parse_date_time,
)

FIRST, LAST = -62_135_596_800, 253_402_300_799
ROME = load_time_zone("Europe/Rome")
ZONES = ("UTC", "Europe/Rome", "America/St_Johns", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Apia")


def settled(text: str, where: TimeZone = ROME) -> tuple[str, str]:
    local, gmt = where.resolve_local(parse_date_time(text))
    return format_iso(local), format_iso(gmt)


@given(integers(FIRST, LAST))
@example(0)
@example(FIRST)
@example(LAST)
def test_what_is_printed_is_read_back(seconds: int) -> None:
    assert parse_date_time(format_iso(seconds)) == (seconds, None)


@pytest.mark.parametrize("seconds", [FIRST - 1, LAST + 1, 10**30])
def test_nothing_is_printed_outside_the_years_1_to_9999(seconds: int) -> None:
    with pytest.raises(DateTimeOutOfRange):
        format_iso(seconds)


@pytest.mark.parametrize(
    "text",
    [
        "", "ieri", "2024-01-16", "2024-01-16T10:00", "2024-01-16T25:00:00", "2024-13-16T10:00:00", "16/01/2024",
        "2024-01-20t10:00:00z", "2024-01-20T10:00:00z", "2024-01-21T10:00:00+0200", "2024-1-21T10:00:00",
        "2024-01-32T10:00:00", "2024-01-16T10:60:00", "2024-01-16T10:00:61", "2024-01-16T10:00:00\n",
        "2024-01-16  10:00:00", "2024-01-16T10:00:00.", "２０２４-01-16T10:00:00", "2024-01-16T10:00:00+02:60",
        "2024-01-16T10:00:00+2", "2024-01-16T10:00:00+02:",
        " 2024-01-16T10:00:00", "2024-01-16T10:00:00 Z", "12024-01-16T10:00:00",
    ],
)  # fmt: skip
def test_other_forms_are_malformed(text: str) -> None:
    assert not is_date_time(text)
    with pytest.raises(MalformedDateTime):
        parse_date_time(text)


@pytest.mark.parametrize("text", ["0000-01-01T00:00:00", "0000-00-00 00:00:00", "0001-00-01T00:00:00"])
def test_there_is_no_year_0(text: str) -> None:
    assert is_date_time(text)
    with pytest.raises(DateTimeOutOfRange):
        parse_date_time(text)


def test_what_rolls_over_the_last_year_is_impossible() -> None:
    with pytest.raises(DateTimeOutOfRange):
        parse_date_time("9999-12-31T24:00:00")
    with pytest.raises(DateTimeOutOfRange):
        load_time_zone("America/New_York").resolve_local(parse_date_time("9999-12-31T23:00:00"))


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("2023-02-29T10:00:00", "2023-03-01T10:00:00"),
        ("2023-06-31T10:00:00", "2023-07-01T10:00:00"),
        ("2024-12-31T24:00:00", "2025-01-01T00:00:00"),
        ("2024-12-31T23:59:60", "2025-01-01T00:00:00"),
        ("2024-03-00T10:00:00", "2024-02-29T10:00:00"),
        ("2024-00-10T10:00:00", "2023-12-10T10:00:00"),
        ("2024-01-18 10:00:00.987", "2024-01-18T10:00:00"),
    ],
)
def test_what_is_past_the_end_rolls_over(text: str, read: str) -> None:
    assert format_iso(parse_date_time(text).local_seconds) == read


@pytest.mark.parametrize(
    ("text", "offset"),
    [
        ("2024-01-15T10:00:00", None),
        ("2024-01-15T10:00:00Z", 0),
        ("2024-01-15T10:00:00.5+05:30", 19_800),
        ("2024-01-15T10:00:00-03:00", -10_800),
        ("2024-01-15T10:00:00-03", -10_800),
    ],
)
def test_an_offset_is_kept_apart(text: str, offset: int | None) -> None:
    assert parse_date_time(text).offset == offset


@pytest.mark.parametrize(
    ("text", "local", "gmt"),
    [
        ("2024-01-15T10:00:00", "2024-01-15T10:00:00", "2024-01-15T09:00:00"),
        ("2024-07-15T10:00:00", "2024-07-15T10:00:00", "2024-07-15T08:00:00"),
        ("2024-01-15T10:00:00Z", "2024-01-15T11:00:00", "2024-01-15T10:00:00"),
        ("2024-01-15T10:00:00+05:30", "2024-01-15T05:30:00", "2024-01-15T04:30:00"),
        ("2024-03-31T02:30:00", "2024-03-31T03:30:00", "2024-03-31T01:30:00"),
        ("2024-10-27T02:30:00", "2024-10-27T02:30:00", "2024-10-27T01:30:00"),
        ("1950-06-01T00:00:00", "1950-06-01T00:00:00", "1950-05-31T23:00:00"),
        ("9999-06-01T00:00:00", "9999-06-01T00:00:00", "9999-05-31T22:00:00"),
    ],
)
def test_a_date_is_local_unless_it_has_an_offset(text: str, local: str, gmt: str) -> None:
    assert settled(text) == (local, gmt)


@pytest.mark.parametrize(
    ("text", "local", "gmt"),
    [
        ("2024-01-15T10:00:00", "2024-01-15T11:00:00", "2024-01-15T10:00:00"),
        ("2024-07-15T10:00:00Z", "2024-07-15T12:00:00", "2024-07-15T10:00:00"),
        ("2024-01-16T10:00:00-03:00", "2024-01-16T14:00:00", "2024-01-16T13:00:00"),
    ],
)
def test_a_gmt_date_is_gmt_unless_it_has_an_offset(text: str, local: str, gmt: str) -> None:
    assert tuple(map(format_iso, ROME.resolve_gmt(parse_date_time(text)))) == (local, gmt)


@given(sampled_from(ZONES), integers(FIRST + 172_800, LAST - 172_800))
@example("Europe/Rome", 1_729_989_000)
def test_a_local_time_finds_an_instant_that_shows_it(name: str, gmt: int) -> None:
    where = load_time_zone(name)
    local = where.to_local(gmt)
    again = where.to_gmt(local)
    assert where.to_local(again) == local
    assert again >= gmt, "of a doubled hour the second is meant"


@given(sampled_from(ZONES), integers(-(10**12), 10**12))
def test_a_zone_never_fails(name: str, seconds: int) -> None:
    where = load_time_zone(name)
    assert abs(where.offset(seconds)) < 172_800
    assert abs(where.to_gmt(seconds) - seconds) < 172_800


@given(text(max_size=40) | from_regex(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)?", fullmatch=True))
def test_any_text_is_read_or_refused(written: str) -> None:
    try:
        format_iso(parse_date_time(written).local_seconds)
    except MalformedDateTime:
        assert not is_date_time(written)
    except DateTimeOutOfRange:
        assert is_date_time(written)


@pytest.mark.parametrize("name", ["", "Europe/Nowhere", "../../etc/passwd", "/etc/localtime", "a\0b", "x" * 5000])
def test_an_unknown_zone_is_refused(name: str) -> None:
    with pytest.raises(UnknownTimeZone):
        load_time_zone(name)

"""Instants and local times as whole seconds, the text form of both, and the site's time zone.

An instant is the number of seconds since 1970-01-01T00:00:00 GMT. A local time is counted the same way, as if the
site's zone were GMT, so that both print, compare and sort as plain integers.
Accepted dates have `T` or one blank, seconds, optional fractions (dropped), and `Z`, `±HH:MM` or `±HH`; days and hours
past the end roll over; a local time that a clock change skips or repeats means the later instant. Rules:
docs/rules/dates.md, 3 and 4. Zones come from the machine's tz database, or else from the package `tzdata`.
"""

import re
import time
from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache
from typing import Final, NamedTuple, Protocol
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

_EPOCH: Final = datetime(1970, 1, 1)
FIRST_SECOND: Final = -62_135_596_800  # 0001-01-01T00:00:00
LAST_SECOND: Final = 253_402_300_799  # 9999-12-31T23:59:59
_DAY: Final = 86_400
_EPOCH_DAY: Final = _EPOCH.toordinal()
_MAX_DAYS: Final = 8192  # days whose offset a zone caches

_DATE_TIME = re.compile(
    r"([0-9]{4})-(0[0-9]|1[0-2])-([0-2][0-9]|3[01])[T ]"
    r"([01][0-9]|2[0-4]):([0-5][0-9]):([0-5][0-9]|60)(?:\.[0-9]+)?"
    r"(Z|[+-](?:[01][0-9]|2[0-3])(?::[0-5][0-9])?)?"
)


class MalformedDateTime(ValueError):
    """The text is not a date and time in the accepted form."""


class DateTimeOutOfRange(ValueError):
    """The time lies outside the years 1 to 9999."""


class UnknownTimeZone(ValueError):
    """No zone of the tz database has this name."""


class ParsedDateTime(NamedTuple):
    """A date and time as a client wrote it: the clock reading, and its offset from GMT if given; both in seconds."""

    local_seconds: int
    offset: int | None


class Clock(Protocol):
    """Returns the current time; passed in so that tests can set it."""

    def now(self) -> int:
        """Return the current time in whole seconds."""


class SystemClock:
    """The clock of the machine."""

    def now(self) -> int:
        """Return the current time in whole seconds."""
        return int(time.time())


@lru_cache(maxsize=8192)
def format_iso(seconds: int) -> str:
    """Return `seconds` as `YYYY-MM-DDTHH:MM:SS`, without an offset.

    seconds: an instant (the text is then GMT) or a local time.
    Raises DateTimeOutOfRange outside the years 1 to 9999.
    """
    try:
        return (_EPOCH + timedelta(seconds=seconds)).isoformat()
    except OverflowError:
        raise DateTimeOutOfRange(f"{seconds} seconds lie outside the years 1 to 9999") from None


def is_date_time(text: str) -> bool:
    """Return whether `text` has the accepted form; it may still name an impossible year."""
    return _DATE_TIME.fullmatch(text) is not None


def parse_date_time(text: str) -> ParsedDateTime:
    """Return the clock reading and the offset that `text` says.

    Raises MalformedDateTime for any other form, DateTimeOutOfRange for the year 0 and for what rolls over beyond 9999.
    """
    match = _DATE_TIME.fullmatch(text)
    if match is None:
        raise MalformedDateTime(f"{text[:40]!r} is no date and time; write YYYY-MM-DDTHH:MM:SS")
    year, month, day, hour, minute, second = map(int, match.group(1, 2, 3, 4, 5, 6))
    if year == 0:
        raise DateTimeOutOfRange(f"{text[:40]!r} lies in the year 0")
    # Month 0 is December of the year before, day 0 the day before the first: old clients send 00 for "unset".
    if month == 0:
        year, month = year - 1, 12
    if year == 0:
        raise DateTimeOutOfRange(f"{text[:40]!r} lies in the year 0")
    days = datetime(year, month, 1).toordinal() + day - 1 - _EPOCH_DAY
    return ParsedDateTime(_require_in_range(days * _DAY + hour * 3600 + minute * 60 + second), _parse_offset(match[7]))


def _parse_offset(text: str | None) -> int | None:
    if text is None:
        return None
    if text == "Z":
        return 0
    size = int(text[1:3]) * 3600 + int(text[4:6] or 0) * 60
    return -size if text[0] == "-" else size


def _require_in_range(seconds: int) -> int:
    if not FIRST_SECOND <= seconds <= LAST_SECOND:
        raise DateTimeOutOfRange(f"{seconds} seconds lie outside the years 1 to 9999")
    return seconds


class TimeZone:
    """A time zone, with conversions between its local times and instants."""

    __slots__ = ("_days", "_tz", "name")

    def __init__(self, name: str, tz: tzinfo) -> None:
        self.name = name
        self._tz = tz
        self._days: dict[int, int | None] = {}  # offset by day of GMT; None for a day on which the clocks change

    def offset(self, gmt: int) -> int:
        """Return how many seconds local time is ahead of GMT at the instant `gmt`."""
        day = gmt // _DAY
        if day not in self._days:
            if len(self._days) >= _MAX_DAYS:
                self._days = {}
            # No zone has ever changed its clocks and changed them back within a day.
            first, last = self._compute_offset(day * _DAY), self._compute_offset(day * _DAY + _DAY - 1)
            self._days[day] = first if first == last else None
        offset = self._days.get(day)
        return self._compute_offset(gmt) if offset is None else offset

    def _compute_offset(self, gmt: int) -> int:
        # Two days inside the range of datetime, where no zone has ever changed its clocks.
        inside = min(max(gmt, FIRST_SECOND + 2 * _DAY), LAST_SECOND - 2 * _DAY)
        ahead = datetime.fromtimestamp(inside, self._tz).utcoffset()
        return 0 if ahead is None else _count_seconds(ahead)

    def to_local(self, gmt: int) -> int:
        """Return the local time at the instant `gmt`."""
        return gmt + self.offset(gmt)

    def to_gmt(self, local: int) -> int:
        """Return the instant of a local time.

        A time that the clocks skip is counted on from before the change (02:30 becomes 03:30); a time that occurs
        twice means the second one.
        """
        inside = min(max(local, FIRST_SECOND + 2 * _DAY), LAST_SECOND - 2 * _DAY)
        reading = _EPOCH + timedelta(seconds=inside)
        before, after = self._tz.utcoffset(reading), self._tz.utcoffset(reading.replace(fold=1))
        if before is None or after is None:
            return local
        return local - _count_seconds(min(before, after))

    def resolve_local(self, written: ParsedDateTime) -> tuple[int, int]:
        """Return (local, gmt) of a date that is written as a local one.

        Raises DateTimeOutOfRange when either leaves the years 1 to 9999.
        """
        if written.offset is None:
            gmt = self.to_gmt(written.local_seconds)
        else:
            gmt = written.local_seconds - written.offset
        return _require_in_range(self.to_local(gmt)), _require_in_range(gmt)

    def resolve_gmt(self, written: ParsedDateTime) -> tuple[int, int]:
        """Return (local, gmt) of a date that is written as GMT; without an offset it is GMT.

        Raises DateTimeOutOfRange when either leaves the years 1 to 9999.
        """
        gmt = written.local_seconds - (written.offset or 0)
        return _require_in_range(self.to_local(gmt)), _require_in_range(gmt)

    def parse_nearest(self, text: str) -> tuple[int, int]:
        """Return (local, gmt) of a written date, limited to the years 1 to 9999. Raises MalformedDateTime."""
        try:
            return self.resolve_local(parse_date_time(text))
        except DateTimeOutOfRange:
            edge = FIRST_SECOND if text < "0002" else LAST_SECOND
            return edge, edge

    def __repr__(self) -> str:
        return f"Zone({self.name!r})"


def _count_seconds(span: timedelta) -> int:
    return span.days * _DAY + span.seconds


@lru_cache(maxsize=64)
def load_time_zone(name: str) -> TimeZone:
    """Return a zone by its name in the tz database; `UTC` needs no database.

    Raises UnknownTimeZone for any other text, a path or an empty one included.
    """
    if name == "UTC":
        return TimeZone(name, UTC)
    try:
        return TimeZone(name, ZoneInfo(name))
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise UnknownTimeZone(f"{name[:80]!r} is no zone of the tz database; write one such as Europe/Rome") from None

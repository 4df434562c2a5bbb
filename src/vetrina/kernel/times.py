"""Instants and local times as whole seconds, the text form of both, and the site's zone.

An instant is the number of seconds since 1970-01-01T00:00:00 GMT. A local time is counted the same way, as if the
site's zone were GMT, so that both print, compare and sort as plain integers.
Not here: when a record's date floats or is fixed (domain/content), which error a caller sees (declare).
Rules: observed on dates that clients sent: `T` or one blank, seconds required, fractions dropped, `Z`, `±HH:MM` or
`±HH`; what lies past the end of a day or a month rolls over; a local time that a clock change skips or repeats means
the later instant.
Zones come from the machine's tz database; a machine without one needs the `tzdata` package.
"""

import re
import time
from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache
from typing import Final, NamedTuple, Protocol
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

_EPOCH: Final = datetime(1970, 1, 1)
FIRST: Final = -62_135_596_800  # 0001-01-01T00:00:00
LAST: Final = 253_402_300_799  # 9999-12-31T23:59:59
_DAY: Final = 86_400
_EPOCH_DAY: Final = _EPOCH.toordinal()
_MOST_DAYS: Final = 8192  # whose offset a zone keeps

_WRITTEN = re.compile(
    r"([0-9]{4})-(0[0-9]|1[0-2])-([0-2][0-9]|3[01])[T ]"
    r"([01][0-9]|2[0-4]):([0-5][0-9]):([0-5][0-9]|60)(?:\.[0-9]+)?"
    r"(Z|[+-](?:[01][0-9]|2[0-3])(?::[0-5][0-9])?)?"
)


class Malformed(ValueError):
    """The text is not a date and time in the accepted form."""


class Impossible(ValueError):
    """The time lies outside the years 1 to 9999."""


class UnknownZone(ValueError):
    """No zone of the tz database has this name."""


class Written(NamedTuple):
    """A date and time as a client wrote it: the clock's reading, and its offset from GMT if given; both in seconds."""

    local_seconds: int
    offset: int | None


class Clock(Protocol):
    """Whoever tells the present instant; handed in, so that tests may set it."""

    def now(self) -> int:
        """Return the present instant in whole seconds."""


class SystemClock:
    """The clock of the machine."""

    def now(self) -> int:
        """Return the present instant in whole seconds."""
        return int(time.time())


@lru_cache(maxsize=8192)
def iso(seconds: int) -> str:
    """Return `seconds` as `YYYY-MM-DDTHH:MM:SS`, without an offset.

    seconds: an instant (then the text is GMT) or a local time.
    Raises Impossible outside the years 1 to 9999.
    """
    try:
        return (_EPOCH + timedelta(seconds=seconds)).isoformat()
    except OverflowError:
        raise Impossible(f"{seconds} seconds lie outside the years 1 to 9999") from None


def is_date_time(text: str) -> bool:
    """Tell whether `text` has the accepted form; it may still name a year that cannot be."""
    return _WRITTEN.fullmatch(text) is not None


def parse(text: str) -> Written:
    """Return the clock reading and the offset that `text` writes.

    Raises Malformed for any other form, Impossible for the year 0 and for what rolls over beyond the year 9999.
    """
    match = _WRITTEN.fullmatch(text)
    if match is None:
        raise Malformed(f"{text[:40]!r} is no date and time; write YYYY-MM-DDTHH:MM:SS")
    year, month, day, hour, minute, second = map(int, match.group(1, 2, 3, 4, 5, 6))
    if year == 0:
        raise Impossible(f"{text[:40]!r} lies in the year 0")
    # Month 0 is the December before, day 0 the eve of the first: old clients send 00 for "unset".
    if month == 0:
        year, month = year - 1, 12
    if year == 0:
        raise Impossible(f"{text[:40]!r} lies in the year 0")
    days = datetime(year, month, 1).toordinal() + day - 1 - _EPOCH_DAY
    return Written(_possible(days * _DAY + hour * 3600 + minute * 60 + second), _offset(match[7]))


def _offset(text: str | None) -> int | None:
    if text is None:
        return None
    if text == "Z":
        return 0
    size = int(text[1:3]) * 3600 + int(text[4:6] or 0) * 60
    return -size if text[0] == "-" else size


def _possible(seconds: int) -> int:
    if not FIRST <= seconds <= LAST:
        raise Impossible(f"{seconds} seconds lie outside the years 1 to 9999")
    return seconds


class Zone:
    """A time zone, with conversions between its local times and instants."""

    __slots__ = ("_days", "_tz", "name")

    def __init__(self, name: str, tz: tzinfo) -> None:
        self.name = name
        self._tz = tz
        self._days: dict[int, int | None] = {}  # offsets by day of GMT; None of a day on which the clocks change

    def offset(self, gmt: int) -> int:
        """Return how many seconds local time is ahead of GMT at the instant `gmt`."""
        day = gmt // _DAY
        if day not in self._days:
            if len(self._days) >= _MOST_DAYS:
                self._days = {}
            # No zone has changed its clocks and changed them back within a day.
            first, last = self._offset(day * _DAY), self._offset(day * _DAY + _DAY - 1)
            self._days[day] = first if first == last else None
        found = self._days.get(day)
        return self._offset(gmt) if found is None else found

    def _offset(self, gmt: int) -> int:
        # Two days inside the range of datetime, where no zone has ever changed its clocks.
        inside = min(max(gmt, FIRST + 2 * _DAY), LAST - 2 * _DAY)
        ahead = datetime.fromtimestamp(inside, self._tz).utcoffset()
        return 0 if ahead is None else _whole(ahead)

    def to_local(self, gmt: int) -> int:
        """Return the local time at the instant `gmt`."""
        return gmt + self.offset(gmt)

    def to_gmt(self, local: int) -> int:
        """Return the instant of a local time.

        A time that the clocks skip is counted on from before the change (02:30 becomes 03:30); of a time that comes
        twice, the second is meant.
        """
        inside = min(max(local, FIRST + 2 * _DAY), LAST - 2 * _DAY)
        reading = _EPOCH + timedelta(seconds=inside)
        before, after = self._tz.utcoffset(reading), self._tz.utcoffset(reading.replace(fold=1))
        if before is None or after is None:
            return local
        return local - _whole(min(before, after))

    def settle(self, written: Written) -> tuple[int, int]:
        """Return (local, gmt) of what was written as a local date.

        Raises Impossible when either leaves the years 1 to 9999.
        """
        if written.offset is None:
            gmt = self.to_gmt(written.local_seconds)
        else:
            gmt = written.local_seconds - written.offset
        return _possible(self.to_local(gmt)), _possible(gmt)

    def settle_gmt(self, written: Written) -> tuple[int, int]:
        """Return (local, gmt) of what was written as a GMT date; without an offset it is GMT.

        Raises Impossible when either leaves the years 1 to 9999.
        """
        gmt = written.local_seconds - (written.offset or 0)
        return _possible(self.to_local(gmt)), _possible(gmt)

    def nearest(self, text: str) -> tuple[int, int]:
        """Return (local, gmt) of a written date, the edge of the years 1 to 9999 for one beyond. Raises Malformed."""
        try:
            return self.settle(parse(text))
        except Impossible:
            edge = FIRST if text < "0002" else LAST
            return edge, edge

    def __repr__(self) -> str:
        return f"Zone({self.name!r})"


def _whole(span: timedelta) -> int:
    return span.days * _DAY + span.seconds


@lru_cache(maxsize=64)
def zone(name: str) -> Zone:
    """Return the zone of that name in the tz database; `UTC` needs no database.

    Raises UnknownZone for any other text, a path or an empty one included.
    """
    if name == "UTC":
        return Zone(name, UTC)
    try:
        return Zone(name, ZoneInfo(name))
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise UnknownZone(f"{name[:80]!r} is no zone of the tz database; write one such as Europe/Rome") from None

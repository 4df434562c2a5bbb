"""The calendar block: one month of the site's posts.

The week begins on the day that is set for the site; months without posts are skipped. Elements and classes as observed
on public pages.
"""

from __future__ import annotations

import calendar
from collections.abc import Iterator
from datetime import date
from typing import Final

from vetrina.content.blocks.block_context import BlockContext, BlockRenderFunction
from vetrina.content.records import archives
from vetrina.kernel.date_format import format_date, get_month_name, list_weekday_names


def _render_calendar(place: BlockContext) -> str:
    work, attributes = place.work, place.attributes
    today = date.fromordinal(work.local_now // 86_400 + date(1970, 1, 1).toordinal())
    year, month = attributes.get("year") or today.year, attributes.get("month") or today.month
    if (year, month) == (today.year, today.month):
        work.mark_time_dependent()
    if not (1 <= year < 9999 and 1 <= month <= 12):
        return ""
    days = archives.count_posts_by_day(work, year, month)
    before, after = archives.find_adjacent_days(work, year, month)
    if not days and before is None and after is None:
        return ""
    start = (int(work.option("start_of_week")) + 6) % 7
    names = list_weekday_names(place.language)
    head = "".join(
        f'<th scope="col" aria-label="{names[(start + at) % 7]}">{names[(start + at) % 7][0].upper()}</th>'
        for at in range(7)
    )
    weeks = calendar.Calendar(start).monthdayscalendar(year, month)
    rows = "".join(f"<tr>{''.join(_iterate_cells(place, week, year, month, days, today))}</tr>" for week in weeks)
    language = place.language
    table = (
        '<table id="wp-calendar" class="wp-calendar-table">'
        f"<caption>{get_month_name(month, language)} {year}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{rows}</tbody></table>"
        '<nav aria-label="Previous and next months" class="wp-calendar-nav">'
        f'<span class="wp-calendar-nav-prev">{_render_month_link(place, before, "&laquo; {}")}</span>'
        '<span class="pad">&nbsp;</span>'
        f'<span class="wp-calendar-nav-next">{_render_month_link(place, after, "{} &raquo;")}</span></nav>'
    )
    return place.element("div", table)


def _iterate_cells(
    place: BlockContext, week: list[int], year: int, month: int, days: dict[int, int], today: date
) -> Iterator[str]:
    at = 0
    while at < 7:
        day = week[at]
        if not day:
            empty = at
            while at < 7 and not week[at]:
                at += 1
            yield f'<td colspan="{at - empty}" class="pad">&nbsp;</td>'
            continue
        own = ' id="today"' if date(year, month, day) == today else ""
        if day in days:
            seconds = (date(year, month, day).toordinal() - date(1970, 1, 1).toordinal()) * 86_400
            name = format_date(place.work.option("date_format"), seconds, language=place.language)
            link = f"{place.work.home()}/{year:04d}/{month:02d}/{day:02d}/"
            yield f'<td{own}><a href="{link}" aria-label="Posts published on {name}">{day}</a></td>'
        else:
            yield f"<td{own}>{day}</td>"
        at += 1


def _render_month_link(place: BlockContext, day: date | None, text: str) -> str:
    if day is None:
        return "&nbsp;"
    name = text.format(get_month_name(day.month, place.language)[:3])
    return f'<a href="{place.work.home()}/{day.year:04d}/{day.month:02d}/">{name}</a>'


BLOCKS: Final[dict[str, BlockRenderFunction]] = {"core/calendar": _render_calendar}

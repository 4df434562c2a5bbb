/** The times between which the sales of a day are asked for, in the zone of the site. */
import { boot } from '../../app/boot';

export interface DayTimes {
	/** Beginning and end of today, as `2026-01-31T00:00:00`. */
	start: string;
	end: string;
	/** The same of the same weekday a week ago, and the time that it was then what it is now. */
	startBefore: string;
	endBefore: string;
	nowBefore: string;
	weekday: string;
}

/** Return the times of a moment's day. zone: name or offset of a time zone, `Europe/Rome` or `+02:00`. */
export function listTimesOfToday(now: Date, zone: string): DayTimes {
	const today = readLocal(now, zone);
	// Counted in days of the calendar: a week with a change of the clock has no 168 hours.
	const before = new Date(`${today.date}T00:00:00Z`);
	before.setUTCDate(before.getUTCDate() - 7);
	const date = before.toISOString().slice(0, 10);
	return {
		start: `${today.date}T00:00:00`,
		end: `${today.date}T23:59:59`,
		startBefore: `${date}T00:00:00`,
		endBefore: `${date}T23:59:59`,
		nowBefore: `${date}T${today.time}`,
		weekday: new Intl.DateTimeFormat(boot.locale.replace('_', '-'), { weekday: 'long', timeZone: 'UTC' }).format(
			before,
		),
	};
}

/** Return the date and the time, to the minute, that clocks of a zone show. */
function readLocal(now: Date, zone: string): { date: string; time: string } {
	const format = new Intl.DateTimeFormat('sv-SE', {
		timeZone: zone || 'UTC',
		dateStyle: 'short',
		timeStyle: 'short',
	});
	const [date = '', time = ''] = format.format(now).split(' ');
	return { date, time: `${time}:00` };
}

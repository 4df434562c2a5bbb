/** Answers that the page asked for before the shell was there (src/first-requests.ts). */

const FRESH = 10_000; // milliseconds since the page was opened; later a screen asks itself

/** Return the answer to a request, null where it was not asked; each is there once. */
export function takeFirstAnswer(method: string, url: string): Promise<Response> | null {
	const key = `${method} ${url}`;
	const answer = globalThis.firstAnswers?.get(key);
	globalThis.firstAnswers?.delete(key);
	return answer && performance.now() < FRESH ? answer : null;
}

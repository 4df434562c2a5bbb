/** Where comments are, and how a long one is shown. */

export const COMMENTS_PATH = '/wp/v2/comments';

const MAX_SHOWN = 160; // characters

export function shortenComment(text: string): string {
	return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN).trimEnd()} …` : text;
}

/** What the site editor asks for as it opens, whatever it shows. */
export const FIRST_REQUESTS: readonly string[] = [];

/** Names that the build fills in (build.mjs): the files of the style sheets, and of the catalogue of each language. */
declare const STYLESHEETS: Record<'shell' | 'screens' | 'editor' | 'canvas' | 'reports', string>;
declare const CATALOGS: Record<string, string>;
/** The same of the texts of the editor's packages. */
declare const EDITOR_CATALOGS: Record<string, string>;
/** Answers that are on their way before the shell asks (first-requests.ts), by method and URL. */
// Only what `var` declares is a member of the global object.
// eslint-disable-next-line no-var
declare var firstAnswers: Map<string, Promise<Response>> | undefined;

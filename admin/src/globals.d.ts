/** Names that the build fills in (build.mjs): the files of the style sheets, and of the catalogue of each language. */
declare const STYLESHEETS: Record<'shell' | 'screens' | 'editor' | 'canvas' | 'reports', string>;
declare const CATALOGS: Record<string, string>;

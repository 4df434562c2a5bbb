// The names of a dialect: API root, headers, path prefixes. Fields of records, filters and codes pass unchanged; only
// what the client itself needs is translated. A test compares them with those of the server.

export type Dialect = "neutral" | "wordpress";

/** The names of one dialect; namespaces: neutral path prefix to the dialect's, where they differ. */
export interface Names {
  readonly root: string;
  readonly total: string;
  readonly pages: string;
  readonly nonce: string;
  readonly language: string;
  readonly relation: string;
  readonly namespaces: Readonly<Record<string, string>>;
}

export const DIALECTS: Readonly<Record<Dialect, Names>> = {
  neutral: {
    root: "cms-json",
    total: "X-CMS-Total",
    pages: "X-CMS-TotalPages",
    nonce: "X-CMS-Nonce",
    language: "mlang_language",
    relation: "cms:",
    namespaces: {},
  },
  wordpress: {
    root: "wp-json",
    total: "X-WP-Total",
    pages: "X-WP-TotalPages",
    nonce: "X-WP-Nonce",
    language: "wpml_language",
    relation: "wp:",
    namespaces: {
      cms: "wp",
      "cms-site-health": "wp-site-health",
      "cms-block-editor": "wp-block-editor",
      "cms-abilities": "wp-abilities",
      mlang: "wpml",
      vendor: "otgs",
      connector: "jetpack",
      shop: "wc",
      "shop-admin": "wc-admin",
      "shop-analytics": "wc-analytics",
      "shop-admin-email": "wc-admin-email",
      "shop-telemetry": "wc-telemetry",
      "shopcom-site": "wccom-site",
      "payments/shoppay": "payments/woopay",
    },
  },
};

/** Return the names of a dialect. Throws a TypeError for an unknown one. */
export function findNames(dialect: string): Names {
  const found = Object.entries(DIALECTS).find(([name]) => name === dialect);
  if (!found) throw new TypeError(`there is no dialect "${dialect}"; known: ${Object.keys(DIALECTS).join(", ")}`);
  return found[1];
}

/** Translate a path that begins with a neutral namespace; any other is left alone. */
export function translatePath(names: Names, path: string): string {
  for (const [neutral, other] of Object.entries(names.namespaces)) {
    if (path === `/${neutral}` || path.startsWith(`/${neutral}/`)) return `/${other}${path.slice(neutral.length + 1)}`;
  }
  return path;
}

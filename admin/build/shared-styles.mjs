/**
 * Lets the styles that the components bring be there once.
 *
 * The packages compile a copy of the styles of a whole component, and of the code that adds them to the page, into each of
 * its files: sixteen copies for a menu.
 */
const PREFIX = 'shared-style:';
const RUNTIME =
	/\/\/ packages\/style-runtime\/src\/index\.ts\n[\s\S]*?\nfunction registerStyle\(hash, css\) \{[\s\S]*?\n\}\n/;
const RUNTIME_NAMES = /\b(getRuntime|injectStyle|registerDocument|documentContainsStyleHash)\b/;
const REGISTRATION =
	/^if \(typeof process === "undefined" \|\| process\.env\.NODE_ENV !== "test"\) \{\n {2}registerStyle\("(\w+)", (.*)\);\n\}$/gm;

/** The styles of a build, by their digests. */
export class SharedStyles {
	#styles = new Map();

	/** Return the source of a module whose styles are imported; one that does more with them stays as it is. */
	rewrite(source) {
		const rest = source.replace(RUNTIME, '').replace(REGISTRATION, (_, hash, literal) => {
			this.#styles.set(hash, literal);
			return `import "${PREFIX}${hash}";`;
		});
		return RUNTIME_NAMES.test(rest) || rest.includes('registerStyle(') ? source : rest;
	}

	/** Resolve what `rewrite` imports. */
	setup(build) {
		const namespace = 'shared-style';
		build.onResolve({ filter: new RegExp(`^${PREFIX}`) }, ({ path }) => ({
			path: path.slice(PREFIX.length),
			namespace,
		}));
		build.onLoad({ filter: /.*/, namespace }, ({ path }) => ({
			contents: `import { registerStyle } from "@wordpress/style-runtime"; registerStyle("${path}", ${this.#styles.get(path)});`,
			resolveDir: import.meta.dirname,
		}));
	}
}

/**
 * Lets each import lead to the file that defines what is imported, past the index files of packages.
 *
 * The bundler splits by files: a screen that imports one button from an index would load every component that any screen
 * imports from it. Only files without side effects are passed over, as their packages declare.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { init, parse } from 'es-module-lexer';

/** Packages with large index files; those of the editor alone gain nothing. */
const PACKAGES = /^(@wordpress\/[\w-]+|date-fns|@base-ui\/react|@ariakit\/react(-core)?)$/;
const SOURCES = /\.(mjs|js|tsx?)$/;
/** The name of a whole module, `import * as x`. */
const WHOLE = '*';
const NAMED_IMPORT = /^import\s*\{([^}]*)\}\s*from\s*["']([^"']+)["']/;

/** Return the source of a file with its named imports rewritten. index: of the packages of the build. */
export async function rewriteImports(source, file, index) {
	let rewritten = '';
	let end = 0;
	for (const match of source.matchAll(new RegExp(NAMED_IMPORT, 'gm'))) {
		const target = await index.resolve(match[2], file);
		if (target === null) {
			continue;
		}
		const imports = await Promise.all(
			parseNames(match[1]).map(async ([name, local]) => {
				const origin = await index.findOrigin(target, name);
				const clause = origin.name === WHOLE ? `* as ${local}` : `{ ${origin.name} as ${local} }`;
				return `import ${clause} from ${JSON.stringify(origin.file)}`;
			}),
		);
		rewritten += source.slice(end, match.index) + imports.join('; ');
		end = match.index + match[0].length;
	}
	return rewritten + source.slice(end);
}

/** Return the names of `{ a, b as c }` in pairs; those of types are left out, since nothing of them remains. */
function parseNames(clause) {
	return clause
		.split(',')
		.map((one) => one.trim())
		.filter((one) => one && !one.startsWith('type '))
		.map((one) => one.split(/\s+as\s+/))
		.map(([name, local = name]) => [name, local]);
}

/** Where the names of packages are defined. */
export class PackageIndex {
	#build;
	#modules = new Map();
	#resolved = new Map();

	constructor(build) {
		this.#build = build;
	}

	/** Return the file of an import that may be passed over, null for any other. */
	async resolve(specifier, importer) {
		const key = specifier.startsWith('.') ? path.join(path.dirname(importer), specifier) : specifier;
		if (!specifier.startsWith('.') && !PACKAGES.test(specifier)) {
			return null;
		}
		if (specifier.startsWith('.') && !importer.includes('/node_modules/')) {
			return null;
		}
		if (!this.#resolved.has(key)) {
			this.#resolved.set(
				key,
				this.#build
					.resolve(specifier, { kind: 'import-statement', resolveDir: path.dirname(importer) })
					.then(({ path: file, sideEffects, errors, namespace }) =>
						errors.length === 0 && namespace === 'file' && !sideEffects && SOURCES.test(file) ? file : null,
					),
			);
		}
		return this.#resolved.get(key);
	}

	/** Return the file that defines an exported name, and what it is called there. */
	async findOrigin(file, name) {
		if (name === WHOLE) {
			return { file, name };
		}
		const { imports, exports, stars } = await this.#read(file);
		const local = exports.get(name);
		if (local !== undefined) {
			const source = imports.get(local);
			const target = source && (await this.resolve(source.from, file));
			return target ? this.findOrigin(target, source.name) : { file, name };
		}
		for (const from of stars) {
			const target = await this.resolve(from, file);
			const origin = target && (await this.findOrigin(target, name));
			if (origin && (await this.#defines(origin.file, origin.name))) {
				return origin;
			}
		}
		return { file, name };
	}

	async #defines(file, name) {
		return name === WHOLE || (await this.#read(file)).exports.has(name);
	}

	async #read(file) {
		if (!this.#modules.has(file)) {
			this.#modules.set(file, readModule(file));
		}
		return this.#modules.get(file);
	}
}

/** Return what a module imports by local name, what it exports by name, and the modules that it hands on whole. */
async function readModule(file) {
	await init;
	const source = await readFile(file, 'utf8');
	const imports = new Map();
	const exports = new Map();
	const stars = [];
	const [statements, exported] = parse(source, file);
	for (const { ss, se, n } of statements) {
		const text = source.slice(ss, se);
		const named = NAMED_IMPORT.exec(text);
		for (const [name, local] of named ? parseNames(named[1]) : []) {
			imports.set(local, { name, from: n });
		}
		const whole = /^import\s*\*\s*as\s+([\w$]+)\s+from/.exec(text);
		if (whole) {
			imports.set(whole[1], { name: WHOLE, from: n });
		}
		const plain = /^import\s+([\w$]+)\s+from/.exec(text);
		if (plain) {
			imports.set(plain[1], { name: 'default', from: n });
		}
		if (/^export\s*\*\s*from/.test(text)) {
			stars.push(n);
		}
		const wholeHandedOn = /^export\s*\*\s*as\s+([\w$]+)\s+from/.exec(text);
		if (wholeHandedOn) {
			imports.set(`export ${wholeHandedOn[1]}`, { name: WHOLE, from: n });
			exports.set(wholeHandedOn[1], `export ${wholeHandedOn[1]}`);
		}
		const handedOn = /^export\s*\{([^}]*)\}\s*from/.exec(text);
		for (const [name, local] of handedOn ? parseNames(handedOn[1]) : []) {
			imports.set(`export ${local}`, { name, from: n });
			exports.set(local, `export ${local}`);
		}
	}
	for (const { n, ln } of exported) {
		if (!exports.has(n)) {
			exports.set(n, ln ?? n);
		}
	}
	return { imports, exports, stars };
}

/** What is left out of the bundle, cut short, or written otherwise. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

import { PackageIndex, rewriteImports } from './direct-imports.mjs';
import { SharedStyles } from './shared-styles.mjs';

const require = createRequire(import.meta.url);

/** Workers that change images and films in the browser; the server does that, and they are 16 MB. */
const LEFT_OUT = /^@wordpress\/(vips|video-conversion)(\/|$)/;
/** A package in the older form of modules, which the editor's newer ones would import as a whole and not as its component. */
const OLDER_FORM = /^react-autosize-textarea$/;
const FIRST_YEAR = 2000;
const LAST_YEAR = 2040;

/** Replace what a site does not use by an empty module. */
export function stubLeftOut() {
	return {
		name: 'stub-left-out',
		setup(build) {
			build.onResolve({ filter: LEFT_OUT }, ({ path: name }) => ({ path: name, namespace: 'left-out' }));
			build.onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({ contents: 'module.exports = {};', loader: 'js' }));
		},
	};
}

/** Let what files of ours and of the editor's packages import be as little as it can. */
export function narrowImports() {
	return {
		name: 'narrow-imports',
		setup(build) {
			const index = new PackageIndex(build);
			const styles = new SharedStyles();
			styles.setup(build);
			build.onLoad({ filter: /\.(mjs|tsx?)$/ }, async ({ path: file }) => {
				if (file.includes('/node_modules/') && !file.includes('/node_modules/@wordpress/')) {
					return undefined;
				}
				const loader = file.endsWith('.tsx') ? 'tsx' : file.endsWith('.ts') ? 'ts' : 'js';
				const source = styles.rewrite(await readFile(file, 'utf8'));
				return { contents: await rewriteImports(source, file, index), loader };
			});
		},
	};
}

/** Let what is imported of a package in the older form be what it exports as its default. */
export function importDefaults() {
	return {
		name: 'import-defaults',
		setup(build) {
			build.onResolve({ filter: OLDER_FORM }, ({ path: name }) => ({ path: name, namespace: 'default' }));
			build.onLoad({ filter: /.*/, namespace: 'default' }, ({ path: name }) => ({
				contents: `export { default } from '${require.resolve(name)}';`,
				resolveDir: import.meta.dirname,
			}));
		},
	};
}

/** Let the editor preview markup in a frame with a policy of its own; that of the package runs a script which ours refuses. */
export function replaceSandbox(root) {
	return {
		name: 'replace-sandbox',
		setup(build) {
			build.onLoad({ filter: /@wordpress[\\/]components[\\/]build-module[\\/]sandbox[\\/]index\.mjs$/ }, () => ({
				contents: "export { PreviewFrame as default } from './src/editor/preview-frame';",
				resolveDir: root,
			}));
		},
	};
}

/** Let the editor load what reads font files when there is one to read. */
export function loadFontsLate(root) {
	return {
		name: 'load-fonts-late',
		setup(build) {
			let reader = '';
			build.onResolve({ filter: /[\\/]lib-font\.browser\.mjs$/ }, ({ path: file, resolveDir }) => {
				reader = path.resolve(resolveDir, file);
				return { path: path.join(root, 'src/editor/late-font.ts') };
			});
			build.onResolve({ filter: /^font-reader$/ }, () => ({ path: reader }));
		},
	};
}

/** Keep the rules of time zones for the years that texts of a site have. */
export function shortenTimeZones() {
	return {
		name: 'shorten-time-zones',
		setup(build) {
			build.onLoad({ filter: /moment-timezone[\\/]data[\\/]packed[\\/]latest\.json$/ }, ({ path: file }) => {
				const moment = require('moment-timezone/moment-timezone-utils');
				const { version, zones, links } = require(file);
				const unpacked = { version, zones: zones.map(moment.tz.unpack), links, countries: [] };
				const filtered = moment.tz.filterLinkPack(unpacked, FIRST_YEAR, LAST_YEAR);
				return { contents: JSON.stringify({ ...filtered, links: resolveLinks(filtered) }), loader: 'json' };
			});
		},
	};
}

/**
 * Let each name lead to a zone that is there: within a few years many zones are the same, and the links between them form
 * chains, of which the library follows one step.
 */
function resolveLinks({ zones, links }) {
	const names = new Set(zones.map((zone) => zone.split('|')[0]));
	const targets = new Map(links.map((link) => link.split('|').reverse()));
	const resolve = (name) => (names.has(name) ? name : resolve(targets.get(name)));
	return [...targets].map(([name, target]) => `${resolve(target)}|${name}`);
}

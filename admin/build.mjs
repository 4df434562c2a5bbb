/**
 * Builds the administration into `src/vetrina/pages/admin_files`, where the server finds it (pages/admin_page.py).
 *
 * The manifest is written last, so that the server never names a file that is not there yet.
 * `node build.mjs --watch` builds again with each change.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import * as esbuild from 'esbuild';

import { readCatalogs } from './build/catalogs.mjs';
import { collectLicenses } from './build/licenses.mjs';
import { mergeChunks } from './build/merged-chunks.mjs';
import {
	importDefaults,
	loadFontsLate,
	narrowImports,
	replaceSandbox,
	shortenTimeZones,
	stubLeftOut,
} from './build/plugins.mjs';
import { listScreens } from './build/screens.mjs';

const HERE = import.meta.dirname;
const OUT = process.env.VETRINA_ADMIN_FILES ?? path.join(HERE, '../src/vetrina/pages/admin_files');
const STYLESHEETS = ['shell', 'screens', 'editor', 'canvas', 'reports'];
/** Scripts that the block editor writes into the frame of its canvas; the page's policy allows these and no other. */
const FRAME_SCRIPTS = ['document.currentScript.parentElement.remove()'];
/** The screen whose files are those of lists. */
const LIST = '/content/:type';
const COMPRESSED = /\.(js|css|json|svg|txt)$/;

const shared = {
	bundle: true,
	minify: !process.argv.includes('--debug'),
	legalComments: 'none',
	logLevel: 'warning',
	outdir: OUT,
	write: false,
	metafile: true,
	absWorkingDir: HERE,
	loader: { '.woff2': 'file', '.woff': 'file', '.svg': 'file', '.png': 'file' },
	assetNames: '[name]-[hash]',
	chunkNames: '[name]-[hash]',
	entryNames: '[name]-[hash]',
};

/** Build everything once. */
async function build() {
	await mkdir(OUT, { recursive: true });
	await reportProgress('Style sheets');
	const styles = await esbuild.build({
		...shared,
		entryPoints: STYLESHEETS.map((name) => `src/styles/${name}.css`),
	});
	const stylesheets = Object.fromEntries(
		STYLESHEETS.map((name) => [name, findOutput(styles, `src/styles/${name}.css`)]),
	);
	const own = await readCatalogs(path.join(HERE, 'languages'));
	const editor = await readCatalogs(path.join(HERE, 'languages/editor'), 'editor-');
	const catalogs = { CATALOGS: JSON.stringify(own.catalogs), EDITOR_CATALOGS: JSON.stringify(editor.catalogs) };
	await reportProgress('Scripts');
	const scripts = await esbuild.build({
		...shared,
		entryPoints: ['src/main.tsx'],
		format: 'esm',
		splitting: true,
		target: 'es2022',
		jsx: 'automatic',
		plugins: [
			stubLeftOut(),
			importDefaults(),
			shortenTimeZones(),
			replaceSandbox(HERE),
			loadFontsLate(HERE),
			narrowImports(),
		],
		define: {
			'process.env.NODE_ENV': '"production"',
			'globalThis.IS_GUTENBERG_PLUGIN': 'false',
			'globalThis.IS_WORDPRESS_CORE': 'true',
			'globalThis.SCRIPT_DEBUG': 'false',
			STYLESHEETS: JSON.stringify(stylesheets),
			...catalogs,
		},
	});
	const first = await esbuild.build({
		...shared,
		entryPoints: ['src/first-requests.ts'],
		format: 'iife',
		target: 'es2022',
		define: catalogs,
	});
	const script = findOutput(scripts, 'src/main.tsx');
	const shell = listStaticImports(scripts.metafile, script);
	const screens = await listScreens(HERE, scripts.metafile, new Set([script, ...shell]), stylesheets);
	const { files, place } = await mergeChunks(
		new Map(scripts.outputFiles.map(({ path: file, contents }) => [path.basename(file), Buffer.from(contents)])),
		Object.fromEntries(Object.entries(scripts.metafile.outputs).map(([file, output]) => [path.basename(file), output])),
		{
			shell,
			screens: screens.map((one) => one.scripts),
			minify: shared.minify,
			list: screens.find(({ pattern }) => pattern === LIST).scripts,
		},
	);
	for (const [name, content] of [
		...own.files,
		...editor.files,
		...[...styles.outputFiles, ...first.outputFiles].map(({ path: file, contents }) => [
			path.basename(file),
			Buffer.from(contents),
		]),
	]) {
		files.set(name, content);
	}
	files.set('licenses.txt', Buffer.from(await collectLicenses(HERE, [styles.metafile, scripts.metafile])));
	await reportProgress('Compression');
	const written = await writeFiles(files);
	await removeOthers(written);
	const preload = placeAll(shell, place);
	const manifest = {
		first: findOutput(first, 'src/first-requests.ts'),
		script: place(script),
		styles: [stylesheets.shell],
		preload,
		screens: screens.map((one) => ({
			...one,
			scripts: placeAll(one.scripts, place).filter((name) => !preload.includes(name)),
		})),
		scriptHashes: FRAME_SCRIPTS.map((text) => `sha256-${createHash('sha256').update(text).digest('base64')}`),
	};
	await writeFile(path.join(OUT, '.manifest.json'), JSON.stringify(manifest, null, '\t'));
	await rename(path.join(OUT, '.manifest.json'), path.join(OUT, 'manifest.json'));
	return { files, metafile: scripts.metafile, manifest };
}

/** Tell whoever waits for the first build how far it is. */
async function reportProgress(step) {
	await writeFile(path.join(OUT, '.building'), `${step} …\n`);
}

function findOutput({ metafile }, entryPoint) {
	const [file] = Object.entries(metafile.outputs).find(([, output]) => output.entryPoint === entryPoint);
	return path.basename(file);
}

/** Return the chunks that are loaded with an entry point, without those that are loaded later. */
function listStaticImports(metafile, entry) {
	const byName = new Map(Object.entries(metafile.outputs).map(([file, output]) => [path.basename(file), output]));
	const found = new Set();
	const visit = (name) => {
		for (const { path: file, kind } of byName.get(name).imports) {
			const next = path.basename(file);
			if (kind === 'import-statement' && !found.has(next)) {
				found.add(next);
				visit(next);
			}
		}
	};
	visit(entry);
	return [...found];
}

/** Return the files that have what some files of the bundler have. */
function placeAll(names, place) {
	return [...new Set(names.map(place))];
}

async function writeFiles(files) {
	const written = new Set();
	const write = async (name, content) => {
		written.add(name);
		await writeFile(path.join(OUT, name), content);
	};
	await Promise.all(
		[...files].map(async ([name, content]) => {
			await write(name, content);
			if (COMPRESSED.test(name) && content.length > 1000) {
				await write(`${name}.gz`, await promisify(gzip)(content, { level: 9 }));
				await write(
					`${name}.br`,
					await promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
				);
			}
		}),
	);
	return written;
}

/** Remove the files of earlier builds, but not the marker of a running one. */
async function removeOthers(written) {
	for (const name of await readdir(OUT)) {
		if (!written.has(name) && !['manifest.json', '.building', 'build.log'].includes(name)) {
			await rm(path.join(OUT, name), { recursive: true });
		}
	}
}

/** Print the bytes of the shell, and of what each screen loads with it. */
function printSizes({ files, manifest }) {
	const size = (name) => files.get(name)?.length ?? 0;
	const shell = [manifest.script, ...manifest.preload, ...manifest.styles];
	const total = shell.reduce((sum, name) => sum + size(name), 0);
	console.log(`admin: ${files.size} files; the shell has ${Math.round(total / 1000)} kB before compression`);
}

try {
	printSizes(await build());
} finally {
	await rm(path.join(OUT, '.building'), { force: true });
}

if (process.argv.includes('--watch')) {
	const { watch } = await import('node:fs');
	let timer;
	watch(path.join(HERE, 'src'), { recursive: true }, () => {
		clearTimeout(timer);
		timer = setTimeout(() => build().then(printSizes, (error) => console.error(error.message)), 100);
	});
}

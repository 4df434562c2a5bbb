/**
 * Joins the small files into which the bundler parts what screens share.
 *
 * It makes a file of each set of modules that the same screens use: a list would ask for forty files, most of them of a
 * kilobyte, over the six connections that a browser opens. They are joined in layers, which screens load whole: what comes
 * with every page, what most screens use, and what lists use besides.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';

import * as esbuild from 'esbuild';

/** A layer has what at least so many of all screens use. */
const COMMON_SHARE = 0.6;
/** What several screens share and is no larger comes with every page. */
const SMALL_BYTES = 10_000;
const SMALL_USES = 3;
const STATIC_IMPORT = /\bimport\s*(?:\{([^}]*)\}\s*from\s*)?"\.\/([\w-]+\.js)";/g;
const HASHED_NAME = /[\w-]+-[A-Z0-9]{8}\.js/g;

/**
 * Return the files of a build with its layers joined, and the layer of each file that went into one.
 *
 * files: contents by name. outputs: of the metafile, by name. shell: files of every page. screens: files of each screen.
 * list: those of the screen whose further files are the layer of lists. minify: whether layers are written short.
 */
export async function mergeChunks(files, outputs, { shell, screens, list, minify }) {
	const uses = (name) => screens.filter((one) => one.includes(name)).length;
	const chunks = (names) => names.filter((name) => !outputs[name].entryPoint);
	const lowest = addSmall(chunks(shell), chunks([...new Set(screens.flat())]), outputs, uses);
	const rest = chunks(list).filter((name) => !lowest.includes(name));
	const isCommon = (name) => uses(name) >= screens.length * COMMON_SHARE;
	const layers = {
		shell: lowest,
		common: rest.filter(isCommon),
		lists: rest.filter((name) => !isCommon(name)),
	};
	const layout = createHash('sha256').update(JSON.stringify(layers)).digest();
	const renamed = new Map(Object.keys(outputs).map((name) => [name, renameByLayout(name, layout)]));
	// A file imports layers by their names, which change with any of their parts: so all names change with the layout.
	const merged = new Map(
		[...files].map(([name, content]) => [
			renamed.get(name) ?? name,
			renamed.has(name) ? rename(content.toString(), renamed) : content,
		]),
	);
	const layerOf = new Map();
	const exported = new Map();
	for (const [layer, members] of Object.entries(layers)) {
		members.forEach((name, index) => {
			layerOf.set(renamed.get(name), layer);
			exported.set(renamed.get(name), { prefix: `${layer}${index}_`, names: outputs[name].exports });
		});
	}
	const fileOf = {};
	// From the lowest up: a layer imports those below it by their names.
	for (const layer of Object.keys(layers)) {
		const members = [...layerOf].filter(([, other]) => other === layer).map(([name]) => name);
		const content = await joinLayer(layer, members, merged, { layerOf, exported, fileOf, minify });
		const digest = createHash('sha256').update(content).digest('hex').slice(0, 8).toUpperCase();
		fileOf[layer] = `${layer}-${digest}.js`;
		members.forEach((name) => merged.delete(name));
		merged.set(fileOf[layer], content);
	}
	for (const [name, content] of merged) {
		if (name.endsWith('.js') && !Object.values(fileOf).includes(name)) {
			merged.set(name, Buffer.from(leadToLayers(content, null, { layerOf, exported, fileOf })));
		}
	}
	const place = (name) => fileOf[layerOf.get(renamed.get(name))] ?? renamed.get(name) ?? name;
	return { files: merged, place };
}

/** Return the files of the shell with the small ones that several screens share, and that need nothing else. */
function addSmall(shell, shared, outputs, uses) {
	const found = new Set(shell);
	const importsOf = (name) =>
		outputs[name].imports.filter(({ kind }) => kind === 'import-statement').map((one) => path.basename(one.path));
	let before;
	do {
		before = found.size;
		shared
			.filter((name) => outputs[name].bytes <= SMALL_BYTES && uses(name) >= SMALL_USES)
			.filter((name) => importsOf(name).every((one) => found.has(one)))
			.forEach((name) => found.add(name));
	} while (found.size > before);
	return [...found];
}

function renameByLayout(name, layout) {
	const digest = createHash('sha256').update(name).update(layout).digest('hex').slice(0, 8).toUpperCase();
	return name.replace(/[A-Z0-9]{8}(?=\.js$)/, digest);
}

function rename(source, names) {
	return source.replace(HASHED_NAME, (name) => names.get(name) ?? name);
}

/** Return the text of a layer: its files in one, with what they export under names of the layer. */
async function joinLayer(layer, members, files, place) {
	const entry = members.map((name) => {
		const { prefix, names } = place.exported.get(name);
		const list = names.map((one) => `${one} as ${prefix}${one}`).join();
		return list ? `export{${list}}from"./${name}";` : `import"./${name}";`;
	});
	const { outputFiles } = await esbuild.build({
		stdin: { contents: entry.join('\n'), resolveDir: import.meta.dirname },
		bundle: true,
		minify: place.minify,
		format: 'esm',
		target: 'es2022',
		legalComments: 'none',
		write: false,
		plugins: [
			{
				name: 'layer',
				setup(build) {
					build.onResolve({ filter: /.*/ }, ({ path: file }) => {
						const name = path.basename(file);
						return members.includes(name) ? { path: name, namespace: 'layer' } : { path: file, external: true };
					});
					build.onLoad({ filter: /.*/, namespace: 'layer' }, ({ path: name }) => ({
						contents: leadToLayers(files.get(name), layer, place),
						loader: 'js',
					}));
				},
			},
		],
	});
	return Buffer.from(outputFiles[0].contents);
}

/** Return a file with its imports of other layers' files rewritten. Raises for one that is written in another way. */
function leadToLayers(source, own, { layerOf, exported, fileOf }) {
	const rewritten = source.replace(STATIC_IMPORT, (whole, clause, name) => {
		const layer = layerOf.get(name);
		if (layer === undefined || layer === own) {
			return whole;
		}
		if (fileOf[layer] === undefined) {
			throw new Error(`A layer imports ${layer}, which stands above it.`);
		}
		const { prefix } = exported.get(name);
		const names = clause
			?.split(',')
			.map((one) => one.trim().split(' as '))
			.map(([there, here = there]) => `${prefix}${there} as ${here}`);
		return `import${names ? `{${names.join()}}from` : ''}"./${fileOf[layer]}";`;
	});
	for (const [name] of rewritten.matchAll(HASHED_NAME)) {
		if (layerOf.has(name) && layerOf.get(name) !== own) {
			throw new Error(`An import of ${name} is written in a way that the build does not know.`);
		}
	}
	return rewritten;
}

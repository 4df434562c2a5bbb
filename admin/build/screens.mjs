/** What each screen loads beyond the shell, so that the page names it and the browser asks for all of it at once. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';

const ROUTES = 'src/app/routes.ts';
const ROUTE = /^\troute\('([^']*)', \(\) => import\('([^']+)'\)(?:, \{([^}]*)\})?\),$/gm;

/**
 * Return the routes in their order, each with its scripts and style sheets.
 *
 * metafile: of the scripts. shell: names of the scripts that come with every page. stylesheets: files by their names.
 */
export async function listScreens(root, metafile, shell, stylesheets) {
	const source = await readFile(path.join(root, ROUTES), 'utf8');
	const routes = [...source.matchAll(ROUTE)];
	if (routes.length !== source.match(/^\troute\(/gm)?.length) {
		throw new Error(`A route of ${ROUTES} is not written as the others are, so its files are not known.`);
	}
	return routes.map(([, pattern, imported, options = '']) => {
		const input = findInput(metafile, path.join(path.dirname(ROUTES), imported));
		const styles = /styles: '(\w+)'/.exec(options)?.[1] ?? 'screens';
		return {
			pattern,
			scripts: listScripts(metafile, input).filter((name) => !shell.has(name)),
			styles: styles === 'shell' ? [] : [stylesheets[styles]],
		};
	});
}

function findInput(metafile, module) {
	const found = ['.tsx', '.ts', '/index.tsx', '/index.ts']
		.map((end) => module + end)
		.find((one) => metafile.inputs[one]);
	if (!found) {
		throw new Error(`${module} is not in the bundle.`);
	}
	return found;
}

/** Return the scripts of a screen, with those of its own folder that it loads later: an editor comes in two parts. */
function listScripts(metafile, input) {
	const folder = `${path.dirname(input)}/`;
	const found = new Set();
	const visit = (file) => {
		if (!found.has(file)) {
			found.add(file);
			metafile.outputs[file].imports
				.filter(({ kind }) => kind === 'import-statement')
				.forEach((one) => visit(one.path));
		}
	};
	const later = Object.keys(metafile.inputs)
		.filter((part) => part.startsWith(folder))
		.flatMap((part) => metafile.inputs[part].imports.filter(({ kind }) => kind === 'dynamic-import'))
		.map((one) => one.path)
		.filter((part) => part.startsWith(folder));
	for (const part of [input, ...later]) {
		visit(Object.entries(metafile.outputs).find(([, output]) => output.entryPoint === part)[0]);
	}
	return [...found].map((file) => path.basename(file));
}

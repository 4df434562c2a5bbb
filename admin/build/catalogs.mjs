/** Turns catalogues (`languages/*.po`, `languages/editor/*.po`) into the JSON that the browser loads for a language. */
import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';

import gettext from 'gettext-parser';

/**
 * Read every catalogue of a folder.
 *
 * prefix: of the names of their files.
 * @returns `catalogs`: the name of the file of each language; `files`: name and content of each of those.
 */
export async function readCatalogs(folder, prefix = '') {
	const catalogs = {};
	const files = [];
	for (const file of (await readdir(folder)).filter((name) => name.endsWith('.po')).sort()) {
		const { headers, translations } = gettext.po.parse(await readFile(path.join(folder, file)));
		const messages = { '': { 'plural-forms': headers['Plural-Forms'] ?? 'nplurals=2; plural=(n != 1);' } };
		for (const [context, entries] of Object.entries(translations)) {
			for (const [id, { msgstr }] of Object.entries(entries)) {
				if (id && msgstr.every(Boolean)) {
					messages[context ? `${context}\u0004${id}` : id] = msgstr;
				}
			}
		}
		const content = Buffer.from(JSON.stringify(messages));
		const language = path.basename(file, '.po');
		const name = `${prefix}${language}-${createHash('sha256').update(content).digest('hex').slice(0, 8)}.json`;
		catalogs[language] = name;
		files.push([name, content]);
	}
	return { catalogs, files };
}

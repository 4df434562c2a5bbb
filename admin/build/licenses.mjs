/** Lists the licences of everything that a build contains. */
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';

/** Return the text of `licenses.txt`: each package with its version, its licence and the licence's text. */
export async function collectLicenses(folder, metafiles) {
	const packages = new Set();
	for (const { outputs } of metafiles) {
		for (const { inputs } of Object.values(outputs)) {
			for (const input of Object.keys(inputs)) {
				// What a package leaves out for browsers is named in the build, but not contained.
				const found = input.startsWith('(disabled):') ? null : /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
				if (found) {
					packages.add(path.join(folder, found[1]));
				}
			}
		}
	}
	const texts = await Promise.all([...packages].sort().map(describePackage));
	return `The administration is licensed under GPL-2.0-or-later and contains the packages below.\n\n${texts.join('\n')}`;
}

async function describePackage(folder) {
	const { name, version, license } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
	const file = (await readdir(folder)).find((one) => /^licen[cs]e/i.test(one));
	const text = file ? await readFile(path.join(folder, file), 'utf8') : '';
	return `${'='.repeat(72)}\n${name} ${version} (${typeof license === 'string' ? license : 'see below'})\n\n${text}`;
}

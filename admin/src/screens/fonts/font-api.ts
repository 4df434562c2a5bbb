/** Families of fonts and their faces, as the interface has them. */
import { request } from '../../api/client';
import type { FontGuess } from './font-files';
import { buildSlug } from './font-files';

export const FAMILIES_PATH = '/wp/v2/font-families';

export interface FontFamily {
	id: number;
	font_faces: number[];
	font_family_settings: { name: string; slug: string; fontFamily: string };
	_embedded?: { font_faces?: FontFace[] };
}

export interface FontFace {
	id: number;
	font_face_settings: { fontWeight?: string; fontStyle?: string; src: string | string[] };
}

/** Put a file into the family of its name, which is made where it is new. known: the families that are there. */
export async function installFont(file: File, font: FontGuess, known: readonly FontFamily[]): Promise<void> {
	const slug = buildSlug(font.family);
	const family =
		known.find((one) => one.font_family_settings.slug === slug) ??
		(await request<FontFamily>(FAMILIES_PATH, {
			method: 'POST',
			body: {
				theme_json_version: 3,
				font_family_settings: JSON.stringify({ name: font.family, slug, fontFamily: `"${font.family}"` }),
			},
		}));
	const form = new FormData();
	const settings = {
		fontFamily: family.font_family_settings.fontFamily,
		fontWeight: font.weight,
		fontStyle: font.style,
		src: 'file-0',
	};
	form.append('theme_json_version', '3');
	form.append('font_face_settings', JSON.stringify(settings));
	form.append('file-0', file, file.name);
	await request(`${FAMILIES_PATH}/${String(family.id)}/font-faces`, { method: 'POST', body: form });
}

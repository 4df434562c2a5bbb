import { useSelect } from '@wordpress/data';
import { store as editorStore } from '@wordpress/editor';

import { boot } from '../../app/boot';
import { EditLock } from '../../editor/edit-lock';

/** Tells others that a template, a part or a pattern is being edited, as soon as the site has stored one of its own. */
export function TemplateLock() {
	const id = useSelect((select) => {
		const isEdited = new URLSearchParams(window.location.search).get('canvas') === 'edit';
		const record = select(editorStore).getCurrentPost() as { id?: number | string; wp_id?: number | null };
		// Templates are named by their theme; what only the theme has is no record yet.
		const number = record.wp_id ?? (typeof record.id === 'number' ? record.id : 0);
		return isEdited ? number : 0;
	}, []);
	return id ? <EditLock key={id} id={id} onBack={() => window.location.assign(`${boot.admin}/site`)} /> : null;
}

import { lazy, useEffect, useRef, useState } from 'react';

import { request } from '../../api/client';
import { forget } from '../../api/collections';
import { getCollectionPath, useContentType, type ContentType } from '../../app/content-types';
import { sprintf, t } from '../../app/i18n';
import { navigate, useContentLanguage, withContentLanguage } from '../../app/router';
import type { ScreenProps } from '../../app/routes';
import { Screen } from '../../app/screen';
import { showError } from '../../app/toasts';
import { prefetchRecord } from '../../editor/first-requests';
import { noteUntouched } from './untouched-records';

const loadRecordEditor = () => import('./record-editor');
const RecordEditor = lazy(loadRecordEditor);
// Whoever opens this screen needs it; the first requests travel meanwhile.
void loadRecordEditor();

/** Content of a new record that has blocks: the interface stores none that is empty, and the editor sees none in this. */
const EMPTY_CONTENT = '\n';

/** Writes one record: the block editor for what has blocks, its fields for the rest. */
export default function PostEditorScreen({ params }: ScreenProps) {
	const language = useContentLanguage();
	const type = useContentType(params['type'] ?? '');
	const id = Number(params['id'] ?? 0);
	const prefetched = useRef('');
	const key = `${params['type'] ?? ''} ${String(id)} ${language}`;
	if (type && id && prefetched.current !== key) {
		// Before the editor's code is here, so that both come at once.
		prefetched.current = key;
		prefetchRecord(type, id, language);
	}
	if (!type) {
		return <p className="loading">{t('Loading …')}</p>;
	}
	return id ? <RecordEditor key={key} type={type} id={id} language={language} /> : <NewRecord type={type} />;
}

/** Creates a draft and goes to it. */
function NewRecord({ type }: { type: ContentType }) {
	const language = useContentLanguage();
	const [failed, setFailed] = useState(false);
	const asked = useRef(false);
	useEffect(() => {
		if (asked.current) {
			return;
		}
		asked.current = true;
		const path = getCollectionPath(type);
		/* translators: %s: name of a content type, for example "Route" */
		const title = sprintf(t('New: %s'), type.labels['singular_name'] ?? type.name);
		const body = 'editor' in type.supports ? { content: EMPTY_CONTENT } : { title };
		request<{ id: number }>(path, { method: 'POST', language, body: { status: 'draft', ...body } }).then(
			({ id }) => {
				noteUntouched(path, id, language);
				forget(path);
				navigate(withContentLanguage(`/content/${type.slug}/${String(id)}`, language), { replace: true });
			},
			(error: unknown) => {
				showError(error);
				setFailed(true);
			},
		);
	}, [type, language]);
	return (
		<Screen title={type.labels['add_new_item'] ?? type.name}>
			<p>{failed ? t('The record could not be created.') : t('Loading …')}</p>
		</Screen>
	);
}

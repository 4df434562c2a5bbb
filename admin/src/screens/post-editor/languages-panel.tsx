import { Button, PanelBody } from '@wordpress/components';
import { useSelect } from '@wordpress/data';
import { store as editorStore } from '@wordpress/editor';
import { useState } from 'react';

import { request } from '../../api/client';
import { boot, canFor, isMultilingual } from '../../app/boot';
import { getCollectionPath, type ContentType } from '../../app/content-types';
import { sprintf, t, tx } from '../../app/i18n';
import { Link } from '../../app/link';
import { navigate, withContentLanguage } from '../../app/router';
import { showError } from '../../app/toasts';

interface Translation {
	id: number;
	status: string;
}

interface Props {
	type: ContentType;
	id: number;
}

/** The record's language, its translations, and how to begin one that is missing. */
export function LanguagesPanel({ type, id }: Props) {
	const { lang, translations } = useSelect((select) => {
		const { getCurrentPostAttribute } = select(editorStore);
		return {
			lang: getCurrentPostAttribute('lang') as string | undefined,
			translations: getCurrentPostAttribute('translations') as Record<string, Translation> | undefined,
		};
	}, []);
	const { getEditedPostAttribute, getEditedPostContent } = useSelect(editorStore);
	const [creating, setCreating] = useState('');
	if (!isMultilingual || !lang) {
		return null;
	}
	const open = (to: number, language: string): string =>
		withContentLanguage(`/content/${type.slug}/${String(to)}`, language);
	const create = (language: string): void => {
		setCreating(language);
		request<{ id: number }>(getCollectionPath(type), {
			method: 'POST',
			language,
			body: {
				status: 'draft',
				title: getEditedPostAttribute('title') as string,
				...('editor' in type.supports ? { content: getEditedPostContent() } : {}),
				...('excerpt' in type.supports ? { excerpt: getEditedPostAttribute('excerpt') as string } : {}),
				translations: { [lang]: id },
			},
		})
			.then((made) => navigate(open(made.id, language)), showError)
			.finally(() => setCreating(''));
	};
	return (
		<PanelBody title={t('Languages')}>
			<ul className="panel-list">
				{boot.languages.map(({ code, name }) => {
					const translation = translations?.[code];
					return (
						<li key={code}>
							<span lang={code}>{name}</span>
							{code === lang ? (
								<strong>{t('This one')}</strong>
							) : translation ? (
								<Link to={open(translation.id, code)}>
									{translation.status === 'publish' ? t('Open') : t('Open the draft')}
								</Link>
							) : (
								<>
									<em>{tx('Missing', 'translation')}</em>
									{canFor(type.slug, type.capabilities['create_posts'] ?? '') && (
										<Button
											size="small"
											variant="secondary"
											isBusy={creating === code}
											disabled={creating !== ''}
											/* translators: %s: name of a language */
											label={sprintf(t('Translate into %s'), name)}
											showTooltip={false}
											onClick={() => create(code)}
										>
											{t('Translate')}
										</Button>
									)}
								</>
							)}
						</li>
					);
				})}
			</ul>
		</PanelBody>
	);
}

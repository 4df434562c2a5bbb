import type { ContentType } from '../../app/content-types';
import { FieldsPanel } from './fields-panel';
import { LanguagesPanel } from './languages-panel';
import { PreviewPanel } from './preview-panel';
import { SeoPanel } from './seo-panel';

interface Props {
	type: ContentType;
	id: number;
	language: string;
}

/** What the site adds to the editor's own panels. */
export function DocumentPanels({ type, id, language }: Props) {
	return (
		<>
			<FieldsPanel type={type} id={id} language={language} />
			<LanguagesPanel type={type} id={id} />
			<SeoPanel type={type} id={id} language={language} />
			<PreviewPanel type={type} id={id} language={language} />
		</>
	);
}

import type { ContentType } from '../../app/content-types';
import { startEditor } from '../../editor/start';
import { BlockEditor } from './block-editor';

startEditor();

interface Props {
	type: ContentType;
	id: number;
	language: string;
}

export default function RecordEditor(props: Props) {
	return <BlockEditor {...props} />;
}

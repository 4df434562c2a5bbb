import type { ContentType } from '../../app/content-types';
import { registerBlocks, startEditor } from '../../editor/start';
import { BlockEditor } from './block-editor';

startEditor();
registerBlocks();

interface Props {
	type: ContentType;
	id: number;
	language: string;
}

export default function RecordEditor(props: Props) {
	return <BlockEditor {...props} />;
}

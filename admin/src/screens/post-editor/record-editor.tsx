import type { ContentType } from '../../app/content-types';
import { registerBlocks, startEditor } from '../../editor/start';
import { BlockEditor } from './block-editor';
import { FormEditor } from './form-editor';

startEditor();

interface Props {
	type: ContentType;
	id: number;
	language: string;
}

/** The editor that fits a type: that of blocks, or a form. */
export default function RecordEditor(props: Props) {
	registerBlocks();
	return 'editor' in props.type.supports ? <BlockEditor {...props} /> : <FormEditor {...props} />;
}

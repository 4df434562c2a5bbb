import { Screen } from '../../app/screen';

export default function Placeholder() {
	return <Screen title="site-editor">…</Screen>;
}

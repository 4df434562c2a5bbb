import { Screen } from '../../app/screen';

export default function Placeholder() {
	return <Screen title="menus">…</Screen>;
}

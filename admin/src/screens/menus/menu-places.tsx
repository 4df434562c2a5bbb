import { useResource } from '../../api/collections';
import { sprintf, t } from '../../app/i18n';

interface Place {
	name: string;
	description: string;
	menu: number;
}

interface Props {
	menu: number;
	chosen: readonly string[];
	onChange: (places: string[]) => void;
}

/** Where a menu is shown: the places that the profile declares. */
export function MenuPlaces({ menu, chosen, onChange }: Props) {
	const { value } = useResource<Record<string, Place>>('/wp/v2/menu-locations');
	const places = Object.entries(value ?? {});
	if (places.length === 0) {
		return value ? (
			<p className="field-help">{t('The site declares no places for menus; templates name a menu themselves.')}</p>
		) : null;
	}
	return (
		<fieldset className="menu-places">
			<legend>{t('Where it is shown')}</legend>
			{places.map(([name, place]) => (
				<label key={name} className="check">
					<input
						type="checkbox"
						checked={chosen.includes(name)}
						onChange={(event) =>
							onChange(event.target.checked ? [...chosen, name] : chosen.filter((one) => one !== name))
						}
					/>
					<span>
						{place.description || place.name}
						{place.menu !== 0 && place.menu !== menu && (
							<span className="quiet"> {sprintf(t('(now shows menu %d)'), place.menu)}</span>
						)}
					</span>
				</label>
			))}
		</fieldset>
	);
}

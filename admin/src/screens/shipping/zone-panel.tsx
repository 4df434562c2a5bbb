import { useState } from 'react';

import { IN_OWN_LANGUAGE, request } from '../../api/client';
import { useResource } from '../../api/collections';
import { ErrorNotice } from '../../app/error-notice';
import { sprintf, t } from '../../app/i18n';
import { showDone, showError } from '../../app/toasts';
import { SelectInput, TextInput } from '../../form/inputs';
import { useSmallCollection } from '../catalogue/all-items';
import { MethodRow } from './method-row';
import { ZonePlaces } from './zone-places';
import { labelMethodKind, ZONES, type MethodKind, type Zone, type ZoneMethod } from './zone';

/** A zone: what it is called, where it is, how things are sent there. */
export function ZonePanel({ zone }: { zone: Zone }) {
	const path = `${ZONES}/${String(zone.id)}`;
	const { value: methods, error } = useResource<ZoneMethod[]>(`${path}/methods`, IN_OWN_LANGUAGE);
	const { value: kinds } = useSmallCollection<MethodKind>('/wc/v3/shipping_methods', IN_OWN_LANGUAGE);
	const [kind, setKind] = useState('flat_rate');
	const isRest = zone.id === 0;

	const addMethod = (): void => {
		request(`${path}/methods`, { method: 'POST', body: { method_id: kind } }).then(
			() => showDone(t('The way of shipping is added; say what it costs.')),
			showError,
		);
	};
	const remove = (): void => {
		if (window.confirm(sprintf(t('Remove the zone %s with its ways of shipping?'), zone.name))) {
			request(path, { method: 'DELETE', query: { force: true } }).then(
				() => showDone(t('The zone is removed.')),
				showError,
			);
		}
	};
	return (
		<section className="panel" aria-labelledby={`zone-${String(zone.id)}`}>
			<h2 id={`zone-${String(zone.id)}`}>{zone.name}</h2>
			<ErrorNotice error={error} />
			{!isRest && <ZoneName zone={zone} />}
			{!isRest && <ZonePlaces path={path} zone={zone} />}
			<h3>{t('Ways of shipping')}</h3>
			{methods?.length === 0 && <p className="quiet">{t('Nothing is sent there yet.')}</p>}
			<ul className="zone-methods">
				{(methods ?? []).map((one) => (
					<MethodRow key={one.instance_id} path={`${path}/methods/${String(one.instance_id)}`} method={one} />
				))}
			</ul>
			<div className="add-line">
				<SelectInput
					label={sprintf(t('Further way to %s'), zone.name)}
					value={kind}
					options={(kinds ?? []).map(({ id, title }) => ({ value: id, label: labelMethodKind(id, title) }))}
					onChange={setKind}
				/>
				<button type="button" className="button" onClick={addMethod}>
					{t('Add')}
				</button>
				{!isRest && (
					<button type="button" className="button" onClick={remove}>
						{t('Remove the zone')}
					</button>
				)}
			</div>
		</section>
	);
}

/** What the zone is called, and its place among the others. */
function ZoneName({ zone }: { zone: Zone }) {
	const [name, setName] = useState(zone.name);
	const [order, setOrder] = useState(String(zone.order));
	const isChanged = name !== zone.name || order !== String(zone.order);
	const save = (): void => {
		request(`${ZONES}/${String(zone.id)}`, {
			method: 'POST',
			body: { name: name.trim(), order: Math.trunc(Number(order)) },
		}).then(() => showDone(t('The zone is saved.')), showError);
	};
	return (
		<div className="add-line">
			<TextInput label={t('Name of the zone')} value={name} onChange={setName} />
			<TextInput label={t('Order')} type="number" value={order} onChange={setOrder} />
			<button type="button" className="button" disabled={!isChanged || name.trim() === ''} onClick={save}>
				{t('Save')}
			</button>
		</div>
	);
}

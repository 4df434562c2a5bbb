import { useState } from 'react';

import { IN_OWN_LANGUAGE, request } from '../../api/client';
import { useResource } from '../../api/collections';
import { ErrorNotice } from '../../app/error-notice';
import { t } from '../../app/i18n';
import { showDone, showError } from '../../app/toasts';
import { CheckInput, TextInput } from '../../form/inputs';
import { dropSaved } from '../../form/schema-form';
import { DeclaredField, type DeclaredSetting } from '../catalogue/declared-field';

interface Gateway {
	id: string;
	title: string;
	description: string;
	order: number | '';
	enabled: boolean;
	method_title: string;
	method_description: string;
	settings: Record<string, DeclaredSetting>;
	needs_setup: boolean;
}

const GATEWAYS = '/wc/v3/payment_gateways';

/** The ways of paying: on or off, in which order, and what is set about each. */
export function PaymentGateways() {
	const { value, error } = useResource<Gateway[]>(GATEWAYS, IN_OWN_LANGUAGE);
	const gateways = value ?? [];
	const move = async (from: number, to: number): Promise<void> => {
		const moved = gateways[from];
		if (!moved || to < 0 || to >= gateways.length) {
			return;
		}
		const rest = gateways.filter((one) => one !== moved);
		const next = [...rest.slice(0, to), moved, ...rest.slice(to)];
		for (const [order, one] of next.entries()) {
			if (one.order !== order) {
				await request(`${GATEWAYS}/${one.id}`, { method: 'POST', body: { order } });
			}
		}
	};
	return (
		<section className="panel settings-form" aria-labelledby="gateways-title">
			<h2 id="gateways-title">{t('Ways of paying')}</h2>
			<ErrorNotice error={error} />
			<ul className="zone-methods">
				{gateways.map((one, index) => (
					<GatewayRow
						key={one.id}
						gateway={one}
						isFirst={index === 0}
						isLast={index === gateways.length - 1}
						onMove={(by) => void move(index, index + by).catch(showError)}
					/>
				))}
			</ul>
		</section>
	);
}

interface RowProps {
	gateway: Gateway;
	isFirst: boolean;
	isLast: boolean;
	onMove: (by: number) => void;
}

function GatewayRow({ gateway, isFirst, isLast, onMove }: RowProps) {
	const [edits, setEdits] = useState<Record<string, unknown>>({});
	const [description, setDescription] = useState<string | null>(null);
	const [error, setError] = useState<unknown>(null);
	const name = gateway.title || gateway.method_title;
	const path = `${GATEWAYS}/${gateway.id}`;
	const save = async (): Promise<void> => {
		try {
			const body = { settings: edits, ...(description === null ? {} : { description }) };
			await request(path, { method: 'POST', body });
			setEdits((now) => dropSaved(now, edits));
			setDescription((now) => (now === description ? null : now));
			setError(null);
			showDone(t('The way of paying is saved.'));
		} catch (problem) {
			setError(problem);
		}
	};
	return (
		<li>
			<div className="method-head">
				<CheckInput
					label={name}
					help={gateway.needs_setup ? t('It needs to be set up first.') : undefined}
					checked={gateway.enabled}
					onChange={(enabled) => {
						request(path, { method: 'POST', body: { enabled } }).then(
							() => showDone(t('The way of paying is saved.')),
							showError,
						);
					}}
				/>
				{gateway.method_title !== name && <span className="quiet">{gateway.method_title}</span>}
				<span className="picture-buttons">
					<button
						type="button"
						className="button button-small"
						aria-label={`${t('Move up')}: ${name}`}
						aria-disabled={isFirst}
						onClick={() => onMove(-1)}
					>
						↑
					</button>
					<button
						type="button"
						className="button button-small"
						aria-label={`${t('Move down')}: ${name}`}
						aria-disabled={isLast}
						onClick={() => onMove(1)}
					>
						↓
					</button>
				</span>
			</div>
			<details>
				<summary>{t('Settings')}</summary>
				<ErrorNotice error={error} />
				<p className="quiet">{gateway.method_description}</p>
				<TextInput
					label={t('Description')}
					help={t('What customers read at the checkout.')}
					rows={2}
					value={description ?? gateway.description}
					onChange={setDescription}
				/>
				{Object.values(gateway.settings).map((setting) => (
					<DeclaredField
						key={setting.id}
						setting={setting}
						value={setting.id in edits ? edits[setting.id] : setting.value}
						onChange={(value) => setEdits((before) => ({ ...before, [setting.id]: value }))}
					/>
				))}
				<div className="form-buttons">
					<button
						type="button"
						className="button button-primary"
						disabled={Object.keys(edits).length === 0 && description === null}
						onClick={() => void save()}
					>
						{t('Save')}
					</button>
				</div>
			</details>
		</li>
	);
}

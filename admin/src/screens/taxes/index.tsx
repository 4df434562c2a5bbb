import { useState } from 'react';

import { request } from '../../api/client';
import { ErrorNotice } from '../../app/error-notice';
import { t } from '../../app/i18n';
import { Link } from '../../app/link';
import { setQuery, useLocation } from '../../app/router';
import { Screen } from '../../app/screen';
import { showDone, showError } from '../../app/toasts';
import { useSmallCollection } from '../catalogue/all-items';
import { Trial } from '../catalogue/trial';
import { RateTable } from './rate-table';
import { TAXES } from './rate';

interface TaxClass {
	slug: string;
	name: string;
}

const CLASSES = `${TAXES}/classes`;

/** Tax classes with their rates, and what an address would pay. */
export default function Taxes() {
	const { query } = useLocation();
	const { value: classes, error } = useSmallCollection<TaxClass>(CLASSES);
	const chosen = query.get('class') ?? 'standard';
	const current = classes?.find((one) => one.slug === chosen);
	return (
		<Screen
			title={t('Taxes')}
			actions={
				<Link className="button" to="/shop-settings/tax">
					{t('Settings of taxes')}
				</Link>
			}
		>
			<ErrorNotice error={error} />
			<div className="view-tabs">
				<nav aria-label={t('Tax classes')}>
					{(classes ?? []).map((one) => (
						<button
							key={one.slug}
							type="button"
							aria-current={one.slug === chosen ? 'true' : undefined}
							onClick={() => setQuery({ class: one.slug === 'standard' ? '' : one.slug })}
						>
							{nameClass(one)}
						</button>
					))}
				</nav>
				<AddClass />
			</div>
			{current && <RateTable key={current.slug} taxClass={current.slug} name={nameClass(current)} />}
			{current && current.slug !== 'standard' && (
				<p>
					<button type="button" className="button" onClick={() => removeClass(current)}>
						{t('Remove this class with its rates')}
					</button>
				</p>
			)}
			<Trial
				title={t('What would this address pay?')}
				help={t('Computed as for a buyer, with the rates as they are saved. Nothing is ordered.')}
			/>
		</Screen>
	);
}

/** Return the name of a class; the one that every shop has is named by nobody. */
function nameClass({ slug, name }: TaxClass): string {
	return slug === 'standard' ? t('Standard rate') : name;
}

function AddClass() {
	const [name, setName] = useState('');
	const add = async (): Promise<void> => {
		try {
			const made = await request<TaxClass>(CLASSES, { method: 'POST', body: { name: name.trim() } });
			setName((now) => (now === name ? '' : now));
			setQuery({ class: made.slug });
			showDone(t('The tax class is made.'));
		} catch (error) {
			showError(error);
		}
	};
	return (
		<form
			onSubmit={(event) => {
				event.preventDefault();
				void add();
			}}
		>
			<label>
				<span className="visually-hidden">{t('Name of a new class')}</span>
				<input value={name} placeholder={t('Name of a new class')} onChange={(event) => setName(event.target.value)} />
			</label>
			<button type="submit" className="button" disabled={name.trim() === ''}>
				{t('Add')}
			</button>
		</form>
	);
}

function removeClass(one: TaxClass): void {
	if (window.confirm(t('Remove this class? Its rates go with it.'))) {
		request(`${CLASSES}/${one.slug}`, { method: 'DELETE', query: { force: true } }).then(() => {
			setQuery({ class: '' });
			showDone(t('The tax class is removed.'));
		}, showError);
	}
}

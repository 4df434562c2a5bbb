import { useState } from 'react';

import { request } from '../../api/client';
import { ErrorNotice } from '../../app/error-notice';
import { t } from '../../app/i18n';
import { Link } from '../../app/link';
import type { ScreenProps } from '../../app/routes';
import { Screen } from '../../app/screen';
import { showDone, showError } from '../../app/toasts';
import { useSmallCollection } from '../catalogue/all-items';
import { ATTRIBUTES, AttributeScreen, type Attribute } from './attribute-screen';

/** The attributes that products share, and the values of each. */
export default function Attributes({ params }: ScreenProps) {
	const id = params['id'];
	return id === undefined ? <AttributeList /> : <AttributeScreen key={id} id={id} />;
}

function AttributeList() {
	const { value, error } = useSmallCollection<Attribute>(ATTRIBUTES);
	const [name, setName] = useState('');
	const add = async (): Promise<void> => {
		try {
			await request(ATTRIBUTES, { method: 'POST', body: { name: name.trim() } });
			setName((now) => (now === name ? '' : now));
			showDone(t('The attribute is made; give it values.'));
		} catch (problem) {
			showError(problem);
		}
	};
	return (
		<Screen title={t('Attributes')}>
			<ErrorNotice error={error} />
			<section className="panel record-form">
				<p className="quiet">{t('What many products have, such as a size or a colour: visitors filter by it.')}</p>
				<ul className="plain-list">
					{(value ?? []).map((one) => (
						<li key={one.id}>
							<Link to={`/attributes/${String(one.id)}`}>{one.name}</Link>
							<code>{one.slug}</code>
						</li>
					))}
				</ul>
				<form
					className="add-line"
					onSubmit={(event) => {
						event.preventDefault();
						void add();
					}}
				>
					<label className="field">
						<span>{t('Name of a new attribute')}</span>
						<input className="input" value={name} onChange={(event) => setName(event.target.value)} />
					</label>
					<button type="submit" className="button" disabled={name.trim() === ''}>
						{t('Add')}
					</button>
				</form>
			</section>
		</Screen>
	);
}

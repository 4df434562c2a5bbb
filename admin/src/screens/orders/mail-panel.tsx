import { useState } from 'react';

import { request } from '../../api/client';
import { useResource } from '../../api/collections';
import { t } from '../../app/i18n';
import { showDone, showError } from '../../app/toasts';
import { Field } from '../../form/field';
import { getOrderPath, type Order } from './order';
import { SidePanel } from './side-panel';

interface Template {
	id: string;
	title: string;
	description: string;
}

/** Sends one of the mails that fit an order, again. */
export function MailPanel({ order }: { order: Order }) {
	const path = `${getOrderPath(order.id)}/actions`;
	const { value: templates } = useResource<Template[]>(`${path}/email_templates`);
	const [chosen, setChosen] = useState('');
	const [sending, setSending] = useState(false);
	const template = templates?.find(({ id }) => id === chosen) ?? templates?.[0];
	if (!template) {
		return null;
	}
	const address = order.billing.email;
	const send = (): void => {
		setSending(true);
		request<{ message: string }>(`${path}/send_email`, { method: 'POST', body: { template_id: template.id } })
			.then(() => showDone(`${t('The mail is on its way to:')} ${address ?? ''}`), showError)
			.finally(() => setSending(false));
	};
	return (
		<SidePanel title={t('Send a mail')}>
			<form
				onSubmit={(event) => {
					event.preventDefault();
					send();
				}}
			>
				<Field label={t('Which mail')} help={template.description}>
					{(control) => (
						<select {...control} value={template.id} onChange={(event) => setChosen(event.target.value)}>
							{templates?.map(({ id, title }) => (
								<option key={id} value={id}>
									{title}
								</option>
							))}
						</select>
					)}
				</Field>
				<div className="form-buttons">
					<button type="submit" className="button" disabled={sending || !address}>
						{t('Send')}
					</button>
					{!address && <p className="quiet">{t('The billing address has no e-mail address.')}</p>}
				</div>
			</form>
		</SidePanel>
	);
}

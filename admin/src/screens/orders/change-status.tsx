import { useState } from 'react';

import { sprintf, t, tn } from '../../app/i18n';
import { StatusSelect } from './order-status';

interface Props {
	count: number;
	onChoose: (status: string) => void;
	onCancel: () => void;
}

/** Asks for the status that some orders get. */
export function ChangeStatus({ count, onChoose, onCancel }: Props) {
	const [status, setStatus] = useState('completed');
	return (
		<form
			className="confirm"
			onSubmit={(event) => {
				event.preventDefault();
				onChoose(status);
			}}
		>
			<StatusSelect
				label={sprintf(tn('Status of %d order', 'Status of %d orders', count), count)}
				value={status}
				onChange={setStatus}
			/>
			<p className="quiet">{t('Stock and mails follow the status, as if it were changed in each order.')}</p>
			<div className="confirm-buttons">
				<button type="button" className="button" onClick={onCancel}>
					{t('Cancel')}
				</button>
				<button type="submit" className="button button-primary">
					{t('Change')}
				</button>
			</div>
		</form>
	);
}

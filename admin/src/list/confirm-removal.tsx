import { sprintf, t, tn } from '../app/i18n';

interface Props {
	names: string[];
	onConfirm: () => void;
	onCancel: () => void;
}

/** Asks before records are removed that nothing brings back. */
export function ConfirmRemoval({ names, onConfirm, onCancel }: Props) {
	return (
		<div className="confirm">
			<p>{sprintf(tn('Remove this for good?', 'Remove these %d for good?', names.length), names.length)}</p>
			<ul>
				{names.slice(0, 5).map((name, index) => (
					<li key={index}>{name || t('(no title)')}</li>
				))}
				{names.length > 5 && <li>…</li>}
			</ul>
			<div className="confirm-buttons">
				<button type="button" className="button" onClick={onCancel}>
					{t('Cancel')}
				</button>
				<button type="button" className="button button-danger" onClick={onConfirm}>
					{t('Remove for good')}
				</button>
			</div>
		</div>
	);
}

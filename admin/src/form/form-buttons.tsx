import { t } from '../app/i18n';

interface Props {
	/** Whether anything is not saved yet. */
	changed: boolean;
	saving?: boolean;
	label?: string;
	/** Whether it can be saved; as soon as something was changed where it is left out. */
	ready?: boolean;
	/** Whether it stays in sight while a long form moves. */
	sticky?: boolean;
}

/** Saves a form, and says in words and for screen readers that it is not saved yet. */
export function FormButtons({ changed, saving = false, label = t('Save'), ready = changed, sticky = false }: Props) {
	return (
		<div className={sticky ? 'form-buttons form-buttons-sticky' : 'form-buttons'}>
			<button type="submit" className="button button-primary" disabled={saving || !ready}>
				{saving ? t('Saving …') : label}
			</button>
			{changed && (
				<p className="quiet" role="status">
					{t('Not saved yet.')}
				</p>
			)}
		</div>
	);
}

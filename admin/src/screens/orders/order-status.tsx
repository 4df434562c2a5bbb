/** The statuses of orders: their names, and which a person can give one. */
import { tx } from '../../app/i18n';

const NAMES: Record<string, () => string> = {
	pending: () => tx('Pending payment', 'order status'),
	processing: () => tx('Processing', 'order status'),
	'on-hold': () => tx('On hold', 'order status'),
	completed: () => tx('Completed', 'order status'),
	cancelled: () => tx('Cancelled', 'order status'),
	refunded: () => tx('Refunded', 'order status'),
	failed: () => tx('Failed', 'order status'),
	'checkout-draft': () => tx('Not placed yet', 'order status'),
	trash: () => tx('In the trash', 'order status'),
};

/** The statuses of an order that was placed. */
export const PLACED_STATUSES = ['pending', 'processing', 'on-hold', 'completed', 'cancelled', 'refunded', 'failed'];

export function labelStatus(status: string): string {
	return NAMES[status]?.() ?? status;
}

/** A status in words, on a colour of its own. */
export function StatusLabel({ status }: { status: string }) {
	return <span className={`order-status order-status-${status}`}>{labelStatus(status)}</span>;
}

interface SelectProps {
	label: string;
	value: string;
	onChange: (status: string) => void;
}

/** The choice of a status. */
export function StatusSelect({ label, value, onChange }: SelectProps) {
	const statuses = PLACED_STATUSES.includes(value) ? PLACED_STATUSES : [value, ...PLACED_STATUSES];
	return (
		<label className="inline-field">
			<span>{label}</span>
			<select className="input" value={value} onChange={(event) => onChange(event.target.value)}>
				{statuses.map((status) => (
					<option key={status} value={status}>
						{labelStatus(status)}
					</option>
				))}
			</select>
		</label>
	);
}

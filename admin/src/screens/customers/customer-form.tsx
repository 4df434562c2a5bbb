import { useMemo, useState } from 'react';
import { flushSync } from 'react-dom';

import { request } from '../../api/client';
import { getArguments, useDeclaration } from '../../api/declarations';
import { ErrorNotice } from '../../app/error-notice';
import { t } from '../../app/i18n';
import { Link } from '../../app/link';
import { navigate } from '../../app/router';
import { Screen } from '../../app/screen';
import { showDone } from '../../app/toasts';
import { ConflictNotice } from '../../form/conflict-notice';
import { FormButtons } from '../../form/form-buttons';
import { useGuardedRecord } from '../../form/guarded-record';
import { useLeaveWarning } from '../../form/record-form';
import { SchemaForm, useEdits } from '../../form/schema-form';
import { readText, type Collection, type Item } from '../../list/collection';
import { buildFields } from '../../list/fields';
import { AddressForm, buildEmptyAddress } from '../orders/address-form';
import { formatName, writeAddress, type Address } from '../orders/order';
import { SidePanel } from '../orders/side-panel';
import { CustomerOrders } from './customer-orders';

interface Props {
	collection: Collection;
	/** Of the customer, `new` for one that is not there yet. */
	id: string;
}

const EMPTY: Item = { id: '', billing: { ...buildEmptyAddress(), email: '' }, shipping: buildEmptyAddress() };

/** One customer: names and account, both addresses, and what was bought. */
export function CustomerForm({ collection, id }: Props) {
	const isNew = id === 'new';
	const { value: declaration } = useDeclaration(collection.path);
	const guarded = useGuardedRecord<Item>(isNew ? null : `${collection.path}/${id}`, { context: 'edit' });
	const { record } = guarded;
	const { item, edits, change, clear } = useEdits(isNew ? EMPTY : record);
	const [error, setError] = useState<unknown>(null);
	const [making, setMaking] = useState(false);
	const saving = making || guarded.saving;
	const changed = Object.keys(edits).length > 0;
	const isOutdated = guarded.findConflict(changed && !isNew);
	useLeaveWarning(changed);
	const fields = useMemo(
		() =>
			declaration?.schema
				? buildFields(collection, declaration.schema.properties, getArguments(declaration, 'GET'))
				: [],
		[collection, declaration],
	);
	// A user name is chosen once.
	const members = (collection.form ?? []).filter((name) => isNew || name !== 'username');

	const save = async (overwrite = false): Promise<void> => {
		setMaking(isNew);
		const billing = edits['billing']
			? { billing: writeAddress(edits['billing'] as Address, record?.['billing'] as Address | undefined) }
			: {};
		try {
			const body = { ...edits, ...billing };
			const saved = isNew
				? await request<Item>(collection.path, { method: 'POST', body })
				: await guarded.save(body, overwrite);
			setError(null);
			if (!saved) {
				return;
			}
			flushSync(clear);
			showDone(t('Saved.'));
			if (isNew) {
				navigate(`/customers/${String(saved.id)}`, { replace: true });
			}
		} catch (problem) {
			setError(problem);
		} finally {
			setMaking(false);
		}
	};
	const title = isNew
		? `${t('Add')}: ${collection.singular}`
		: (item && (formatName(item as Partial<Address>) || readText(item['username']))) || collection.singular;
	const address = (kind: 'billing' | 'shipping') => (
		<SidePanel title={kind === 'billing' ? t('Billing address') : t('Shipping address')}>
			<AddressForm
				address={item?.[kind] as Address}
				withEmail={kind === 'billing'}
				onChange={(changes) => change({ [kind]: { ...(item?.[kind] as Address), ...changes } })}
			/>
		</SidePanel>
	);
	return (
		<Screen
			title={title}
			actions={
				<Link className="button" to="/customers">
					{t('Back to the list')}
				</Link>
			}
		>
			<ErrorNotice error={guarded.missing} />
			{isOutdated && (
				<ConflictNotice
					savedGmt={record?.['date_modified_gmt'] as string | undefined}
					saving={saving}
					onTakeTheirs={() => {
						clear();
						guarded.takeTheirs();
					}}
					onKeepMine={() => void save(true)}
				/>
			)}
			{item && (
				<div className="order-screen">
					<form
						className="order-main"
						onSubmit={(event) => {
							event.preventDefault();
							void save();
						}}
					>
						<SidePanel title={t('Account')}>
							<SchemaForm
								fields={fields}
								members={members}
								item={item}
								onChange={change}
								error={error}
								faultMembers={collection.faultMembers}
							/>
						</SidePanel>
						{address('billing')}
						{address('shipping')}
						<FormButtons changed={changed} saving={saving} ready={changed && !isOutdated} />
					</form>
					<div className="order-side">{!isNew && <CustomerOrders id={Number(id)} />}</div>
				</div>
			)}
		</Screen>
	);
}

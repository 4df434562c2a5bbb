import { useMemo } from 'react';

import { useChanges } from '../../api/changes';
import { t } from '../../app/i18n';
import { Link } from '../../app/link';
import type { ScreenProps } from '../../app/routes';
import { ListView } from '../../list/list-view';
import { buildProductCollection } from './collection';
import { ExportButton } from './export-button';
import { ProductForm } from './product-form';

/** The products of the shop: their list, and the form of one. */
export default function Products({ params }: ScreenProps) {
	const id = params['id'];
	return id === undefined ? <ProductList /> : <ProductForm key={id} id={id} />;
}

const NOTHING = (): void => undefined;

function ProductList() {
	const collection = useMemo(buildProductCollection, []);
	// Stock moves with every order: what is kept of a changed product is asked for again.
	useChanges(['product'], NOTHING);
	return (
		<ListView
			collection={collection}
			tools={
				<>
					<Link className="button" to="/products/import">
						{t('Import CSV')}
					</Link>
					<ExportButton collection={collection} />
				</>
			}
		/>
	);
}

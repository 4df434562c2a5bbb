import { Button } from '@wordpress/components';
import { chevronLeft } from '@wordpress/icons';

import { boot } from '../../app/boot';
import type { ContentType } from '../../app/content-types';
import { navigate, withContentLanguage } from '../../app/router';
import { BackButton } from '../../editor/private-apis';

interface Props {
	type: ContentType;
	language: string;
}

/** Leads from the editor to the list of its records. */
export function ListButton({ type, language }: Props) {
	const to = withContentLanguage(`/content/${type.slug}`, language);
	return (
		<BackButton>
			{({ length }) =>
				length <= 1 && (
					<Button
						size="compact"
						icon={chevronLeft}
						label={type.labels['all_items'] ?? type.name}
						href={boot.admin + to}
						onClick={(event: { preventDefault: () => void; metaKey: boolean; ctrlKey: boolean }) => {
							if (!event.metaKey && !event.ctrlKey) {
								event.preventDefault();
								navigate(to);
							}
						}}
					/>
				)
			}
		</BackButton>
	);
}

import { useState } from 'react';

import { request } from '../../api/client';
import { useCollection } from '../../api/collections';
import { ErrorNotice } from '../../app/error-notice';
import { Dialog } from '../../app/dialog';
import { FileButton } from '../../app/file-button';
import { sprintf, t, tn } from '../../app/i18n';
import { Screen } from '../../app/screen';
import { showDone, showError } from '../../app/toasts';
import { FAMILIES_PATH, type FontFamily } from './font-api';
import { FONT_ENDINGS } from './font-files';
import { FontSample } from './font-sample';
import { InstallFonts } from './install-fonts';

/** The fonts of the site: families with their faces, new ones from files. */
export default function Fonts() {
	const { value, error } = useCollection<FontFamily>(FAMILIES_PATH, { per_page: 100, _embed: 'font_faces' });
	const [files, setFiles] = useState<File[]>([]);
	const [removing, setRemoving] = useState<{ path: string; name: string } | null>(null);
	const families = value?.items ?? [];
	const remove = (): void => {
		if (removing) {
			request(removing.path, { method: 'DELETE', query: { force: true } }).then(
				() => showDone(sprintf(t('%s is removed.'), removing.name)),
				showError,
			);
			setRemoving(null);
		}
	};
	return (
		<Screen
			title={t('Fonts')}
			actions={
				<FileButton
					label={t('Add font files')}
					className="button button-primary"
					accept={FONT_ENDINGS}
					multiple
					onFiles={setFiles}
				/>
			}
		>
			<ErrorNotice error={error} />
			{value && families.length === 0 && (
				<p className="panel">{t('No font is installed. Add files that end in woff2, woff, ttf or otf.')}</p>
			)}
			<div className="font-families">
				{families.map((family) => {
					const { name } = family.font_family_settings;
					const path = `${FAMILIES_PATH}/${String(family.id)}`;
					const faces = family._embedded?.font_faces ?? [];
					return (
						<section key={family.id} className="panel" aria-label={name}>
							<header className="font-head">
								<h2>{name}</h2>
								<span className="quiet">{sprintf(tn('%d face', '%d faces', faces.length), faces.length)}</span>
								<button
									type="button"
									className="button button-danger"
									aria-label={sprintf(t('Remove %s'), name)}
									onClick={() => setRemoving({ path, name })}
								>
									{t('Remove')}
								</button>
							</header>
							<ul className="plain-list">
								{faces.map((face) => (
									<li key={face.id}>
										<FontSample family={family} face={face} />
										<button
											type="button"
											className="button"
											aria-label={sprintf(
												t('Remove %1$s, %2$s'),
												name,
												`${face.font_face_settings.fontWeight ?? ''} ${face.font_face_settings.fontStyle ?? ''}`,
											)}
											onClick={() => setRemoving({ path: `${path}/font-faces/${String(face.id)}`, name })}
										>
											{t('Remove')}
										</button>
									</li>
								))}
							</ul>
						</section>
					);
				})}
			</div>
			{files.length > 0 && <InstallFonts files={files} onClose={() => setFiles([])} />}
			{removing && (
				<Dialog title={sprintf(t('Remove %s?'), removing.name)} onClose={() => setRemoving(null)}>
					<p>{t('Texts that are set in it fall back to another font.')}</p>
					<div className="form-buttons">
						<button type="button" className="button" onClick={() => setRemoving(null)}>
							{t('Keep it')}
						</button>
						<button type="button" className="button button-danger" onClick={remove}>
							{t('Remove for good')}
						</button>
					</div>
				</Dialog>
			)}
		</Screen>
	);
}

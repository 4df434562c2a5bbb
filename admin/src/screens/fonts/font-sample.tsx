import { useEffect, useState } from 'react';

import { tx } from '../../app/i18n';
import type { FontFace as Face, FontFamily } from './font-api';

/** A line set in a face. */
export function FontSample({ family, face }: { family: FontFamily; face: Face }) {
	const { fontWeight = '400', fontStyle = 'normal', src } = face.font_face_settings;
	const address = Array.isArray(src) ? src[0] : src;
	const name = `sample-${String(face.id)}`;
	const [loaded, setLoaded] = useState(false);
	useEffect(() => {
		// The page's policy admits no font of another host.
		if (!address || new URL(address, window.location.href).origin !== window.location.origin) {
			return undefined;
		}
		const font = new FontFace(name, `url(${JSON.stringify(address)})`, { weight: fontWeight, style: fontStyle });
		let left = false;
		font.load().then(
			() => {
				document.fonts.add(font);
				if (!left) {
					setLoaded(true);
				}
			},
			// A face whose file is gone is shown in the font of the page.
			() => undefined,
		);
		return () => {
			left = true;
			document.fonts.delete(font);
		};
	}, [address, name, fontWeight, fontStyle]);
	return (
		<span className="font-sample">
			<span style={loaded ? { fontFamily: name, fontWeight, fontStyle } : { fontFamily: 'inherit' }}>
				{tx('The quick brown fox jumps over the lazy dog', 'sample of a font')}
			</span>
			<span className="quiet">
				{family.font_family_settings.name}, {fontWeight}, {fontStyle}
			</span>
		</span>
	);
}

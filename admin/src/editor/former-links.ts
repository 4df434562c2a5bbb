/** Links that the editor's packages make to addresses of the system that they were written for. */
import { navigate, withContentLanguage } from '../app/router';
import { getRequestLanguage } from './api-fetch';

/** Let such links lead to the screens of the administration. */
export function followFormerLinks(): void {
	window.addEventListener(
		'click',
		(event) => {
			const link = event.target instanceof Element ? event.target.closest('.whole a[href]') : null;
			const to = link instanceof HTMLAnchorElement ? findScreen(new URL(link.href)) : null;
			if (to !== null) {
				event.preventDefault();
				event.stopPropagation();
				navigate(withContentLanguage(to, getRequestLanguage()));
			}
		},
		true,
	);
}

/** Return the path of the screen that a former address stands for, null where it is none. */
function findScreen({ pathname, searchParams, origin }: URL): string | null {
	if (origin !== window.location.origin) {
		return null;
	}
	const type = searchParams.get('post_type') ?? 'post';
	switch (pathname.split('/').pop()) {
		case 'post-new.php':
			return `/content/${type}/new`;
		case 'edit.php':
			return type === 'wp_block' ? '/records/patterns' : `/content/${type}`;
		case 'post.php':
			return `/content/${type}/${searchParams.get('post') ?? ''}`;
		case 'site-editor.php':
			return '/site';
		default:
			return null;
	}
}

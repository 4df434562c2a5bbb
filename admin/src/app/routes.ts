/** The screens: each is a folder of `screens/`, loaded when it is first opened. */
import { lazy, type ComponentType, type LazyExoticComponent } from 'react';

import { matchPath } from './router';
import { loadStylesheet } from './styles';

/** What a screen is given: the parameters of its path. */
export interface ScreenProps {
	params: Record<string, string>;
}

export interface ScreenRoute {
	pattern: string;
	screen: LazyExoticComponent<ComponentType<ScreenProps>>;
	/** Whether it takes the whole window, as the editors do. */
	whole?: boolean;
}

type ScreenModule = { default: ComponentType<ScreenProps> };

function route(
	pattern: string,
	load: () => Promise<ScreenModule>,
	{ whole = false, styles = 'screens' }: { whole?: boolean; styles?: keyof typeof STYLESHEETS } = {},
): ScreenRoute {
	return {
		pattern,
		whole,
		screen: lazy(async () => {
			const [module] = await Promise.all([load(), loadStylesheet(styles)]);
			return module;
		}),
	};
}

/** In one form each: the build reads from here which files a screen needs (build/screens.mjs). */
export const ROUTES: readonly ScreenRoute[] = [
	route('', () => import('../screens/dashboard'), { styles: 'shell' }),
	route('/content/:type', () => import('../screens/content')),
	route('/content/:type/new', () => import('../screens/post-editor'), { whole: true, styles: 'editor' }),
	route('/content/:type/:id', () => import('../screens/post-editor'), { whole: true, styles: 'editor' }),
	route('/site', () => import('../screens/site-editor'), { whole: true, styles: 'editor' }),
	route('/records/:collection', () => import('../screens/records')),
	route('/records/:collection/:id', () => import('../screens/records')),
	route('/translate/job/:number', () => import('../screens/translate/job-screen')),
	route('/translate/:type/:id', () => import('../screens/translate')),
	route('/languages', () => import('../screens/languages')),
	route('/languages/strings', () => import('../screens/strings')),
	route('/profile', () => import('../screens/profile')),
	route('/media', () => import('../screens/media')),
	route('/media/:id', () => import('../screens/media')),
	route('/menus', () => import('../screens/menus')),
	route('/menus/:id', () => import('../screens/menus')),
	route('/settings', () => import('../screens/settings')),
	route('/settings/:page', () => import('../screens/settings')),
	route('/jobs', () => import('../screens/jobs')),
	route('/audit', () => import('../screens/audit')),
	route('/moving', () => import('../screens/moving')),
	route('/backups', () => import('../screens/backups')),
	route('/health', () => import('../screens/health')),
	route('/site-profile', () => import('../screens/site-profile')),
	route('/connector', () => import('../screens/connector')),
	route('/fonts', () => import('../screens/fonts')),
	route('/orders', () => import('../screens/orders')),
	route('/orders/new', () => import('../screens/orders/new-order')),
	route('/orders/:id', () => import('../screens/orders/order-screen')),
	route('/orders/:id/print', () => import('../screens/orders/print'), { whole: true }),
	route('/customers', () => import('../screens/customers')),
	route('/customers/:id', () => import('../screens/customers')),
	route('/products', () => import('../screens/products')),
	route('/products/import', () => import('../screens/products/import')),
	route('/products/:id', () => import('../screens/products')),
	route('/attributes', () => import('../screens/attributes')),
	route('/attributes/:id', () => import('../screens/attributes')),
	route('/coupons', () => import('../screens/coupons')),
	route('/coupons/:id', () => import('../screens/coupons')),
	route('/taxes', () => import('../screens/taxes')),
	route('/shipping', () => import('../screens/shipping')),
	route('/shop-settings/:group', () => import('../screens/shop-settings')),
	route('/reports', () => import('../screens/reports'), { styles: 'reports' }),
	route('/reports/:report', () => import('../screens/reports'), { styles: 'reports' }),
];

/** Return the screen of a path with its parameters, null for none. */
export function findRoute(path: string): { route: ScreenRoute; params: Record<string, string> } | null {
	for (const one of ROUTES) {
		const params = matchPath(one.pattern, path);
		if (params) {
			return { route: one, params };
		}
	}
	return null;
}

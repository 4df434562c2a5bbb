/**
 * How the lists of the site editor begin: its route `/wp/v2/view-config`, answered here.
 *
 * It is about screens, not about content, so the interface has no such route.
 */
import { t, tx } from '../app/i18n';

interface ViewConfig {
	default_view: Record<string, unknown>;
	default_layouts: Record<string, unknown>;
	view_list: { slug: string; title: string; view?: Record<string, unknown> }[];
	form?: Record<string, unknown>;
}

const LAYOUTS = {
	table: {},
	grid: { layout: { previewSize: 230 } },
	list: {},
};
const TITLE_FIELDS = ['title', 'author', 'status'];

/** Return the configuration of a list, null where the path asks for something else. */
export function findViewConfig(path: string): ViewConfig | null {
	if (!path.startsWith('/wp/v2/view-config')) {
		return null;
	}
	const name = new URLSearchParams(path.split('?')[1] ?? '').get('name') ?? '';
	const found = CONFIGS[name];
	return found ? found() : buildConfig('table', TITLE_FIELDS, []);
}

function buildConfig(type: string, fields: string[], views: ViewConfig['view_list']): ViewConfig {
	return {
		default_view: {
			type,
			search: '',
			filters: [],
			page: 1,
			perPage: 20,
			sort: { field: 'title', direction: 'asc' },
			titleField: 'title',
			mediaField: 'preview',
			fields,
			layout: (LAYOUTS as Record<string, { layout?: unknown }>)[type]?.layout ?? {},
		},
		default_layouts: LAYOUTS,
		view_list: views,
	};
}

const CONFIGS: Record<string, () => ViewConfig> = {
	page: () => {
		const config = buildConfig(
			'list',
			['author', 'status'],
			[
				{ slug: 'all', title: t('All pages') },
				...(
					[
						['published', t('Published'), 'publish'],
						['future', t('Scheduled'), 'future'],
						['drafts', t('Drafts'), 'draft'],
						['pending', t('Pending'), 'pending'],
						['private', tx('Private', 'pages'), 'private'],
						['trash', t('Trash'), 'trash'],
					] as const
				).map(([slug, title, status]) => ({
					slug,
					title,
					view: { filters: [{ field: 'status', operator: 'isAny', value: [status], isLocked: true }] },
				})),
			],
		);
		return { ...config, default_view: { ...config.default_view, mediaField: 'featured_media', showLevels: true } };
	},
	wp_template: () => buildConfig('grid', ['author', 'description'], [{ slug: 'all', title: t('All templates') }]),
	wp_template_part: () =>
		buildConfig(
			'grid',
			[],
			[
				{ slug: 'all-parts', title: t('All template parts') },
				{ slug: 'header', title: t('Header') },
				{ slug: 'footer', title: t('Footer') },
				{ slug: 'sidebar', title: t('Sidebar') },
				{ slug: 'uncategorized', title: t('General') },
			],
		),
	wp_block: () => buildConfig('grid', ['sync-status'], [{ slug: 'my-patterns', title: t('My patterns') }]),
	site: () => ({
		...buildConfig('table', [], []),
		form: { layout: { type: 'regular' }, fields: ['title', 'description', 'site_logo', 'site_icon'] },
	}),
};

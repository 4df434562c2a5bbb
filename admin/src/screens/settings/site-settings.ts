/** The settings of the site as the interface has them. */
import type { Item } from '../../list/collection';

export interface SiteSettings extends Item {
	title: string;
	description: string;
	url: string;
	email: string;
	timezone: string;
	date_format: string;
	time_format: string;
	start_of_week: number;
	language: string;
	use_smilies: boolean;
	default_category: number;
	default_post_format: string;
	posts_per_page: number;
	show_on_front: string;
	page_on_front: number;
	page_for_posts: number;
	default_ping_status: string;
	default_comment_status: string;
	site_logo: number | null;
	site_icon: number;
}

export const SETTINGS_PATH = '/wp/v2/settings';

/** What a group of settings is given. */
export interface GroupProps {
	settings: SiteSettings;
	change: (changes: Partial<SiteSettings>) => void;
	error: unknown;
}

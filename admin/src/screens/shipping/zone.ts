/** Zones of shipping and what is in them, as the interface sends them. */
import { tx } from '../../app/i18n';
import type { DeclaredSetting } from '../catalogue/declared-field';

export const ZONES = '/wc/v3/shipping/zones';

export interface Zone {
	id: number;
	name: string;
	order: number;
}

export interface ZonePlace {
	code: string;
	type: string;
}

export interface ZoneMethod {
	instance_id: number;
	title: string;
	order: number;
	enabled: boolean;
	method_id: string;
	method_title: string;
	method_description: string;
	settings: Record<string, DeclaredSetting>;
}

export interface MethodKind {
	id: string;
	title: string;
	description: string;
}

/** Return what a kind of shipping is called in the person's language. title: as the interface calls it. */
export function labelMethodKind(kind: string, title: string): string {
	switch (kind) {
		case 'flat_rate':
			return tx('Flat rate', 'shipping');
		case 'free_shipping':
			return tx('Free shipping', 'shipping');
		case 'local_pickup':
		case 'pickup_location':
			return tx('Local pickup', 'shipping');
		default:
			return title;
	}
}

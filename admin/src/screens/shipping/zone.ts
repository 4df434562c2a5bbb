/** Zones of shipping and what is in them, as the interface sends them. */
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

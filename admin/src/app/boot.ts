/** What the server says with the page: who is signed in, which site this is, where the interface answers. */

export interface Language {
	code: string;
	name: string;
	default: boolean;
}

export interface Person {
	id: number;
	name: string;
	login: string;
	roles: string[];
	capabilities: Record<string, boolean>;
	/** Capabilities that count for some content types and languages only; null for all of them. */
	grants: { capabilities: string[]; types: string[] | null; languages: string[] | null }[];
}

/** What the shop says of itself. */
export interface ShopData {
	/** Code of its currency, `EUR`. */
	currency: string;
	/** Decimals of the amounts that are shown. */
	decimals: number;
	/** Country of the shop, with its state behind a colon: `IT:TO`. */
	country: string;
	weightUnit: string;
	dimensionUnit: string;
	calculatesTaxes: boolean;
	usesCoupons: boolean;
}

export interface Boot {
	/** Path of the interface's internal root, without a language and without a slash at its end. */
	api: string;
	/** Path of the administration, without a slash at its end. */
	admin: string;
	/** Path of the site's home page. */
	home: string;
	/** Path of the built files, with a slash at its end. */
	assets: string;
	nonce: string;
	/** Language of the administration's own texts. */
	locale: string;
	version: string;
	site: {
		title: string;
		url: string;
		timezone: string;
		dateFormat: string;
		timeFormat: string;
		startOfWeek: number;
		profile: string;
	};
	/** Languages of the content; one where the site is not multilingual. */
	languages: Language[];
	/** Modules of the site's profile. */
	modules: string[];
	/** What modules say of themselves. */
	moduleData: { shop?: ShopData };
	/** Who translates besides people: `machine`, `ate`, `agency`. */
	translationServices: string[];
	/** The roles that accounts can have; none for those who give nobody a role. */
	roles: { name: string; label: string }[];
	user: Person;
}

function readBoot(): Boot {
	const text = document.getElementById('boot')?.textContent;
	if (!text) {
		throw new Error('The page carries no boot data.');
	}
	return JSON.parse(text) as Boot;
}

export const boot: Boot = readBoot();

export const defaultLanguage: string = (boot.languages.find((one) => one.default) ?? boot.languages[0])?.code ?? 'en';

export const isMultilingual: boolean = boot.languages.length > 1;

/** Return whether the person has a capability. What is hidden by it is refused by the server as well. */
export function can(capability: string): boolean {
	return boot.user.capabilities[capability] === true;
}

/** Return whether the person has a capability for any content of a type. */
export function canFor(type: string, capability: string): boolean {
	return (
		can(capability) ||
		boot.user.grants.some(
			(one) => one.capabilities.includes(capability) && (one.types === null || one.types.includes(type)),
		)
	);
}

/** Return whether the person has a capability for any content at all. */
export function canSomewhere(capability: string): boolean {
	return can(capability) || boot.user.grants.some((one) => one.capabilities.includes(capability));
}

/** Whether the person makes translation jobs and hands them out. */
export function managesTranslation(): boolean {
	return can('manage_translations') || boot.user.roles.includes('administrator');
}

/** Whether the person translates, or manages those who do. */
export function translates(): boolean {
	return canSomewhere('translate') || managesTranslation();
}

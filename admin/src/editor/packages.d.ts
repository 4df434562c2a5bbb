/** What is used of those packages of the editor that carry no types. */
declare module '@wordpress/block-library' {
	export function registerCoreBlocks(): void;
}
declare module '@wordpress/block-editor' {
	import type { StoreDescriptor } from '@wordpress/data';

	export const store: StoreDescriptor;
}
declare module '@wordpress/commands' {
	import type { ComponentType } from 'react';

	export const CommandMenu: ComponentType;
	export function useCommands(
		commands: { name: string; label: string; icon?: unknown; callback: (options: { close: () => void }) => void }[],
	): void;
}
declare module '@wordpress/edit-site' {
	import type { StoreDescriptor } from '@wordpress/data';
	import type { Root } from 'react-dom/client';

	export const store: StoreDescriptor;
	export function initializeEditor(id: string, settings: Record<string, unknown>): Root;
}

/** The reader of font files (build/plugins.mjs). */
declare module 'font-reader';

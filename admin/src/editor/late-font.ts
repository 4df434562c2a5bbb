/**
 * Reads font files for the font library of the editor, whose own reader is loaded when a first file is there to read.
 *
 * It unpacks its tables as soon as it is loaded, which every start of the editor waited for (build/plugins.mjs puts this in
 * its place).
 */
interface FontEvent {
	detail: { font: unknown };
}

interface Reader {
	onload?: (event: FontEvent) => void;
	onerror?: (event: unknown) => void;
	fromDataBuffer: (buffer: ArrayBuffer, name: string) => Promise<void>;
}

export class Font {
	onload?: (event: FontEvent) => void;
	onerror?: (event: unknown) => void;

	constructor(private readonly name: string) {}

	async fromDataBuffer(buffer: ArrayBuffer, name: string): Promise<void> {
		const { Font: FileFont } = (await import('font-reader')) as { Font: new (name: string) => Reader };
		const reader = new FileFont(this.name);
		reader.onload = (event) => this.onload?.(event);
		reader.onerror = (event) => this.onerror?.(event);
		await reader.fromDataBuffer(buffer, name);
	}
}

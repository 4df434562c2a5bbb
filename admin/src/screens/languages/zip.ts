/** Writes a ZIP archive of texts, stored as they are. */

const TABLE = Array.from({ length: 256 }, (_, number) => {
	let value = number;
	for (let bit = 0; bit < 8; bit++) {
		value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
	}
	return value >>> 0;
});
const UTF8_NAMES = 0x0800;
const VERSION = 20;
const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;

function computeChecksum(bytes: Uint8Array): number {
	let value = 0xffffffff;
	for (const byte of bytes) {
		value = (TABLE[(value ^ byte) & 0xff] as number) ^ (value >>> 8);
	}
	return (value ^ 0xffffffff) >>> 0;
}

/** Return little-endian bytes. parts: numbers, each with its length in bytes. */
function pack(...parts: [value: number, length: 2 | 4][]): Uint8Array<ArrayBuffer> {
	const bytes = new Uint8Array(parts.reduce((sum, [, length]) => sum + length, 0));
	const view = new DataView(bytes.buffer);
	let offset = 0;
	for (const [value, length] of parts) {
		if (length === 2) {
			view.setUint16(offset, value, true);
		} else {
			view.setUint32(offset, value, true);
		}
		offset += length;
	}
	return bytes;
}

/** Return an archive of files, by their names. */
export function buildZip(files: { name: string; text: string }[]): Blob {
	const encoder = new TextEncoder();
	const parts: Uint8Array<ArrayBuffer>[] = [];
	const directory: Uint8Array<ArrayBuffer>[] = [];
	let offset = 0;
	for (const { name, text } of files) {
		const [nameBytes, bytes] = [encoder.encode(name), encoder.encode(text)];
		const described = pack(
			[UTF8_NAMES, 2],
			[0, 2], // stored
			[0, 2], // time
			[0x21, 2], // the first day that the format knows
			[computeChecksum(bytes), 4],
			[bytes.length, 4],
			[bytes.length, 4],
			[nameBytes.length, 2],
			[0, 2],
		);
		parts.push(pack([LOCAL, 4], [VERSION, 2]), described, nameBytes, bytes);
		directory.push(
			pack([CENTRAL, 4], [VERSION, 2], [VERSION, 2]),
			described,
			pack([0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]),
			nameBytes,
		);
		offset += 6 + described.length + nameBytes.length + bytes.length;
	}
	const size = directory.reduce((sum, one) => sum + one.length, 0);
	const end = pack([END, 4], [0, 2], [0, 2], [files.length, 2], [files.length, 2], [size, 4], [offset, 4], [0, 2]);
	return new Blob([...parts, ...directory, end], { type: 'application/zip' });
}

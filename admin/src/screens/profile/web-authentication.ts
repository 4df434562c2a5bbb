/** Passkeys as browsers make them, and as the interface writes them: bytes there, base64url here. */

export const hasPasskeys = (): boolean => 'PublicKeyCredential' in window && 'credentials' in navigator;

interface Descriptor {
	id: string;
	type: 'public-key';
	transports?: AuthenticatorTransport[];
}

export interface CreationOptions extends Omit<
	PublicKeyCredentialCreationOptions,
	'challenge' | 'user' | 'excludeCredentials'
> {
	challenge: string;
	user: { id: string; name: string; displayName: string };
	excludeCredentials?: Descriptor[];
}

/** Ask the browser for a new passkey, and return it as the interface takes it; null where the person gave up. */
export async function createPasskey(options: CreationOptions): Promise<Record<string, unknown> | null> {
	const made = await navigator.credentials
		.create({
			publicKey: {
				...options,
				challenge: decode(options.challenge),
				user: { ...options.user, id: decode(options.user.id) },
				excludeCredentials: (options.excludeCredentials ?? []).map((one) => ({ ...one, id: decode(one.id) })),
			},
		})
		.catch((problem: unknown) => {
			if (problem instanceof DOMException && problem.name === 'NotAllowedError') {
				return null;
			}
			throw problem;
		});
	if (!(made instanceof PublicKeyCredential) || !(made.response instanceof AuthenticatorAttestationResponse)) {
		return null;
	}
	const { response } = made;
	return {
		id: made.id,
		rawId: encode(made.rawId),
		type: made.type,
		response: {
			clientDataJSON: encode(response.clientDataJSON),
			attestationObject: encode(response.attestationObject),
			transports: response.getTransports(),
		},
	};
}

function decode(text: string): Uint8Array<ArrayBuffer> {
	return Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (letter) => letter.charCodeAt(0));
}

function encode(buffer: ArrayBuffer): string {
	const plain = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join('');
	return btoa(plain).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

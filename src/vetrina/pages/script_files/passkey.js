// Signs in with a passkey: shows the form where the browser has them, asks for one, and sends what it signed.
(() => {
	"use strict";
	const form = document.getElementById("passkey");
	if (!form || !window.PublicKeyCredential || !navigator.credentials) return;
	const problem = form.querySelector("[role=alert]");

	const decode = (text) => {
		const plain = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
		return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
	};
	const encode = (buffer) => {
		const plain = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join("");
		return btoa(plain).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
	};

	const ask = async () => {
		const options = JSON.parse(form.dataset.options);
		options.challenge = decode(options.challenge);
		options.allowCredentials = (options.allowCredentials ?? []).map((one) => ({ ...one, id: decode(one.id) }));
		const { id, rawId, type, response } = await navigator.credentials.get({ publicKey: options });
		const names = ["clientDataJSON", "authenticatorData", "signature", "userHandle"];
		const members = names.filter((name) => response[name]).map((name) => [name, encode(response[name])]);
		return { id, rawId: encode(rawId), type, response: Object.fromEntries(members) };
	};

	form.addEventListener("submit", async (event) => {
		event.preventDefault();
		problem.hidden = true;
		try {
			form.elements.passkey.value = JSON.stringify(await ask());
			form.submit();
		} catch {
			problem.hidden = false;
		}
	});
	form.hidden = false;
})();

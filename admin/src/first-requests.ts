/**
 * Asks for what every screen begins with, before the scripts of the shell are there to ask for it.
 *
 * A script of its own (build.mjs), loaded first; `src/api/client.ts` takes the answers. What nobody takes costs a request,
 * what is missing here is asked for later.
 */
interface Start {
	api: string;
	assets: string;
	locale: string;
	admin: string;
	nonce: string;
	user: { capabilities: Record<string, boolean>; grants: { capabilities: string[] }[] };
}

interface Base {
	rest_base: string;
	rest_namespace: string;
}

const { api, admin, assets, locale, nonce, user } = JSON.parse(
	document.getElementById('boot')?.textContent ?? '{}',
) as Start;
const answers = new Map<string, Promise<Response>>();
globalThis.firstAnswers = answers;

const language = locale.split(/[-_]/)[0] ?? '';
for (const file of [CATALOGS[language], EDITOR_CATALOGS[language]]) {
	if (file) {
		keep(`GET ${assets + file}`, fetch(assets + file));
	}
}

function ask(method: string, path: string): Promise<Response> {
	const headers = { Accept: 'application/json', 'X-WP-Nonce': nonce };
	return keep(`${method} ${api + path}`, fetch(api + path, { method, credentials: 'same-origin', headers }));
}

function keep(key: string, answer: Promise<Response>): Promise<Response> {
	// Who takes it hears of its failure.
	answer.catch(() => undefined);
	answers.set(key, answer);
	return answer;
}

const names = [...Object.keys(user.capabilities), ...user.grants.flatMap((one) => one.capabilities)];
if (names.some((name) => name.startsWith('edit_'))) {
	const types = ask('GET', '/wp/v2/types?context=edit');
	ask('GET', '/wp/v2/taxonomies?context=edit');
	const [screen, slug, rest] = location.pathname.slice(admin.length + 1).split('/');
	if (screen === 'content' && slug && !rest) {
		ask('GET', '/wp/v2/users/me?context=edit&_fields=meta');
		void types
			.then((response) => response.clone().json() as Promise<Record<string, Base>>)
			.then((all) => all[slug] && ask('OPTIONS', `/${all[slug].rest_namespace}/${all[slug].rest_base}`))
			.catch(() => undefined);
	}
}

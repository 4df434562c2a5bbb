// The tokens of somebody who signed in: sent with each request, exchanged for new ones when they have run out.

import type { Credentials, SignedAddition } from "./credentials.js";
import { askFor, type Call } from "./exchange.js";
import { send, type Site } from "./transport.js";

const PATH = "/access/v1/tokens";

/** scopes: what for; left out for all that the account may do. cookie: keep the refresh token from every script. */
export interface SignInValues {
  readonly login: string;
  readonly password: string;
  readonly name?: string;
  readonly scopes?: readonly string[];
  readonly cookie?: boolean;
}

interface TokenAnswer {
  readonly access_token: string;
  readonly refresh_token?: string;
}

/** Credentials that renew themselves. refreshToken: for programs that keep it, empty where a cookie has it. */
export class TokenSession implements Credentials {
  token = "";
  refreshToken: string;
  readonly #site: Site;
  #renewal: Promise<boolean> | undefined;

  /** refreshToken: of a session to go on with; left out for that of the cookie. */
  constructor(site: Site, refreshToken = "") {
    this.#site = { ...site, credentials: undefined, cache: undefined };
    this.refreshToken = refreshToken;
  }

  sign(): SignedAddition {
    return this.token ? { headers: { Authorization: `Bearer ${this.token}` } } : {};
  }

  async signIn(values: SignInValues): Promise<void> {
    this.#take(await this.#ask("", values));
  }

  /** Exchange the tokens, unless that was done since one was used; requests at once share one exchange. */
  renew(used: string): Promise<boolean> {
    if (used !== this.token) return Promise.resolve(true);
    this.#renewal ??= this.#exchange().finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  async signOut(): Promise<void> {
    await this.#ask("/revoke", this.#proof());
    this.token = this.refreshToken = "";
  }

  async #exchange(): Promise<boolean> {
    this.#take(await this.#ask("/refresh", this.#proof()));
    return true;
  }

  #proof(): object {
    return this.refreshToken ? { refresh_token: this.refreshToken } : {};
  }

  #ask(path: string, body: object): Promise<TokenAnswer> {
    // The header tells the site that one of its own pages asks, without which its cookie does not count.
    const byCookie: Partial<Call> =
      "refresh_token" in body || ("login" in body && !("cookie" in body))
        ? {}
        : { headers: { "X-Requested-With": "fetch" }, credentials: "same-origin" };
    return send(this.#site, askFor<TokenAnswer>("POST", `${PATH}${path}`, { body, ...byCookie }));
  }

  #take(answer: TokenAnswer): void {
    this.token = answer.access_token;
    this.refreshToken = answer.refresh_token ?? "";
  }
}

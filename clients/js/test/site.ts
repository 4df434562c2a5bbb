// The stand-ins that whoever starts these tests has started, named by the variable VETRINA_SITES.

import { createClient, type Client, type ClientOptions, type Dialect } from "../src/index.js";

export interface Account {
  readonly login: string;
  readonly password: string;
  readonly application_password: string;
  readonly consumer_key: string;
  readonly consumer_secret: string;
}

export interface StandIn {
  readonly url: string;
  readonly key: string;
  readonly accounts: Readonly<Record<string, Account>>;
}

export const DIALECTS: readonly Dialect[] = ["neutral", "wordpress"];

const sites = JSON.parse(process.env["VETRINA_SITES"] ?? "{}") as Record<string, StandIn>;

/** Return the stand-in of a built-in profile, `first` or `second`. */
export function findSite(profile: string): StandIn {
  const found = sites[profile];
  if (!found) throw new Error(`VETRINA_SITES names no site of the profile ${profile}`);
  return found;
}

/** Return an account, by its role or login. */
export function findAccount(site: StandIn, who: string): Account {
  const found = site.accounts[who];
  if (!found) throw new Error(`there is no account ${who}`);
  return found;
}

/** Return a client of a stand-in. who: role or login, null for nobody. */
export function clientOf(
  site: StandIn,
  who: string | null = "administrator",
  options: Partial<ClientOptions> = {},
): Client {
  const account = who === null ? undefined : findAccount(site, who);
  const auth = account && { login: account.login, password: account.application_password };
  return createClient({ url: site.url, auth, ...options });
}

/** Put a stand-in back to its start. */
export async function reset(site: StandIn): Promise<void> {
  await control(site, "POST", "reset");
}

/** Carry out the background jobs that are due. */
export async function runDueJobs(site: StandIn): Promise<void> {
  await control(site, "POST", "jobs");
}

async function control(site: StandIn, method: string, name: string): Promise<void> {
  const headers = { Authorization: `Bearer ${site.key}`, "Content-Type": "application/json" };
  const answer = await fetch(`${site.url}/_stand-in/${name}`, { method, headers });
  if (!answer.ok) throw new Error(await answer.text());
}

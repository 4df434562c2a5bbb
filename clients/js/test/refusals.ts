// What a test expects to be refused.

import assert from "node:assert/strict";

import { VetrinaError } from "../src/index.js";

/** Return the VetrinaError that something ends in; fails where it ends otherwise. */
export async function refusalOf(promise: Promise<unknown>): Promise<VetrinaError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof VetrinaError) return error;
    throw error;
  }
  return assert.fail("it was not refused");
}

/** A `fetch` that answers in turn, and keeps what it was sent. */
export class Answers {
  readonly sent: { url: string; init: RequestInit }[] = [];
  readonly #answers: (Response | Error)[];

  constructor(...answers: (Response | Error)[]) {
    this.#answers = answers;
  }

  readonly fetch: typeof fetch = (url, init = {}) => {
    this.sent.push({ url: url as string, init });
    const answer = this.#answers.shift() ?? new Error("nothing more was expected");
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
}

// The words of the dialects are those of the client for Python, which a test of its own compares with the server's.

import assert from "node:assert/strict";
import { test } from "node:test";

import { DIALECTS } from "../src/names.js";

test("the dialects are those that the server speaks", () => {
  const known = JSON.parse(process.env["VETRINA_DIALECTS"] ?? "{}") as Record<string, object>;
  const ours = Object.fromEntries(
    Object.entries(DIALECTS).map(([name, { relation, ...words }]) => {
      assert.match(relation, /^[a-z]+:$/);
      return [name, words];
    }),
  );
  assert.deepEqual(ours, known);
});

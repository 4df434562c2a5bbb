// How values are written, and what a signature is.

import assert from "node:assert/strict";
import { test } from "node:test";

import { computeOAuthSignature } from "../src/oauth.js";
import { listPairs, formatJson, type Pair, type Query } from "../src/query.js";

test("a value has one text", () => {
  const moment = new Date("2030-01-31T09:00:00.500Z");
  const asked: Query = { a: true, b: 3, c: "x", d: moment, e: [1, [2]], f: { g: { h: false } }, i: 5n };
  assert.deepEqual(listPairs(asked), [
    ["a", "true"],
    ["b", "3"],
    ["c", "x"],
    ["d", "2030-01-31T09:00:00+00:00"],
    ["e[0]", "1"],
    ["e[1][0]", "2"],
    ["f[g][h]", "false"],
    ["i", "5"],
  ]);
  assert.deepEqual(listPairs({ a: null, b: [], c: undefined }), [["b", ""]]);
});

test("what no parameter can be is refused", () => {
  for (const value of [NaN, Infinity, new Map(), Symbol("x"), new Date(NaN)]) {
    assert.throws(() => listPairs({ a: value } as unknown as Query));
  }
});

test("a body has whole seconds and no number that JSON lacks", () => {
  assert.equal(formatJson({ at: new Date("2030-01-31T09:00:00.500Z") }), '{"at":"2030-01-31T09:00:00+00:00"}');
  assert.throws(() => formatJson({ a: [NaN] }), TypeError);
});

test("a signature is that of the standard", async () => {
  // The example of RFC 5849, 1.2, with our own secret and the other digest; its base string is the standard's.
  const asked: Pair[] = [
    ["oauth_consumer_key", "dpf43f3p2l4k3l03"],
    ["oauth_nonce", "kllo9940pd9333jh"],
    ["size", "original"],
    ["oauth_signature_method", "HMAC-SHA256"],
    ["oauth_timestamp", "1191242096"],
    ["file", "vacation.jpg"],
  ];
  const url = "http://photos.example.net/photos";
  const one = await computeOAuthSignature("get", url, asked, "kd94hf93k423kf44");
  assert.equal(one, await computeOAuthSignature("GET", url, [...asked].reverse(), "kd94hf93k423kf44"));
  assert.notEqual(one, await computeOAuthSignature("GET", url, asked, "another"));
});

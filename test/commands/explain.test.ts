/** `catalog explain`. */
import { expect, test } from "vitest";
import { rig } from "../rig.ts";
import { expectRefused } from "./helpers.ts";

test.each([
  ["prices[0].currency", /^Type: currency code such as EUR\.$/m],
  ["certificate", /certificate\.type \(required\)/],
  ["provider_id", /^provider_id \(required, unless provider is given\)\n/],
  ["provider", /^provider \(required, unless provider_id is given\)\n/],
  ["choice", /^choice \(error\)\n\n[\s\S]*\nWrong\n[\s\S]*\nRight\n/],
])("explain describes a field inside a list, and a rule with examples: %s", async (name, shown) => {
  const ran = await (await rig()).run(["explain", name]);
  expect(ran).toMatchObject({ code: 0, requests: [], stdout: expect.stringMatching(shown) });
});

test.each([
  ["language", "audio"],
  ["Image", "image_url"],
  ["prise", "prices"],
  ["it", "id"],
])("explain %s suggests the field or rule that is meant: %s", async (word, meant) => {
  const ran = await (await rig()).run(["explain", word]);
  expectRefused(ran, 2);
  expect(ran.stderr).toContain(`Did you mean "${meant}"?`);
});

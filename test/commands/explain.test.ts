/** `catalog explain`. */
import { expect, test } from "vitest";
import { rig } from "../rig.ts";
import { expectRefused } from "./helpers.ts";

test.each([
  ["prices[0].currency", /^Type: currency code such as EUR\.$/m],
  ["certificate", /certificate\.type \(required\)/],
  ["provider_id", /^provider_id \(required, unless provider is given\)\n/],
  ["provider", /^provider \(required, unless provider_id is given\)\n/],
])(
  "explain describes a field inside a list, and what else is required: %s",
  async (field, shown) => {
    expect((await (await rig()).run(["explain", field])).stdout).toMatch(shown);
  },
);

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

test("explain describes a rule with a wrong and a right example", async () => {
  const ran = await (await rig()).run("explain choice");
  expect(ran).toMatchObject({ code: 0, requests: [] });
  expect(ran.stdout).toMatch(/^choice \(error\)\n\n[\s\S]*\nWrong\n[\s\S]*\nRight\n/);
});

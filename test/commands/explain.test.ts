/** `catalog explain`. */
import { expect, test } from "vitest";
import { rig } from "../rig.ts";
import { expectRefused } from "./helpers.ts";

test("explain describes a field inside a list", async () => {
  const r = await rig();
  const plain = await r.run("explain prices[0].currency");
  expect(plain.stdout).toContain("Type: currency code such as EUR");
  expect((await r.run("explain certificate")).stdout).toContain("certificate.type (required)");
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

test("explain says that provider_id and provider replace each other", async () => {
  const r = await rig();
  for (const [field, other] of [
    ["provider_id", "provider"],
    ["provider", "provider_id"],
  ] as const) {
    const { stdout } = await r.run(["explain", field]);
    expect(stdout).toMatch(new RegExp(`^${field} \\(required, unless ${other} is given\\)\n`));
  }
});

test("explain describes a rule with a wrong and a right example", async () => {
  const ran = await (await rig()).run("explain choice");
  expect(ran).toMatchObject({ code: 0, requests: [] });
  expect(ran.stdout).toMatch(/^choice \(error\)\n\n[\s\S]*\nWrong\n[\s\S]*\nRight\n/);
});

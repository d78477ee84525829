/** Providers with missing or invalid fields. */
import { describe, expect, test } from "vitest";
import { numberedCourse } from "../commands/helpers.ts";
import { PROVIDER_ID } from "../rig.ts";
import {
  expectNoInternals,
  expectSafe,
  type HostileService,
  PROVIDER,
  startHostileService,
} from "./service.ts";

/** Starts a service with a provider that has another value in one field. */
async function having(part: string, value: unknown): Promise<HostileService> {
  const row = JSON.stringify([{ ...PROVIDER, [part]: value }]);
  return await startHostileService(({ url }) => (url.includes("/providers") ? row : undefined));
}

describe.each([
  ["name", null],
  ["slug", null],
  ["slug", { a: 1 }],
  ["published", "yes"],
] as const)("providers with an invalid field", (part, value) => {
  test(`a provider whose ${part} is ${JSON.stringify(value)} is shown unchanged`, async () => {
    const { run } = await having(part, value);
    const ran = await run(["providers", "ls", "--json"]);
    expect(JSON.parse(ran.stdout)).toEqual([{ ...PROVIDER, [part]: value }]);
    expect((await run(["providers", "ls"], { terminal: true })).code).toBe(0);
  });

  test(`a provider whose ${part} is ${JSON.stringify(value)} owns its courses and is found by id and website`, async () => {
    const { r, run } = await having(part, value);
    await r.write("a.json", JSON.stringify(numberedCourse(1)));
    await r.write("b.json", JSON.stringify(numberedCourse(2, { url: "https://other.example/x" })));
    expect(await run(["courses", "check", "--online", "a.json"])).toMatchObject({ code: 0 });
    expect(await run(["courses", "push", "--dry-run", "a.json"])).toMatchObject({ code: 0 });
    const wrong = await run(["courses", "check", "--online", "b.json"]);
    expect([wrong.code, wrong.stderr + wrong.stdout]).toEqual([
      3,
      expect.stringContaining("one of your providers (academy.example)"),
    ]);
    expect(await run(["courses", "ls", "--provider", "academy.example"])).toMatchObject({
      code: 0,
    });
  });
});

test("a provider with only an id is shown by its id", async () => {
  const { r, run } = await startHostileService(({ url }) =>
    url.includes("/providers") ? JSON.stringify([{ id: PROVIDER_ID, url: null }]) : undefined,
  );
  const refused = await run(["courses", "ls", "--provider", "unknown"]);
  expectNoInternals(refused);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(PROVIDER_ID)]);
  await r.write("a.json", JSON.stringify(numberedCourse(1)));
  const checked = await run(["courses", "check", "--online", "a.json"]);
  expectSafe(checked);
  expect(checked.code).toBe(3);
});

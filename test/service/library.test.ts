/** What the library's client and the command have in common: how they introduce themselves, and which options they refuse. */

import { describe, expect, test } from "vitest";
import { VERSION } from "../../src/base/errors.ts";
import { CatalogClient } from "../../src/index.ts";
import { unreliableService } from "../commands/helpers.ts";
import { rig } from "../rig.ts";

test("every request of the command and of the library names catalog and its version", async () => {
  const r = await rig();
  const { server, environment } = await unreliableService(r, () => "pass");
  await r.run("courses ls", { environment });
  const client = new CatalogClient({ baseUrl: server.baseUrl, apiKey: "key.word" });
  await client.providers().catch(() => undefined);
  await client.close();
  const agents = server.headers.map((headers) => headers["user-agent"]);
  expect(agents).toEqual(Array(2).fill(`catalog/${VERSION}`));
});

describe("the request id of the service", () => {
  const words = ["providers", "ls", "-v"];

  test("is part of the error and of the line that --verbose prints", async () => {
    const r = await rig();
    const headers = { "x-request-id": "7f3a-91c2" };
    const { environment } = await unreliableService(r, () => ({ status: 400, headers }));
    const ran = await r.run(words, { environment });
    expect(ran.stderr).toMatch(/^GET .* → 400 in \d+ ms, attempt 1, request 7f3a-91c2$/m);
    expect(ran.stderr).toMatch(/^error: .* \(HTTP 400, request 7f3a-91c2\)$/m);
  });

  test("is not printed if it is not a plain word", async () => {
    const r = await rig();
    const headers = { "x-request-id": "::error::no" };
    const { environment } = await unreliableService(r, () => ({ status: 400, headers }));
    expect((await r.run(words, { environment })).stderr).toMatch(/^error: .* \(HTTP 400\)$/m);
  });
});

test.each([
  { concurrency: 0 },
  { concurrency: 1.5 },
  { concurrency: Number.NaN },
  { concurrency: 1000 },
  { retries: -1 },
  { retries: Number.POSITIVE_INFINITY },
  { timeout: 0 },
  { timeout: Number.NaN },
  { timeout: -1 },
  { timeout: 300_001 },
])("the library refuses the option %o", (option) => {
  const [name] = Object.keys(option);
  const create = () =>
    new CatalogClient({ baseUrl: "https://api.example", apiKey: "key.word", ...option });
  const message = expect.stringMatching(`^${name} of new CatalogClient must be a`);
  expect(create).toThrow(expect.objectContaining({ kind: "usage", message }));
});

/** What the library's client and the command have in common: how they introduce themselves, and which options they refuse. */

import { expect, test } from "vitest";
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

test.each([
  ["7f3a-91c2", ", request 7f3a-91c2"],
  ["::error::no", ""],
])(
  "the request id %s of the service is shown as %j with --verbose and in an error",
  async (id, shown) => {
    const r = await rig();
    const response = { status: 400, headers: { "x-request-id": id } };
    const { environment } = await unreliableService(r, () => response);
    const { stderr } = await r.run("providers ls -v", { environment });
    expect(stderr).toMatch(new RegExp(`^GET .* → 400 in \\d+ ms, attempt 1${shown}$`, "m"));
    expect(stderr).toMatch(new RegExp(`^error: .* \\(HTTP 400${shown}\\)$`, "m"));
  },
);

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

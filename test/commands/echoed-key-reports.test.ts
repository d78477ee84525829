/** An echoed API key is masked in reports and in binary responses. */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { load } from "js-yaml";
import { expect, onTestFinished, test } from "vitest";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { requireNoKey } from "../no-key.ts";
import { rig } from "../rig.ts";
import { numberedCourse, unreliableService } from "./helpers.ts";

test.each(["json", "junit", "sarif", "markdown"])(
  "an echoed key is masked in a report as %s",
  async (format) => {
    const r = await rig();
    await r.write("a.json", JSON.stringify(numberedCourse(1)));
    const { environment } = await unreliableService(r, ({ method }) =>
      method === "POST" ? { status: 400, body: `{"hint": "name is ${DEFAULT_KEY}"}` } : "pass",
    );
    const words = ["courses", "push", "a.json", "--report", `${format}=report`];
    expect((await r.run(words, { environment })).code).toBe(1);
    const report = await readFile(join(r.folder, "report"), "utf8");
    expect(report).toContain("name is ***");
    requireNoKey(DEFAULT_KEY, report);
  },
);

test("an echoed key is masked in a body that is not UTF-8", async () => {
  const r = await rig();
  const server = createServer((_, answer) =>
    answer.end(Buffer.from(`\xff${DEFAULT_KEY}\xfe`, "latin1")),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const environment = { CATALOG_BASE_URL: `http://127.0.0.1:${port}` };
  const ran = await r.run(["api", "GET", "x"], { environment });
  expect([ran.code, ran.stdout.length]).toEqual([0, 10]);
});

test("a key that is a number is masked in numbers, and the output remains valid", async () => {
  const key = "1234567890.123456789012";
  const r = await rig();
  const row = `{"id": "x", "name": "y", "price": ${key}, "other": 99999.5}`;
  const { environment } = await unreliableService(r, () => ({ status: 200, body: `[${row}]` }));
  const shown = { id: "x", name: "y", price: "********", other: 99999.5 };
  for (const line of ["courses ls --json", "courses ls -o yaml", "api GET x", "api GET x --json"]) {
    const ran = await r.run(line.split(" "), {
      environment: { ...environment, CATALOG_API_KEY: key },
    });
    expect(load(ran.stdout)).toEqual([shown]);
  }
});

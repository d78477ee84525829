/** An echoed API key is masked in reports. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { requireNoKey } from "../no-key.ts";
import { rig } from "../rig.ts";
import { numberedCourse, unreliableService } from "./helpers.ts";

test.each(["json", "junit", "sarif", "markdown"])(
  "push --report %s masks a key that the service echoes",
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

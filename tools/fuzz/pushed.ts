/** Properties of push and pull: what is the same stays the same, whichever way it goes. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type { Send } from "../../src/api/transport.ts";
import { courseText, FILE_FORMATS } from "../../src/files/write.ts";
import { defaultSeed } from "../../src/sandbox/seed.ts";
import { type Door, type Ran, writeFiles } from "./door.ts";
import { type AnyProperty, property } from "./property.ts";
import { rightCourse } from "./right.ts";
import { serviceOf } from "./service.ts";
import { requireSound } from "./sound.ts";

async function runIn(door: Door, folder: string, send: Send, line: string): Promise<Ran> {
  const words = line.split(" ");
  const ran = await door.run(words, folder, { send });
  requireSound(words, ran);
  assert.equal(ran.code, 0, `${line}: ${ran.stdout}${ran.stderr}`);
  return ran;
}

function requireReading(line: string, { requests }: Ran): void {
  const writes = requests.filter(({ method }) => method !== "GET");
  assert.deepEqual(
    writes.map(({ method, body }) => `${method} ${body}`),
    [],
    line,
  );
}

function filesIn(folder: string): Record<string, string> {
  const names = readdirSync(folder);
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

/** The properties of push and pull. */
export const PUSHED: readonly AnyProperty[] = [
  property({
    name: "push",
    says: "what was pushed is not pushed again, pulled and pushed it is the same, and pulled twice, too",
    arbitrary: fc.tuple(
      rightCourse,
      rightCourse,
      fc.constantFrom(...FILE_FORMATS),
      fc.constantFrom(...FILE_FORMATS),
      fc.constantFrom("", " --write-ids"),
    ),
    check: async ([course, later, format, pulled, flag], door) => {
      const folder = await door.freshFolder();
      const send = serviceOf(defaultSeed());
      const file = `a.${format}`;
      for (const version of [course, later]) {
        await writeFiles(folder, { [file]: courseText(version, format) });
        await runIn(door, folder, send, `courses push ${file}${flag}`);
        const again = `courses push ${file} --verify`;
        requireReading(again, await runIn(door, folder, send, again));
      }
      await runIn(door, folder, send, `courses pull out --format ${pulled}`);
      const files = filesIn(join(folder, "out"));
      requireReading("push out", await runIn(door, folder, send, "courses push out"));
      await runIn(door, folder, send, `courses pull out --format ${pulled}`);
      assert.deepEqual(filesIn(join(folder, "out")), files);
    },
  }),
];

/** Properties of push and pull: neither changes a course that is the same on both sides. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { FILE_FORMATS } from "../../src/files/parse.ts";
import { courseText } from "../../src/files/write.ts";
import { defaultSeed } from "../../src/sandbox/seed.ts";
import type { Send } from "../../src/service/transport.ts";
import { requireInvariants } from "./invariants.ts";
import { type AnyProperty, property } from "./property.ts";
import { type Runner, type RunResult, writeFiles } from "./runner.ts";
import { createService } from "./service.ts";
import { validCourse } from "./valid-courses.ts";

async function runIn(runner: Runner, folder: string, send: Send, line: string): Promise<RunResult> {
  const words = line.split(" ");
  const result = await runner.run(words, folder, { send });
  requireInvariants(words, result);
  assert.equal(result.code, 0, `${line}: ${result.stdout}${result.stderr}`);
  return result;
}

function requireReading(line: string, { requests }: RunResult): void {
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
export const PUSH_PULL_PROPERTIES: readonly AnyProperty[] = [
  property({
    name: "push",
    says: "a second push, a push after a pull, and a second pull change nothing",
    arbitrary: fc.tuple(
      validCourse,
      validCourse,
      fc.constantFrom(...FILE_FORMATS),
      fc.constantFrom(...FILE_FORMATS),
      fc.constantFrom("", " --write-ids"),
    ),
    check: async ([course, later, format, pulled, flag], runner) => {
      const folder = await runner.newFolder();
      const send = createService(defaultSeed());
      const file = `a.${format}`;
      for (const version of [course, later]) {
        await writeFiles(folder, { [file]: courseText(version, format) });
        await runIn(runner, folder, send, `courses push ${file}${flag}`);
        const again = `courses push ${file}`;
        requireReading(again, await runIn(runner, folder, send, again));
      }
      await runIn(runner, folder, send, `courses pull out --format ${pulled}`);
      const files = filesIn(join(folder, "out"));
      requireReading("push out", await runIn(runner, folder, send, "courses push out"));
      await runIn(runner, folder, send, `courses pull out --format ${pulled}`);
      assert.deepEqual(filesIn(join(folder, "out")), files);
    },
  }),
];

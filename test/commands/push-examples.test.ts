/** The example courses, pushed, pushed again, pulled, and pushed from the pulled files. */
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parseSeed } from "../../src/sandbox/seed.ts";
import { type Rig, rig, testClock } from "../rig.ts";
import { storedCourses } from "./helpers.ts";
import { push, writeRequests } from "./push-files.ts";

const EXAMPLES = fileURLToPath(new URL("../../examples", import.meta.url));
const COURSES = join(EXAMPLES, "courses");

/** A rig whose user has the examples' providers and no courses. */
async function empty(): Promise<Rig> {
  const providers: unknown = JSON.parse(await readFile(join(EXAMPLES, "providers.json"), "utf8"));
  return await rig({ seed: parseSeed(providers, testClock()) });
}

/** The files below a folder, with their content and the time of their last change. */
async function filesOf(folder: string) {
  const names = await readdir(folder, { recursive: true });
  const found = new Map<string, readonly [string, number]>();
  for (const name of names.sort()) {
    const path = join(folder, name);
    const entry = await stat(path);
    if (entry.isFile()) found.set(name, [await readFile(path, "utf8"), entry.mtimeMs]);
  }
  return found;
}

test("push of the pulled examples changes nothing, and a second pull changes no file", async () => {
  const r = await empty();
  await push(r, [COURSES]);
  const pulled = join(r.folder, "pulled");
  expect((await r.run(["courses", "pull", pulled])).code).toBe(0);
  const files = await filesOf(pulled);
  expect(files.size).toBe((await storedCourses(r)).length);
  const from = await push(r, [pulled, "--prune"]);
  expect([from.code, writeRequests(from)]).toEqual([0, []]);

  const again = await r.run(["courses", "pull", pulled]);
  expect(again.code).toBe(0);
  expect(await filesOf(pulled)).toEqual(files);

  // The pulled files create the same catalog again, with the same ids.
  const other = await empty();
  expect((await push(other, [pulled])).code).toBe(0);
  const plain = async (one: Rig) =>
    (await storedCourses(one))
      .map(({ slug: _, last_fetched_at: __, ...rest }) => JSON.stringify(rest))
      .sort();
  expect(await plain(other)).toEqual(await plain(r));
});

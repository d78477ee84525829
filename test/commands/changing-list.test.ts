/** Commands find every course of a catalog that another user changes between two pages of its list. */
import { describe, expect, test } from "vitest";
import type { Course } from "../../src/course/request-body.ts";
import { DEFAULT_KEY, parseSeeds } from "../../src/sandbox/seed.ts";
import { someOf } from "../long.ts";
import { type Rig, rig, testClock } from "../rig.ts";
import { id, numberedCourse } from "./helpers.ts";
import { courseWithoutId, json, storedUrls, writeRequests } from "./push-files.ts";

const COUNT = 300;
/** The courses next to the ends of pages. */
const NUMBERS = [97, 98, 99, 100, 101, 196, 197, 198, 199, 200, 294, 295, 296, 297, 298, 299];

interface Query {
  readonly path: string;
  readonly method?: "GET" | "POST" | "DELETE";
  readonly body?: string;
}

/** A rig whose service lists courses by the number in their url, and changes before it answers the nth page. */
async function changingRig(change: "added" | "deleted") {
  const courses = Array.from({ length: COUNT }, (_, number) => numberedCourse(number));
  const r = await rig({ seed: parseSeeds([courses], testClock()) });
  const { baseUrl } = r.sandbox;
  const pass = r.shortcuts.get(baseUrl)?.(() => Promise.reject(new Error("unused")));
  if (pass === undefined) throw new Error("the sandbox is in this process");
  const ask = async ({ path, method = "GET", body }: Query) => {
    const headers = { "x-api-key": DEFAULT_KEY, "content-type": "application/json" };
    const url = `${baseUrl}/developer/v1/courses?${path}`;
    return await pass({ method, url, headers, ...(body === undefined ? {} : { body }) }, 1000);
  };
  const listAll = async (): Promise<Course[]> => {
    const offsets = [0, 100, 200, 300];
    const pages = await Promise.all(
      offsets.map((from) => ask({ path: `limit=100&offset=${from}` })),
    );
    const all = pages.flatMap(({ body }) => JSON.parse(body.toString()) as Course[]);
    const numberOf = ({ url }: Course): number => Number(String(url).split("/").at(-1));
    return all.sort((one, other) => numberOf(one) - numberOf(other));
  };
  let changesAt = 0;
  let pages = 0;
  r.shortcuts.set(baseUrl, () => async (request, timeout) => {
    const { searchParams } = new URL(request.url);
    const offset = searchParams.get("offset");
    if (request.method !== "GET" || offset === null) return await pass(request, timeout);
    if (++pages === changesAt) {
      if (change === "deleted") await ask({ path: `id=${id(0)}`, method: "DELETE" });
      else await ask({ path: "", method: "POST", body: json(numberedCourse(-1, { id: id(999) })) });
    }
    const { status, headers } = await pass(request, timeout);
    const end = Number(offset) + Number(searchParams.get("limit"));
    const rows = (await listAll()).slice(Number(offset), end);
    return { status, headers, body: Buffer.from(JSON.stringify(rows)) };
  });
  /** Runs a command line during which the catalog changes before this page. */
  const run = async (page: number, words: readonly string[]) => {
    [pages, changesAt] = [0, page];
    return await r.run(words);
  };
  return { r, run, ask };
}

/** The number of a course next to the end of a page. */
function nextTo(page: number): number {
  return Math.min(100 * (page - 1), COUNT - 1);
}

async function writeFiles(r: Rig): Promise<void> {
  for (const number of NUMBERS) {
    await r.write(`c/${number}.json`, json(courseWithoutId(number, { name: "New name" })));
  }
}

async function expectUniqueUrls(r: Rig): Promise<void> {
  const urls = await storedUrls(r);
  expect(new Set(urls).size).toBe(urls.length);
}

describe.each(["added", "deleted"] as const)("while a course is %s", (change) => {
  describe.each(someOf([3, 4, 2], 2))("before page %i of the list", (page) => {
    test("push finds all courses of its files", async () => {
      const { r, run } = await changingRig(change);
      await writeFiles(r);
      const ran = await run(page, ["courses", "push", "c"]);
      expect([ran.code, writeRequests(ran).length]).toEqual([0, NUMBERS.length]);
      expect(writeRequests(ran).every((line) => line.startsWith("PATCH "))).toBe(true);
      await expectUniqueUrls(r);
    });

    test("create creates no course that exists", async () => {
      const { r, run } = await changingRig(change);
      await writeFiles(r);
      const files = NUMBERS.map((number) => `c/${number}.json`);
      const ran = await run(page, ["courses", "create", ...files]);
      expect([ran.code, writeRequests(ran)]).toEqual([1, []]);
    });

    test("rm finds a course by its url", async () => {
      const { run } = await changingRig(change);
      const url = `https://academy.example/${nextTo(page)}`;
      const ran = await run(page, ["courses", "rm", "--yes", url]);
      const deletion = `DELETE /developer/v1/courses?id=${id(nextTo(page))}`;
      expect([ran.code, writeRequests(ran)]).toEqual([0, [deletion]]);
    });

    test("undo restores no course whose url exists", async () => {
      const { r, run, ask } = await changingRig(change);
      const number = nextTo(page);
      await r.run(["courses", "rm", "--yes", id(number)]);
      await ask({ path: "", method: "POST", body: json(numberedCourse(number, { id: id(998) })) });
      const ran = await run(page, ["undo", "--yes"]);
      expect(writeRequests(ran)).toEqual([]);
      await expectUniqueUrls(r);
    });
  });
});

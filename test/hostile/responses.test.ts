/** Responses that no service should send: invalid ids and providers, other courses, and listings whose pages shift, overlap, end early, are too long, or never end. */
import { readdir } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { id, lines, numberedCourse, recordFiles, unreliableService } from "../commands/helpers.ts";
import { PROVIDER_ID, rig } from "../rig.ts";
import {
  coursePage,
  expectNoInternals,
  expectSafe,
  HOSTILE_TEXT,
  type HostileService,
  PROVIDER,
  type Responder,
  serviceListing,
  startHostileService,
} from "./service.ts";

test("a response with another course does not confirm a creation whose response was lost", async () => {
  const r = await rig();
  await r.write("a.json", JSON.stringify(numberedCourse(1)));
  const other = JSON.stringify([numberedCourse(2)]);
  let posted = false;
  const { environment } = await unreliableService(r, ({ method, url }) => {
    posted ||= method === "POST";
    if (method === "POST") return "drop before";
    return posted && url.includes("/courses") ? { status: 200, body: other } : "pass";
  });
  const ran = await r.run("courses create a.json", { environment });
  expect([ran.code, ran.stdout]).toEqual([6, ""]);
  expect(ran.stderr).toContain("The course may have been created.");
});

const INVALID_IDS = ["", "../../x", HOSTILE_TEXT, "x".repeat(100_000)];

test.each(INVALID_IDS)("an invalid id is shown but never used in a change: $0", async (invalid) => {
  const { r, run } = await serviceListing(numberedCourse(1, { id: invalid }));
  await r.write("a.json", JSON.stringify(numberedCourse(1, { id: undefined, name: "Other" })));
  const shown = await run("courses ls --json");
  expect(JSON.parse(shown.stdout)).toMatchObject([{ id: invalid }]);
  for (const words of [
    ["push", "a.json"],
    ["push", "a.json", "--prune", "--yes"],
    ["diff", "a.json"],
  ]) {
    const ran = await run(["courses", ...words], { terminal: true });
    expectNoInternals(ran);
    expectSafe(ran);
    expect([ran.code, ran.stderr.length < 2000]).toEqual([6, true]);
    expect(ran.stderr).toContain("a course whose id is not a UUID");
    expect(ran.requests.every((line) => line.startsWith("GET "))).toBe(true);
  }
  expect(await recordFiles(r)).toEqual([]);
});

/** Starts a service with a provider that has another value in one field. */
async function having(part: string, value: unknown): Promise<HostileService> {
  const row = JSON.stringify([{ ...PROVIDER, [part]: value }]);
  return await startHostileService(({ url }) => (url.includes("/providers") ? row : undefined));
}

test.each([
  ["name", null],
  ["slug", { a: 1 }],
  ["published", "yes"],
] as const)(
  "a provider whose %s is %j is shown unchanged, owns its courses and is found by its website",
  async (part, value) => {
    const { r, run } = await having(part, value);
    const ran = await run("providers ls --json");
    expect(JSON.parse(ran.stdout)).toEqual([{ ...PROVIDER, [part]: value }]);
    expect((await run("providers ls", { terminal: true })).code).toBe(0);
    await r.write("a.json", numberedCourse(1));
    await r.write("b.json", numberedCourse(2, { url: "https://other.example/x" }));
    expect(await run("courses push --dry-run a.json")).toMatchObject({ code: 0 });
    const wrong = await run("courses check --online b.json");
    expect([wrong.code, wrong.stderr + wrong.stdout]).toEqual([
      3,
      expect.stringContaining("one of your providers (academy.example)"),
    ]);
    expect(await run("courses ls --provider academy.example")).toMatchObject({ code: 0 });
  },
);

test("a provider with only an id is shown by its id", async () => {
  const { r, run } = await startHostileService(({ url }) =>
    url.includes("/providers") ? JSON.stringify([{ id: PROVIDER_ID, url: null }]) : undefined,
  );
  const refused = await run("courses ls --provider unknown");
  expectNoInternals(refused);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(PROVIDER_ID)]);
  await r.write("a.json", JSON.stringify(numberedCourse(1)));
  const checked = await run("courses check --online a.json");
  expectSafe(checked);
  expect(checked.code).toBe(3);
});

/** Starts a service with these pages, and writes a file with the first course. */
async function listing(pageAt: (offset: number) => string | undefined) {
  const answers: Responder = ({ url, offset }) => {
    if (!url.includes("/courses") || url.includes("id=0")) return undefined;
    return pageAt(offset);
  };
  const front = await startHostileService(answers);
  await front.r.write("a.json", JSON.stringify(numberedCourse(0)));
  return front;
}

/** The warning of a listing that changes during each reading. */
const WARNING =
  "warning: the list of courses changed while it was read, so courses may be missing\n";

const ids = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => id(from + index));

describe("listings that are shown", () => {
  const shown = async (front: HostileService) =>
    lines((await front.run("courses ls --all -o id")).stdout);

  test("ls --all shows each course of overlapping pages once", async () => {
    // Each page begins with the last courses of the previous one.
    const front = await listing((offset) => {
      const from = Math.floor(offset * 0.9);
      return coursePage(from, Math.max(0, Math.min(100, 295 - from)));
    });
    expect(await shown(front)).toEqual(ids(0, 295));
  });

  const NO_ROWS: readonly (readonly [what: string, body: string])[] = [
    ["null", "[null]"],
    ["a course without an id", '[{"name":"x"}]'],
    ["no JSON", "["],
  ];

  test.each(NO_ROWS)(
    "ls --all ends with an error after the previous courses if a page has %s",
    async (_, body) => {
      const front = await listing((offset) => (offset === 0 ? coursePage(0, 100) : body));
      const ran = await front.run("courses ls --all -o id");
      expectNoInternals(ran);
      expect([ran.code, lines(ran.stdout)]).toEqual([6, ids(0, 100)]);
      for (const words of [
        ["pull", "out"],
        ["push", "a.json", "--prune", "--yes"],
      ]) {
        const used = await front.run(["courses", ...words]);
        expectNoInternals(used);
        expect([used.code, used.stdout]).toEqual([6, ""]);
        expect(used.requests.every((line) => line.startsWith("GET "))).toBe(true);
      }
      expect(await readdir(front.r.folder)).toEqual(["a.json"]);
    },
  );
});

test.each([
  ["courses pull out", "Courses in files: 100 written.\n"],
  ["courses ls --all -o id", "100 courses: 0 published, 0 pending\n"],
])("%s warns of a listing that shows courses twice in each of six readings", async (line, said) => {
  const ran = await (await listing(() => coursePage(0, 100))).run(line);
  expect([ran.code, ran.stderr]).toEqual([0, WARNING + said]);
});

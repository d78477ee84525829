/** The limit of deletions, for course files and for plans. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DEFAULT_PROVIDER } from "../../src/sandbox/seed.ts";
import { id, lines, numberedCourse, recordFiles, rigWith } from "./helpers.ts";
import { rigWithTwoProviders, SCHOOL, writeRequests } from "./push-files.ts";
import { writeUserConfig } from "./saved-key.ts";

const ALL = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => numberedCourse(number));

/** Eight courses, of which seven are in no file, and a plan that deletes these. */
async function rigWithPlan() {
  const r = await rigWith(...ALL);
  await r.write("a.json", numberedCourse(1));
  expect((await r.run(`${DIFF} --max-deletes 7 --out p.json`)).code).toBe(0);
  return r;
}
const DIFF = "courses diff a.json --prune";
const PUSH = "courses push a.json --prune --yes --dry-run";
const EXECUTE = "courses push --plan p.json --yes";

test.each([DIFF, PUSH])("%s exits with 2 and writes no plan above the limit", async (line) => {
  const r = await rigWithPlan();
  const ran = await r.run(`${line} --out new.json`);
  expect([ran.code, existsSync(join(r.folder, "new.json"))]).toEqual([2, false]);
  expect(ran.stderr).toContain(
    "error: this would delete 7 of the 8 courses of Example Academy; the limit is 5\n",
  );
  expect(ran.stderr).toContain("pass --max-deletes 7");
});

test.each(["diff", "push"])("%s accepts a limit without --prune", async (command) => {
  const r = await rigWithPlan();
  expect((await r.run(`courses ${command} a.json --max-deletes 5`)).code).toBe(0);
});

test.each([
  ["the default limit", "", "the limit is 5"],
  ["--max-deletes", " --max-deletes 6", "the limit is 6"],
  ["a percentage", " --max-deletes 50%", "the limit is 4"],
])("push --plan sends nothing above %s", async (_, flags, text) => {
  const r = await rigWithPlan();
  const ran = await r.run(EXECUTE + flags);
  expect([ran.code, writeRequests(ran), await recordFiles(r)]).toEqual([2, [], []]);
  expect(ran.stderr).toContain(text);
});

test("a percentage is of the courses of the providers that lose courses, also for a plan whose header names others", async () => {
  const ofSchool = [11, 12, 13, 14].map((number) =>
    numberedCourse(number, { provider_id: SCHOOL.id, url: `https://school.example/${number}` }),
  );
  const r = await rigWithTwoProviders(...ALL, ...ofSchool);
  await r.write("a.json", [
    ...ALL.slice(0, 3),
    ...ofSchool.map((each) => ({ ...each, name: "New" })),
  ]);
  expect((await r.run(`${DIFF} --max-deletes 5 --out made.json`)).code).toBe(0);
  const [header = "", ...steps] = lines(await r.read("made.json"));
  const scope = { courses: 900, providers: ["x"], providerIds: [DEFAULT_PROVIDER.id, SCHOOL.id] };
  const forged = JSON.stringify({ ...JSON.parse(header), scope, compared: 900 });
  await r.write("p.json", [forged, ...steps].map((line) => `${line}\n`).join(""));
  for (const line of [DIFF, EXECUTE]) {
    const ran = await r.run(`${line} --max-deletes 50%`);
    expect([line, ran.code, writeRequests(ran)]).toEqual([line, 2, []]);
    expect(ran.stderr).toContain("5 of the 8 courses of Example Academy; the limit is 4");
  }
});

test("a plan that took effect is not above the limit when it is applied again", async () => {
  const r = await rigWithPlan();
  const line = `${EXECUTE} --max-deletes 90%`;
  expect((await r.run(line)).code).toBe(0);
  const again = { code: 0, stderr: "Already up to date: 7 courses.\n" };
  expect(await r.run(line)).toMatchObject(again);
});

test("CATALOG_MAX_DELETES and maxDeletes of the user config set the limit of push --prune, plans and pull --prune", async () => {
  const r = await rigWithPlan();
  await r.run("courses pull out");
  await r.run(`courses rm ${id(2)} --yes`);
  for (const line of [
    DIFF,
    PUSH,
    `${EXECUTE} --dry-run`,
    "courses pull out --prune --yes --dry-run",
  ]) {
    const code = async (limit?: string, flags = "") =>
      (await r.run(line + flags, { environment: { CATALOG_MAX_DELETES: limit } })).code;
    const codes = [await code("0"), await code("7"), await code("7", " --max-deletes 0")];
    for (const maxDeletes of [0, 7]) {
      await writeUserConfig(r, { maxDeletes });
      codes.push(await code());
    }
    expect([line, codes]).toEqual([line, [2, 0, 2, 2, 0]]);
  }
});

test("status shows the limit of deletions with its source", async () => {
  const r = await rigWith();
  const shown = async (environment = {}): Promise<unknown> => {
    const { settings } = JSON.parse((await r.run("status --json", { environment })).stdout);
    const row = settings.find(({ name }: { name: string }) => name === "maxDeletes");
    return `${row.value} (${row.source})`;
  };
  expect(await shown()).toBe("5 or 10% (default)");
  expect(await shown({ CATALOG_MAX_DELETES: " 20% " })).toBe("20% (environment)");
  await writeUserConfig(r, { maxDeletes: 3 });
  await r.write(".catalogrc", "maxDeletes: 100%");
  expect(await shown()).toBe("100%, at most 3 (project config)");
});

/** Every rule has a case in CSV, with the line and column of the cell or of the name of the column. */
import { stringify } from "csv-stringify/sync";
import { expect, test } from "vitest";
import { RULES } from "../../src/course/problem.ts";
import { type Rig, type RunResult, rig } from "../rig.ts";
import { id, numberedCourse, rigWith, unreliableService } from "./helpers.ts";
import { CSV_CASES } from "./position-cases-csv.ts";
import { courseWithoutId, rigWithTwoProviders, SCHOOL } from "./push-files.ts";

const COURSE = courseWithoutId(1, { name: "A" });

/** Writes a table whose first columns are `name` and those of the rows. */
async function table(r: Rig, ...rows: readonly object[]): Promise<string> {
  const names = [...rows, COURSE].flatMap((row) => Object.keys(row));
  const courses = rows.map((row) => ({ ...COURSE, ...row }));
  const columns = [...new Set(["name", ...names])];
  return await r.write("c.csv", stringify(courses, { header: true, columns }));
}

/** The problems that a run reports, as `line:column rule`. */
function findsOf({ stdout, stderr }: RunResult): string[] {
  const line = /^c\.csv:(\d+:\d+): (?:error|warning): .*?(?:\[([a-z-]+)\])?$/gm;
  return Array.from(`${stdout}${stderr}`.matchAll(line), ([, at, rule]) => `${at} ${rule}`);
}

/** Rules that depend on the providers, the catalog, other files or the command. */
const ELSEWHERE: Readonly<Record<string, () => Promise<RunResult>>> = {
  "2:3 provider-unknown": async () => {
    const r = await rig();
    await table(r, { provider: "x", provider_id: "" });
    return await r.run(["courses", "check", "--online", "c.csv"]);
  },
  "2:3 provider-owned": async () => {
    const r = await rig();
    await table(r, { provider_id: id(9) });
    return await r.run(["courses", "check", "--online", "c.csv"]);
  },
  "2:3 url-host": async () => {
    const r = await rig();
    await table(r, { url: "https://other.example/1" });
    return await r.run(["courses", "check", "--online", "c.csv"]);
  },
  "2:3 url-other-provider": async () => {
    const r = await rigWithTwoProviders();
    await table(r, { url: `${SCHOOL.url}/1` });
    return await r.run(["courses", "check", "--online", "c.csv"]);
  },
  "3:4 same-course": async () => {
    const r = await rigWith(numberedCourse(1));
    await table(r, { id: id(1), url: "https://academy.example/m" }, { id: "" });
    return await r.run(["courses", "push", "c.csv"]);
  },
  "2:3 several-courses": async () => {
    const r = await rigWith(numberedCourse(1), numberedCourse(2, { url: COURSE.url }));
    await table(r, { url: COURSE.url });
    return await r.run(["courses", "push", "c.csv"]);
  },
  "2:40 lost-characters": async () => {
    const r = await rigWith(numberedCourse(1, { short_description: "Käse" }));
    await table(r, { id: id(1), short_description: "K?se" });
    return await r.run(["courses", "push", "c.csv"]);
  },
  "2:3 other-id": async () => {
    const r = await rigWith(numberedCourse(1));
    await table(r, { id: id(2) });
    return await r.run(["courses", "push", "c.csv"]);
  },
  "2:3 possible-move": async () => {
    const r = await rigWith(numberedCourse(1, { name: "A" }));
    await table(r, { url: "https://academy.example/moved" });
    return await r.run(["courses", "push", "--dry-run", "c.csv"]);
  },
  "2:3 course-exists": async () => {
    const r = await rigWith(numberedCourse(1));
    await table(r, { url: COURSE.url });
    return await r.run(["courses", "create", "c.csv"]);
  },
  "2:3 service": async () => {
    const r = await rig();
    await table(r, { long_description: "Long." });
    const body = JSON.stringify({ hint: "long_description is too short" });
    const { environment } = await unreliableService(r, ({ method }) =>
      method === "GET" ? "pass" : { status: 400, body },
    );
    return await r.run(["courses", "push", "c.csv"], { environment });
  },
  "2:1 stale": async () => {
    const r = await rigWith(numberedCourse(1));
    await table(r, { id: id(1), short_description: "New." });
    await r.run(["courses", "diff", "c.csv", "--out", "plan.ndjson"]);
    await r.run(["courses", "update", id(1), "--short-description", "Theirs."]);
    return await r.run(["courses", "push", "--plan", "plan.ndjson"]);
  },
  "2:1 mapping": async () => {
    const r = await rig();
    await table(r, {});
    await r.write("map.jsonata", "$number(name)");
    return await r.run(["courses", "import", "c.csv", "--map", "map.jsonata"]);
  },
  // Each row has six problems: a blank name and five empty cells.
  "1668:1 too-many": async () => {
    const r = await rig();
    const header = "name,url,short_description,long_description,audio,provider,pace";
    await r.write("c.csv", `${header}\n${" ,,,,,,self_paced\n".repeat(1700)}`);
    return await r.run(["courses", "check", "c.csv"]);
  },
};

test.each(Object.entries(ELSEWHERE))("a command reports CSV problem %s", async (find, run) => {
  expect(findsOf(await run())).toContain(find);
});

/** Rules that a table cannot break, and the reason. */
const IMPOSSIBLE: Readonly<Record<string, string>> = {
  "too-many-aliases": "only YAML has aliases",
  unreadable: "the file has no text",
  "no-course": "the table has no row",
  "not-read": "the entry is not opened",
};

test("every rule has a case in CSV, or a reason why a CSV file cannot break the rule", () => {
  const finds = [...CSV_CASES.flatMap((entry) => entry.finds), ...Object.keys(ELSEWHERE)];
  const covered = new Set(finds.map((find) => find.split(" ")[1] ?? ""));
  for (const rule of Object.keys(IMPOSSIBLE)) covered.add(rule);
  expect(RULES.filter((rule) => !covered.has(rule))).toEqual([]);
});

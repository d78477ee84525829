import { expect, test } from "vitest";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import type { Rig } from "../rig.ts";
import { id, jsonErrors, jsonRows, lines, numberedCourse, rigWith } from "./helpers.ts";
import { patchRequest, push, writeRequests } from "./push-files.ts";

type Json = Readonly<Record<string, unknown>>;

/** A rig with a plan that updates the courses 1 to 3, and the lines of the plan. */
async function rigWithPlan() {
  const r = await rigWith(...[1, 2, 3].map((number) => numberedCourse(number)));
  const files = [1, 2, 3].map((number) => numberedCourse(number, { name: `New ${number}` }));
  await r.write("courses/a.ndjson", files.map((file) => `${JSON.stringify(file)}\n`).join(""));
  expect((await r.run("courses diff courses --out plan.ndjson")).code).toBe(0);
  return { r, plan: lines(await r.read("plan.ndjson")) };
}

const REFUSED = {
  action: "update",
  id: id(2),
  name: "Course 2",
  url: "https://academy.example/2",
  file: "courses/a.ndjson",
  line: 2,
  remark: "the name is wrong",
};
const REVIEW = { by: "Ada", at: "2026-01-31T12:30:00.000Z", refused: [REFUSED] };

/** A rig with the file that the page saves after course 2 was refused. */
async function rigWithReviewed(review: unknown = REVIEW, others: Json = {}): Promise<Rig> {
  const { r, plan } = await rigWithPlan();
  const [header = "", first, _, ...rest] = plan;
  const reviewed = [JSON.stringify({ ...JSON.parse(header), ...others, review }), first, ...rest];
  await r.write("reviewed.ndjson", reviewed.map((line) => `${line}\n`).join(""));
  return r;
}

const PUSH = ["--plan", "reviewed.ndjson"];

test("push reports what a reviewer refused as skipped, with the remark at the line of its file in every report", async () => {
  const r = await rigWithReviewed();
  const reason = 'not approved: "the name is wrong" (Ada)';
  const text = `"Course 2" (${id(2)}): ${reason}`;
  const escaped = reason.replaceAll('"', "&quot;");
  const written = {
    html: `Change: ${escaped}`,
    junit: `<skipped message="${escaped}"/>`,
    markdown: `\`${text}\``,
    sarif: `"text": ${JSON.stringify(text)}`,
    codequality: `"description": ${JSON.stringify(text)}`,
  };
  const reports = Object.keys(written).flatMap((format) => ["--report", `${format}=${format}`]);
  const environment = { GITHUB_ACTIONS: "true" };
  const ran = await push(r, [...PUSH, ...reports], { environment });
  expect([ran.code, writeRequests(ran)]).toEqual([0, [patchRequest(1), patchRequest(3)]]);
  expect(lines(ran.stderr)).toContain(`courses/a.ndjson:2: ${text}`);
  expect(lines(ran.stderr)).toContain(
    `::notice file=courses/a.ndjson,line=2,endLine=2,title=notice::${text}`,
  );
  expect(ran.stderr).toContain("Updated 2 courses. 1 was not sent.\n");
  for (const [format, part] of Object.entries(written)) {
    expect(await r.read(format)).toContain(part);
  }
});

test("push and diff print what a reviewer refused as a row with its reason", async () => {
  const r = await rigWithReviewed({ ...REVIEW, refused: [{ ...REFUSED, remark: "" }] });
  for (const words of [
    ["push", ...PUSH],
    ["push", ...PUSH, "--dry-run"],
    ["diff", ...PUSH],
  ]) {
    const ran = await r.run(["courses", ...words, "--json"]);
    expect([ran.code, jsonErrors(ran)]).toEqual([0, []]);
    expect(jsonRows(ran).at(-1)).toMatchObject({
      id: id(2),
      file: "courses/a.ndjson",
      line: 2,
      action: "update",
      status: "skipped",
      reason: "not approved (Ada)",
    });
  }
});

test("push sends nothing of a plan whose changes are all refused, and exits with 0", async () => {
  const { r, plan } = await rigWithPlan();
  const refused = [1, 2, 3].map((number) => ({ ...REFUSED, id: id(number) }));
  const header = { ...JSON.parse(plan[0] ?? ""), review: { ...REVIEW, refused } };
  await r.write("reviewed.ndjson", `${JSON.stringify(header)}\n`);
  const ran = await push(r, [...PUSH]);
  expect([ran.code, writeRequests(ran)]).toEqual([0, []]);
  expect(ran.stderr).toContain("Nothing was changed. 3 courses were not sent.\n");
});

test("history shows who reviewed the plan of a run, and when", async () => {
  const r = await rigWithReviewed();
  await push(r, [...PUSH, "--record", "run.ndjson"]);
  const shown = await r.run("history run.ndjson --report html=run.html");
  expect(shown.stderr).toContain(", reviewed by Ada at 2026-01-31 12:30\n");
  const page = await r.read("run.html");
  expect(page).toContain("by Ada, 2026-01-31 12:30 UTC");
  const [run] = jsonRows(await r.run("history --json"));
  expect(run?.review).toEqual(REVIEW);
});

const refusing = (changes: Json): Json => ({ ...REVIEW, refused: [{ ...REFUSED, ...changes }] });
const DAMAGED: readonly (readonly [problem: string, review: Json])[] = [
  ["review.by must be a string", { ...REVIEW, by: 1 }],
  ["review.at must be a time", { ...REVIEW, at: "yesterday" }],
  ["review.refused ", { by: "Ada", at: REVIEW.at }],
  ["review.refused[0].id must be a lowercase UUID", refusing({ id: "2" })],
  ["review.refused[0].file must have at most 4,096", refusing({ file: "x".repeat(200_000) })],
  ["review.refused[0].remark must be a string", refusing({ remark: null })],
  [`its review refuses ${id(3)}, which it changes or refuses again`, refusing({ id: id(3) })],
  [`its review refuses ${id(2)}, which it`, { ...REVIEW, refused: [REFUSED, REFUSED] }],
  ["review.refused[0].line must be the number of a line", refusing({ line: -1e300 })],
  ["review.refused[0].line must be the number of a line", refusing({ line: 1.5 })],
];

test.each(DAMAGED)("a plan with a damaged review is refused: %s", async (problem, review) => {
  const r = await rigWithReviewed(review);
  for (const command of ["push", "diff"]) {
    const ran = await r.run(["courses", command, ...PUSH]);
    expect([ran.code, ran.requests]).toEqual([2, []]);
    expect(ran.stderr).toContain(`reviewed.ndjson:1:1: error: this file is damaged: ${problem}`);
  }
});

test("a hostile remark or target of 200,000 characters is cut, and no output shows it as anything but text", async () => {
  const hostile = `\n::error::x\u001b[31m\u202e##vso[task.complete] <b>\`|${"x".repeat(200_000)}`;
  const refused = [{ ...REFUSED, remark: hostile, file: "\n::error::f" }];
  const review = { by: hostile, at: REVIEW.at, refused };
  const r = await rigWithReviewed(review, { target: hostile });
  const environment = { GITHUB_ACTIONS: "true", CI: "true" };
  const formats = ["html", "junit", "markdown"];
  const reports = formats.flatMap((format) => ["--report", `${format}=${format}`]);
  const shown = await r.run(["courses", "diff", ...PUSH], { environment });
  const ran = await push(r, [...PUSH, "--record", "run.ndjson", ...reports], { environment });
  const past = await r.run("history run.ndjson", { environment });
  expect([shown.code, ran.code, past.code]).toEqual([0, 0, 0]);
  const written = await Promise.all(formats.map((format) => r.read(format)));
  const [page = "", ...others] = written;
  for (const text of [shown.stderr, ran.stdout, ran.stderr, past.stderr, ...written]) {
    expect(text.length).toBeLessThan(100_000);
    expect(text).not.toContain("\u202e");
    expect(text).not.toContain("\u001b");
    // A page is no log.
    if (text !== page) expect(text).not.toMatch(/^::error/m);
  }
  expect(ran.stderr).not.toContain("##vso[");
  expect(page).not.toContain("<b>`");
  expect(others).toHaveLength(2);
});

test("a page offers no decisions if the plan contains the API key, because it would contain it, too", async () => {
  const r = await rigWith(numberedCourse(1));
  const text = `The key is ${DEFAULT_KEY}`;
  await r.write("a.json", numberedCourse(1, { long_description: text }));
  const words = ["--out", "plan.ndjson", "--report", "html=page.html"];
  const ran = await r.run(["courses", "diff", "a.json", ...words], { printsEchoes: true });
  expect(ran.code).toBe(0);
  const page = await r.read("page.html");
  expect(page).not.toContain(DEFAULT_KEY);
  expect(page).not.toContain("data-plan");
});

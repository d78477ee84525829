import { describe, expect, test } from "vitest";
import { REPORT_FORMATS } from "../../src/output/formats.ts";
import { inTurn } from "../long.ts";
import { expectCodeQuality, findElements, readJunit } from "../output/report-schemas.ts";
import { type Rig, rig } from "../rig.ts";
import type { ServerBehavior } from "../unreliable-server.ts";
import { numberedCourse, rigWith, unreliableService } from "./helpers.ts";
import { json, SEWING } from "./push-files.ts";

const GITHUB = { GITHUB_ACTIONS: "true" };
const UNREACHABLE = { CATALOG_BASE_URL: "http://127.0.0.1:9", CATALOG_RETRIES: "0" };

/** A run that fails: its exit code, and what the failure says. */
interface Failure {
  readonly title: string;
  readonly code: number;
  readonly file?: string;
  readonly flags?: readonly string[];
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** What the service does with the requests of a method. */
  readonly service?: Readonly<Record<string, ServerBehavior>>;
  readonly says: string;
}

const REJECTED = { status: 400, body: json({ hint: "this is not to our taste" }) };

const FAILURES: readonly Failure[] = [
  { title: "a rejected request", code: 1, service: { GET: REJECTED }, says: "not to our taste" },
  {
    title: "a missing base URL",
    code: 2,
    environment: { CATALOG_BASE_URL: undefined },
    says: "base URL",
  },
  {
    title: "an invalid file",
    code: 3,
    file: SEWING.replace("self_paced", "slow"),
    says: "pace must be",
  },
  { title: "an invalid config file", code: 2, flags: ["--config=a.yaml"], says: "a.yaml" },
  {
    title: "a rejected key",
    code: 4,
    environment: { CATALOG_API_KEY: "wrong.key" },
    says: "API key",
  },
  { title: "an unreachable service", code: 6, environment: UNREACHABLE, says: "127.0.0.1:9" },
];

/** Failures of a push that has begun to change the catalog. */
const FAILURES_OF_WRITES: readonly Failure[] = [
  { title: "a rejected course", code: 1, service: { POST: REJECTED }, says: "not to our taste" },
  {
    title: "a connection that breaks during the push",
    code: 6,
    service: { POST: "drop before" },
    says: "was closed",
  },
];

/** Runs a command with every report. */
async function runWithReports(
  r: Rig,
  words: readonly string[],
  environment: Failure["environment"] = {},
) {
  const flags = REPORT_FORMATS.map((format) => `--report=${format}=r.${format}`);
  const ran = await r.run(["courses", ...words, ...flags], { environment });
  const read = (format: string): Promise<string> => r.read(`r.${format}`);
  const reports = Object.fromEntries(
    await Promise.all(REPORT_FORMATS.map(async (format) => [format, await read(format)])),
  ) as Record<(typeof REPORT_FORMATS)[number], string>;
  return { ...ran, reports };
}

describe.each([
  ["check", ["check", "--online"]],
  ["diff", ["diff"]],
  ["push", ["push"]],
])("reports of %s", (command, words) => {
  const failures =
    command === "push"
      ? [...FAILURES, ...FAILURES_OF_WRITES]
      : inTurn(FAILURES, command === "diff" ? 0 : 1, 4);
  test.each(failures)(
    `${command} writes $title into every report and an annotation`,
    async ({ code, file = SEWING, flags = [], says, ...failure }) => {
      const r = await rig();
      await r.write("a.yaml", file);
      const { service = {} } = failure;
      const { environment } = await unreliableService(r, ({ method }) => service[method] ?? "pass");
      const all = [...words, "a.yaml", ...flags];
      const ran = await runWithReports(r, all, {
        ...GITHUB,
        ...environment,
        ...failure.environment,
      });
      expect(ran.code).toBe(code);
      for (const text of Object.values(ran.reports)) {
        expect(text).toContain(says);
        expect(text).not.toContain("no problems");
      }
      expect(`${ran.stdout}${ran.stderr}`).not.toContain("no problems");
      const annotations = `${ran.stdout}${ran.stderr}`.match(/^::error .*$/gm) ?? [];
      expect(annotations.join("\n")).toContain(says);
      const [suite] = findElements(readJunit(ran.reports.junit), "testsuite");
      expect(suite?.attributes.name).toBe(`catalog courses ${command}`);
      expect(Number(suite?.attributes.failures) + Number(suite?.attributes.errors)).toBeGreaterThan(
        0,
      );
      const issues = JSON.parse(ran.reports.codequality);
      expectCodeQuality(issues);
      expect(issues[0].severity).toMatch(/^(blocker|major)$/);
      const log = JSON.parse(ran.reports.sarif);
      const [{ invocations, results, properties }] = log.runs;
      expect(properties.counts.errors).toBeGreaterThan(0);
      const isSuccessful = invocations[0].executionSuccessful && results.length === 0;
      expect(isSuccessful).toBe(false);
    },
  );
});

test.each(["check", "diff", "push"])(
  "%s writes a warning about a file and a notice about another into every report",
  async (command) => {
    const r = await rig();
    await r.write("c/a.yaml", SEWING.replace("name: ", 'name: " ').replace(/(name: .*)/, '$1 "'));
    await r.write("c/b.yaml", "host: a\n");
    const { code, reports } = await runWithReports(r, [command, "c"]);
    expect(code).toBe(0);
    for (const text of Object.values(reports)) {
      expect(text).toContain("name has spaces");
      expect(text).toContain("c/b.yaml:1:1: notice: not a course");
    }
    const issues: { severity: string; location: object }[] = JSON.parse(reports.codequality);
    const places = issues.flatMap(({ severity, location }) =>
      severity === "info" ? location : [],
    );
    expect(places).toMatchObject([{ path: "c/b.yaml" }]);
  },
);

test.each(["diff", "push --yes"])(
  "html, markdown and junit of %s name each course that changes, with what changes",
  async (command) => {
    const r = await rigWith(numberedCourse(1), numberedCourse(2));
    await r.write("a.json", [numberedCourse(1, { name: "New" }), numberedCourse(3)]);
    const words = [...command.split(" "), "a.json", "--prune"];
    const { code, reports } = await runWithReports(r, words);
    expect(code).toBe(0);
    for (const title of [
      "create <code>Course 3</code>",
      "update <code>New</code>: <code>name</code>",
      "delete <code>Course 2</code>",
    ]) {
      expect(reports.markdown).toContain(`<summary>${title}</summary>`);
    }
    const cases = findElements(readJunit(reports.junit), "testcase");
    expect(cases.map(({ attributes }) => attributes.name)).toEqual(["New", "Course 3", "Course 2"]);
    for (const text of ["update: name\n", "create: ", "delete: "]) {
      expect(reports.junit).toContain(`<system-out>${text}`);
    }
    const titles = [...reports.html.matchAll(/<h[23] id="n\d+"[^>]*>(.*?)<\/h[23]>/gs)];
    expect(titles.map(([title]) => title.replace(/<[^>]*>/g, "").trim()).sort()).toEqual([
      "Course 2",
      "Course 3",
      "New",
    ]);
  },
);

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

/** How a run comes to fail: a file, flags, variables, and what the service does with the requests of a method. */
interface Cause {
  readonly file?: string;
  readonly flags?: readonly string[];
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly service?: Readonly<Record<string, ServerBehavior>>;
}
/** The title and the exit code of a failure, what every report says of it, and its cause. */
type Failure = readonly [title: string, code: number, says: string, cause: Cause];

const REJECTED = { status: 400, body: json({ hint: "this is not to our taste" }) };

const FAILURES: readonly Failure[] = [
  ["a rejected request", 1, "not to our taste", { service: { GET: REJECTED } }],
  ["a missing base URL", 2, "base URL", { environment: { CATALOG_BASE_URL: undefined } }],
  ["an invalid file", 3, "pace must be", { file: SEWING.replace("self_paced", "slow") }],
  ["an invalid config file", 2, "a.yaml", { flags: ["--config=a.yaml"] }],
  ["a rejected key", 4, "API key", { environment: { CATALOG_API_KEY: "wrong.key" } }],
  ["an unreachable service", 6, "127.0.0.1:9", { environment: UNREACHABLE }],
];

/** Failures of a push that has begun to change the catalog. */
const FAILURES_OF_WRITES: readonly Failure[] = [
  ["a rejected course", 1, "not to our taste", { service: { POST: REJECTED } }],
  ["a broken connection during the push", 6, "was closed", { service: { POST: "drop before" } }],
];

/** Runs a command with every report. */
async function runWithReports(
  r: Rig,
  words: readonly string[],
  environment: Cause["environment"] = {},
) {
  const flags = REPORT_FORMATS.map((format) => `--report=${format}=r.${format}`);
  const ran = await r.run(["courses", ...words, ...flags], { environment });
  const read = (format: string): Promise<string> => r.read(`r.${format}`);
  const reports = Object.fromEntries(
    await Promise.all(REPORT_FORMATS.map(async (format) => [format, await read(format)])),
  ) as Record<(typeof REPORT_FORMATS)[number], string>;
  return { ...ran, reports };
}

describe.each(["check --online", "diff", "push"])("reports of %s", (line) => {
  const [command = "", ...words] = line.split(" ");
  const failures =
    command === "push"
      ? [...FAILURES, ...FAILURES_OF_WRITES]
      : inTurn(FAILURES, command === "diff" ? 0 : 1, 4);
  test.each(failures)(
    `${command} writes %s into every report and an annotation`,
    async (_, code, says, { file = SEWING, flags = [], service = {}, ...cause }) => {
      const r = await rig();
      await r.write("a.yaml", file);
      const { environment } = await unreliableService(r, ({ method }) => service[method] ?? "pass");
      const variables = { ...GITHUB, ...environment, ...cause.environment };
      const ran = await runWithReports(r, [command, ...words, "a.yaml", ...flags], variables);
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
      expect(suite?.attributes).not.toMatchObject({ failures: "0", errors: "0" });
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
    for (const name of ["New", "Course 3", "Course 2"]) {
      expect(reports.html).toMatch(new RegExp(`<h[23] id="n\\d+"[^>]*>(<[^>]*>)*\\s*${name}<`));
    }
  },
);

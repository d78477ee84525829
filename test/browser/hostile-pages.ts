/** Every kind of page, with hostile courses in it. */
import type { PlainObject } from "../../src/base/values.ts";
import { diffCourses } from "../../src/course/difference.ts";
import type { Diagnostic } from "../../src/files/diagnostic.ts";
import type { CheckReport } from "../../src/output/diagnostics.ts";
import { renderPage } from "../../src/output/page/page.ts";
import { cardOf, reportPage, runPage } from "../../src/output/page/report-page.ts";
import { hostileCourses } from "./hostile-courses.ts";

const TIME = "2026-01-31T12:00:00.000Z";

/** The name of a course, if it is a text. */
function nameOf({ name }: PlainObject): string | null {
  return typeof name === "string" ? name : null;
}

/** The pages by what they are. */
export function hostilePages(): Readonly<Record<string, string>> {
  const courses = hostileCourses();
  const names = courses.map((each) => nameOf(each) ?? "none");
  const problems = courses.map(
    (_, index): Diagnostic => ({
      file: `${names[index]}.yaml`,
      ...{ line: 1, column: 1, endLine: 1, endColumn: 1 },
      severity: index % 2 === 0 ? "error" : "warning",
      rule: "unknown-key",
      message: `unknown field ${names[index]}`,
      suggestion: names[index],
      path: [index % 3 === 0 ? "name" : (names[index] ?? "")],
    }),
  );
  const providers = { p: names[1] ?? "", "6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b21": names[0] ?? "" };
  const cards = courses.map((each, index) => ({
    course: each,
    file: names[index] ?? null,
    line: 1,
    problems: [problems[index]].filter((found) => found !== undefined),
  }));
  const error = {
    kind: "rejected",
    message: names[0] ?? "",
    hint: names[1],
    next: names[2],
  } as const;
  const steps = courses.map((each, index) => {
    const old = courses[(index + 1) % courses.length] ?? {};
    const action = index % 9 === 0 ? "delete" : index % 7 === 0 ? "create" : "update";
    const described = { id: `${index}`, name: nameOf(each), url: nameOf(old), file: nameOf(each) };
    const fields = diffCourses(each, old).map((change, place) =>
      place === 0 ? { ...change, changedIn: "both" as const, base: names[index] } : change,
    );
    return { ...described, line: 1, action, status: "failed", fields, error };
  });
  const report: CheckReport = {
    files: names,
    courses: courses.length,
    diagnostics: problems,
    outcome: names.slice(0, 3),
    target: { baseUrl: names[0] ?? "", providers: names.slice(1, 2), profile: names[2] },
    time: { start: Date.parse(TIME), duration: 1 },
    providers,
  };
  const run = { run: names[0] ?? "", time: TIME, command: names[1] ?? "", baseUrl: names[2] ?? "" };
  const from = { user: names[3] ?? "", host: names[4] ?? "", note: names[5] ?? "" };
  const preview = (): string => {
    const named = new Map(Object.entries(providers));
    return renderPage({
      title: names[0] ?? "",
      facts: [["Target", names[2] ?? ""]],
      ...{ outcome: names.slice(0, 2), banner: names[0], failures: [error], problems },
      cards,
      providers: named,
    });
  };
  return {
    preview: preview(),
    check: reportPage({ ...report, cards }),
    diff: reportPage({
      ...report,
      command: "catalog courses diff",
      cards: steps.map((step, index) => cardOf({ ...step, status: "planned" }, courses[index])),
    }),
    run: runPage({
      header: {
        ...run,
        ...from,
        catalog: "run",
        version: 3,
        account: [],
        target: run.baseUrl,
      },
      counts: {
        created: 1,
        updated: 1,
        deleted: 1,
        unchanged: 0,
        failed: 1,
        skipped: 0,
        unknown: 1,
      },
      courses: steps.map((step) => ({ ...step, status: "done" })),
      failures: [],
    }),
  };
}

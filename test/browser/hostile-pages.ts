/** Every kind of page, with hostile courses in it. */
import type { PlainObject } from "../../src/base/values.ts";
import type { Write } from "../../src/core/step.ts";
import { withoutFile } from "../../src/course/problem.ts";
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
      line: 1,
      column: 1,
      endLine: 1,
      endColumn: 1,
      severity: index % 2 === 0 ? "error" : "warning",
      rule: "unknown-field",
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
  const steps = courses.map((each, index): Write => {
    const old = courses[(index + 1) % courses.length] ?? {};
    const facts = { id: `${index}`, name: nameOf(each), url: nameOf(old) };
    const from = { ...withoutFile(each), file: nameOf(each) ?? undefined, line: 1 };
    const course = { ...each, id: facts.id };
    if (index % 9 === 0) return { action: "delete", ...facts, before: course };
    if (index % 7 === 0) return { action: "create", ...facts, from, body: course };
    const changedIn = Object.fromEntries(Object.keys(each).map((key) => [key, "both"] as const));
    const compared = { changedIn, base: old };
    return { action: "update", ...facts, from, body: each, before: old, compared };
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
      facts: { Target: names[2], [names[1] ?? ""]: names[3] },
      outcome: names.slice(0, 2),
      failures: [error],
      problems,
      risks: names.map((text, index) => ({ id: `${index}`, text })),
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
      cards: steps.map((step) => cardOf({ step, status: "planned" })),
    }),
    run: runPage(
      {
        header: {
          ...run,
          ...from,
          catalog: "run",
          version: 3,
          account: [],
          target: run.baseUrl,
        },
        steps: steps.map((step) => ({ step, status: "done" })),
      },
      [],
    ),
  };
}

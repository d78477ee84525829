/** Makes the cards of a report page (`--report html=<file>`). */
import type { Outcome } from "../core/apply.ts";
import { FileCourse } from "../core/located.ts";
import { listChanges } from "../core/step.ts";
import type { SourceCourse } from "../files/course-file.ts";
import { courseKey, type Diagnostic } from "../files/diagnostic.ts";
import type { ReportedCard, ReportedResult } from "../output/diagnostics.ts";
import { cardOf } from "../output/page/report-page.ts";

/**
 * A card for each course that changes or has problems. Without outcomes, every course of the files has a card.
 *
 * @param rows the results of the outcomes
 */
export async function reportCards(
  courses: readonly SourceCourse[],
  outcomes: readonly Outcome[] = [],
  rows: readonly ReportedResult[] = [],
  diagnostics: readonly Diagnostic[] = [],
): Promise<readonly ReportedCard[]> {
  if (outcomes.length === 0) return await Promise.all(courses.map(sourceCard));
  const problems = new Set(diagnostics.flatMap(({ course }) => course ?? []));
  return rows.flatMap((row, index) => {
    const step = outcomes[index]?.step;
    if (step === undefined) return [];
    const { from } = step;
    const key = from instanceof FileCourse ? courseKey(from.source) : undefined;
    if (step.action === "unchanged" && !problems.has(key ?? "")) return [];
    const remote = step.action === "update" ? step.remote : undefined;
    const own = step.action === "delete" ? step.before : from?.value;
    const body = "body" in step ? step.body : {};
    const reported = { ...row, action: row.action ?? "", fields: listChanges(step) };
    return { ...cardOf(reported, { ...remote, ...own, ...body }), key };
  });
}

/** The card of a course of a file. */
export async function sourceCard(source: SourceCourse): Promise<ReportedCard> {
  const { file, value } = source;
  return { course: value, file: file.name, line: source.line(), key: courseKey(source) };
}

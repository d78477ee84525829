/** Makes the cards of a report page (`--report html=<file>`). */
import type { Outcome } from "../core/apply.ts";
import { FileCourse } from "../core/located.ts";
import { listChanges } from "../core/step.ts";
import type { SourceCourse } from "../files/course-file.ts";
import { courseKey, type Diagnostic } from "../files/diagnostic.ts";
import type { ReportedCard } from "../output/diagnostics.ts";
import { cardOf } from "../output/page/report-page.ts";
import { toRow } from "./results.ts";

/** A card for each course that changes or has problems. Without outcomes, every course of the files has a card. */
export function reportCards(
  courses: readonly SourceCourse[],
  outcomes: readonly Outcome[] = [],
  diagnostics: readonly Diagnostic[] = [],
): readonly ReportedCard[] {
  if (outcomes.length === 0) return courses.map(sourceCard);
  const problems = new Set(diagnostics.flatMap(({ course }) => course ?? []));
  return outcomes.flatMap((outcome) => {
    const { step } = outcome;
    const { from } = step;
    const key = from instanceof FileCourse ? courseKey(from.source) : undefined;
    if (step.action === "unchanged" && !problems.has(key ?? "")) return [];
    const remote = step.action === "update" ? step.remote : undefined;
    const own = step.action === "delete" ? step.before : from?.value;
    const body = "body" in step ? step.body : {};
    const reported = { ...toRow(outcome), fields: listChanges(step) };
    return { ...cardOf(reported, { ...remote, ...own, ...body }), key };
  });
}

/** The card of a course of a file. */
export function sourceCard(source: SourceCourse): ReportedCard {
  const { file, value } = source;
  return { course: value, file: file.name, line: source.line(), key: courseKey(source) };
}

/** Makes the cards of a report page (`--report html=<file>`). */

import { FileCourse } from "../core/located.ts";
import { listChanges, type Step } from "../core/step.ts";
import type { SourceCourse } from "../files/course-file.ts";
import { courseKey } from "../files/diagnostic.ts";
import type { ReportedCard, ReportedResult } from "../output/diagnostics.ts";
import { cardOf } from "../output/page/report-page.ts";
import { describePlace } from "./results.ts";

interface RunCourses {
  readonly courses: readonly SourceCourse[];
  readonly steps: readonly Step[];
  readonly results: readonly ReportedResult[];
  /** The keys of courses with problems. */
  readonly problems: ReadonlySet<string | undefined>;
}

/** A card for each course that changes or has problems. Without steps, every course has a card. */
export async function reportCards(run: RunCourses): Promise<readonly ReportedCard[]> {
  const { courses, steps, results, problems } = run;
  if (steps.length === 0) return await Promise.all(courses.map(sourceCard));
  const byId = new Map(results.map((result) => [result.id, result]));
  const cards: ReportedCard[] = [];
  for (const step of steps) {
    const key = keyOf(step);
    const isShown = step.action !== "unchanged" || (key !== undefined && problems.has(key));
    if (isShown) cards.push(await stepCard(step, byId.get(step.id)));
  }
  return cards;
}

/** The card of a course with the changes of a step. @param result of the step; undefined if it was not applied */
async function stepCard(step: Step, result?: ReportedResult): Promise<ReportedCard> {
  const { from } = step;
  const wanted = step.action === "refused" ? step.wanted : step.action;
  const described = await describePlace(step);
  const remote = step.action === "update" ? step.remote : undefined;
  const reported = { ...described, ...result, action: wanted, fields: listChanges(step) };
  const own = step.action === "delete" ? step.before : from?.value;
  const body = "body" in step ? step.body : {};
  return { ...cardOf(reported, { ...remote, ...own, ...body }), key: keyOf(step) };
}

function keyOf({ from }: Step): string | undefined {
  return from instanceof FileCourse ? courseKey(from.source) : undefined;
}

/** The card of a course of a file. */
export async function sourceCard(source: SourceCourse): Promise<ReportedCard> {
  const { file, value } = source;
  return { course: value, file: file.name, line: await source.line(), key: courseKey(source) };
}

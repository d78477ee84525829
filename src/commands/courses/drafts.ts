/** Courses on their way from files and flags to the service: read, changed, checked, resolved. */
import { usageError } from "../../base/errors.ts";
import { isObject, type PlainObject } from "../../base/values.ts";
import { type Assignment, assign, isAssigned } from "../../command-support/assignments.ts";
import type { Context } from "../../command-support/context.ts";
import { readCourseFiles } from "../../command-support/course-files.ts";
import { ReportedError } from "../../command-support/reported-error.ts";
import { checkCourse } from "../../course/check.ts";
import { checkOwnership, resolveProvider } from "../../course/ownership.ts";
import type { Problem } from "../../course/problem.ts";
import type { Provider } from "../../course/provider.ts";
import {
  type Diagnostic,
  type Finding,
  placeProblem,
  sortByPlace,
  textDiagnostics,
} from "../../files/diagnostic.ts";
import type { SourceCourse } from "../../files/read.ts";
import { Repeats, repeatFinding } from "../../files/repeats.ts";

/** A course with the flags applied. */
export interface Draft {
  readonly course: PlainObject;
  /** Where it was read; none when flags alone describe it. */
  readonly source?: SourceCourse;
  readonly assignments: readonly Assignment[];
}

type Needs = Pick<Context, "io" | "folder" | "messages" | "options">;
/** Whether the courses are to be created whole, or change something that is there. */
export type Mode = "create" | "patch";

/** Reads the courses of the paths and applies the assignments to each of them. */
export async function readDrafts(
  request: { readonly paths: readonly string[]; readonly assignments: readonly Assignment[] },
  mode: Mode,
  context: Needs,
): Promise<Draft[]> {
  const { paths, assignments } = request;
  const unset = mode === "create" ? "absent" : "null";
  if (paths.length === 0) return [{ course: assign({}, assignments, unset), assignments }];
  const read = await readCourseFiles(paths, context);
  for (const failure of read.failures) await context.messages.fail(failure);
  await context.messages.diagnose(read.files.flatMap(textDiagnostics));
  const [failure] = read.failures;
  const courses = read.files.flatMap((file) => file.courses);
  const drafts = courses.map((source) => ({
    course: isObject(source.value) ? assign(source.value, assignments, unset) : {},
    source,
    assignments,
  }));
  if (failure === undefined && read.files.every((file) => file.problems.length === 0))
    return drafts;
  // The text is broken somewhere; the mistakes of the courses that could be read are told as well.
  await tellProblems(
    drafts,
    drafts.map(({ source }) => problemsOf(source.value, mode)),
    context,
  );
  throw new ReportedError(failure?.kind ?? "file");
}

/** Tells every local mistake. @throws AlreadyTold of kind `file`, or `usage` for a flag's mistake */
export async function checkDrafts(
  drafts: readonly Draft[],
  mode: Mode,
  context: Needs,
): Promise<void> {
  const repeats = new Repeats<SourceCourse | undefined>();
  let found = 0;
  const problems = drafts.map(({ course, source }) => {
    if (found > MOST_TOLD) return [];
    const read = source !== undefined && !isObject(source.value) ? source.value : course;
    const repeated = repeats.next(course, source);
    const own = [
      ...problemsOf(read, mode),
      ...repeated.map(({ field, first }) => repeatFinding(field, first)),
    ];
    found += own.length;
    return own;
  });
  await tellProblems(drafts, problems, context);
}

/**
 * The drafts with their providers resolved, once the providers have nothing against them.
 *
 * @throws AlreadyTold like `checkDrafts`
 */
export async function resolveDrafts(
  drafts: readonly Draft[],
  providers: readonly Provider[],
  context: Needs,
): Promise<Draft[]> {
  const problems = drafts.map(({ course }) => errorsOf(checkOwnership(course, providers)));
  await tellProblems(drafts, problems, context);
  return drafts.map((draft) => ({ ...draft, course: resolveProvider(draft.course, providers) }));
}

function problemsOf(course: unknown, mode: Mode): Finding[] {
  return errorsOf(checkCourse(course, { mode, most: MOST_TOLD }));
}

function errorsOf(problems: readonly Problem[]): Finding[] {
  return problems.filter(({ severity }) => severity === "error").map((problem) => ({ problem }));
}

const MOST_TOLD = 10_000;

async function tellProblems(
  drafts: readonly Draft[],
  findings: readonly (readonly Finding[])[],
  context: Needs,
): Promise<void> {
  const ofFiles: Diagnostic[] = [];
  const ofFlags: string[] = [];
  for (const [index, { source, assignments }] of drafts.entries()) {
    // The first thousands of mistakes are enough to go on with.
    if (ofFiles.length + ofFlags.length > MOST_TOLD) break;
    for (const finding of findings[index] ?? []) {
      if (source === undefined || isAssigned(finding.problem.path, assignments)) {
        ofFlags.push(flagFault(finding.problem, assignments));
      } else {
        ofFiles.push(placeProblem(source, finding));
      }
    }
  }
  const files = drafts.flatMap(({ source }) => source?.file.name ?? []);
  await context.messages.diagnose(sortByPlace(ofFiles, files));
  if (ofFlags.length > 0) throw usageError([...new Set(ofFlags)].join("; "));
  if (ofFiles.length > 0) throw new ReportedError("file");
}

/** A problem that a flag made, in words that name the flag. */
export function flagFault(problem: Problem, assignments: readonly Assignment[]): string {
  const origin = assignments.find((assignment) => isAssigned(problem.path, [assignment]))?.origin;
  const meant = problem.suggestion === undefined ? "" : ` (did you mean ${problem.suggestion}?)`;
  return `${origin === undefined ? "" : `${origin}: `}${problem.message}${meant}`;
}

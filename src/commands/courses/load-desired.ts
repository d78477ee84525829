/** The courses that files want the service to hold: read, checked, with their providers resolved. */
import type { ErrorKind } from "../../base/errors.ts";
import { isObject, type PlainObject } from "../../base/values.ts";
import type { Context } from "../../command-support/context.ts";
import { readCourseFiles } from "../../command-support/course-files.ts";
import { ReportedError } from "../../command-support/reported-error.ts";
import { checkOwnership, resolveProvider } from "../../course/ownership.ts";
import type { Provider } from "../../course/provider.ts";
import { FileCheck } from "../../files/check.ts";
import { placeProblem, sortByPlace, unreadDiagnostic } from "../../files/diagnostic.ts";
import type { SourceCourse, SourceFile } from "../../files/read.ts";
import type { CheckReport, Diagnostic } from "../../output/diagnostics.ts";

/** A course of a file. */
export interface DesiredCourse {
  /** As it is to be; `provider_id` stands in the place of `provider`. */
  readonly course: PlainObject;
  readonly source: SourceCourse;
  /** The number of its file among those that were read, from 0. */
  readonly fileNumber: number;
}

/** Where to read. */
export interface Sources {
  readonly paths: readonly string[];
  /** Files that are no course files though a folder holds them. */
  readonly except?: readonly string[];
}

type Needs = Pick<Context, "io" | "folder" | "messages" | "helpers">;

/**
 * Reads and checks every file, first without the service, then with the user's providers. Errors
 * are told; warnings are `check`'s business.
 *
 * @param found takes what is known so far, before anything is thrown
 * @throws AlreadyTold of kind `file`, or `usage` for a path that holds no course
 */
export async function loadDesired(
  { paths, except }: Sources,
  readProviders: () => Promise<readonly Provider[]>,
  found: (report: CheckReport) => void,
  context: Needs,
): Promise<readonly DesiredCourse[]> {
  const { files, summaries, failures } = await readCourseFiles(paths, context, except);
  const check = new FileCheck();
  const unread = failures.map(unreadDiagnostic);
  const findings = files.flatMap((file) => {
    const summary = summaries.get(file);
    const again = (): SourceFile => file;
    return summary === undefined ? check.next(file, again) : check.nextSummary(summary, again);
  });
  const local = check.completed(findings);
  const names = [...unread.map(({ file }) => file), ...files.map(({ name }) => name)];
  const courses = files.reduce((sum, file) => sum + file.courses.length, 0);
  found({ files: names, courses, diagnostics: [...unread, ...local] });
  for (const failure of failures) await context.messages.fail(failure);
  await stopAtErrors(local, failures[0]?.kind, context);

  const { wanted, owned } = resolved(files, await readProviders());
  const all = sortByPlace([...local, ...owned], names);
  found({ files: names, courses, diagnostics: all });
  await stopAtErrors(sortByPlace(owned, names), undefined, context);
  return wanted;
}

function resolved(
  files: readonly SourceFile[],
  providers: readonly Provider[],
): { readonly wanted: readonly DesiredCourse[]; readonly owned: readonly Diagnostic[] } {
  const owned: Diagnostic[] = [];
  const wanted: DesiredCourse[] = [];
  for (const [fileNumber, file] of files.entries()) {
    for (const source of file.courses) {
      if (!isObject(source.value)) continue;
      for (const problem of checkOwnership(source.value, providers)) {
        owned.push(placeProblem(source, { problem }));
      }
      wanted.push({ course: resolveProvider(source.value, providers), source, fileNumber });
    }
  }
  return { wanted, owned };
}

/** Tells the errors. @throws AlreadyTold where there are any, or something failed before */
export async function stopAtErrors(
  diagnostics: readonly Diagnostic[],
  failed: ErrorKind | undefined,
  { messages }: Pick<Context, "messages">,
): Promise<void> {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  await messages.diagnose(errors);
  if (failed !== undefined || errors.length > 0) throw new ReportedError(failed ?? "file");
}

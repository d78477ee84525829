/** Finds what is wrong with course files, for `check`. */
import { asCatalogError, type CatalogError } from "../../../base/errors.ts";
import type { Context } from "../../../command-support/context.ts";
import type { ReportTarget } from "../../../command-support/report-flag.ts";
import type { FindingFilter } from "../../../command-support/rule-choice.ts";
import { type ProgressNeeds, readProviders, showWork } from "../../../command-support/work.ts";
import type { Provider } from "../../../course/provider.ts";
import type { Diagnostic } from "../../../files/diagnostic.ts";
import { loadCourses } from "../../../files/load.ts";
import type { CheckReport } from "../../../output/diagnostics.ts";

type Needs = ProgressNeeds & Pick<Context, "folder" | "providers">;

/** What is checked, and which findings count. */
interface CheckOptions {
  readonly paths: readonly string[];
  readonly strict: boolean;
  /** Reports, which are no course files. */
  readonly report: readonly ReportTarget[];
  readonly filter: FindingFilter;
}

/** What was found in the files, and the findings for files that could not be read. */
interface Checked {
  readonly report: CheckReport;
  readonly failures: ReadonlyMap<Diagnostic, CatalogError>;
}

/** Checks every file. @param providers also checks that the courses belong to them */
export async function checkFiles(
  { paths, strict, report: reports, filter }: CheckOptions,
  providers: readonly Provider[] | undefined,
  context: Needs,
): Promise<Checked> {
  const options = {
    folder: context.folder,
    input: context.io.in,
    except: reports.map(({ file }) => file),
    providers,
  };
  const files: string[] = [];
  const diagnostics: Diagnostic[] = [];
  const failures = new Map<Diagnostic, CatalogError>();
  let courses = 0;
  await showWork("Checking files", context, async ({ update: onProgress }) => {
    for await (const file of loadCourses(paths, { ...options, onProgress })) {
      if (file.isLeftOut !== true) files.push(file.name);
      courses += file.courses.length;
      // A file that cannot be read is a failure whatever its rule.
      const isRead = file.failure === undefined;
      for (const found of isRead ? filter(file.diagnostics) : file.diagnostics) {
        const diagnostic = raised(found, strict);
        diagnostics.push(diagnostic);
        if (file.failure !== undefined) failures.set(diagnostic, file.failure);
      }
    }
  });
  return { report: { files, courses, diagnostics }, failures };
}

function raised(diagnostic: Diagnostic, strict: boolean): Diagnostic {
  const { severity } = diagnostic;
  return strict && severity === "warning" ? { ...diagnostic, severity: "error" } : diagnostic;
}

/** The user's providers; undefined if they cannot be read, so that local findings are still reported. */
export async function findProviders(context: Needs): Promise<readonly Provider[] | undefined> {
  try {
    return await readProviders(context);
  } catch (thrown) {
    const error = asCatalogError(thrown);
    // A missing or invalid setting ends the command before any check.
    if (error.kind === "usage" || error.kind === "interrupted") throw error;
    await context.messages.fail(error);
    return undefined;
  }
}

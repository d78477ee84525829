/** `catalog courses edit`: changes a course in your editor. */
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { writeError, writeFileAtomically } from "../../base/atomic-write.ts";
import { attempt, CatalogError, usageError } from "../../base/errors.ts";
import { joinList } from "../../base/text.ts";
import { isObject, type PlainObject } from "../../base/values.ts";
import { canAsk, confirm } from "../../command-support/ask.ts";
import { runTool } from "../../command-support/child.ts";
import { command } from "../../command-support/command.ts";
import type { Context } from "../../command-support/context.ts";
import {
  COURSE_ARGUMENT,
  parseCourses,
  resolveCourses,
} from "../../command-support/course-arguments.ts";
import { loadAllCourses } from "../../command-support/course-files.ts";
import { SERVICE_EXITS } from "../../command-support/exit-codes.ts";
import { withoutFile } from "../../command-support/located.ts";
import {
  checkRunFlags,
  RECORD_FLAGS,
  type RecordFlags,
} from "../../command-support/record-flag.ts";
import { describeOutcomes } from "../../command-support/results.ts";
import { runSteps, type StepRun } from "../../command-support/run-steps.ts";
import { readProviders } from "../../command-support/work.ts";
import { resolveProvider } from "../../course/provider-ownership.ts";
import type { Course } from "../../course/request-body.ts";
import { writtenValue } from "../../files/course-file.ts";
import { readBytes } from "../../files/decode.ts";
import { courseText } from "../../files/write.ts";
import { diagnosticText } from "../../output/diagnostic-text.ts";
import type { Obstacle } from "../../sync/preconditions.ts";
import { planChange, refuseStep, type StepTo, type WriteStep } from "../../sync/step.ts";

/** Sends GETs of the course and the providers, and, if the user confirms, a PATCH. */
export const edit = command({
  description:
    "Opens the course as YAML in $VISUAL or $EDITOR. When you close the editor, edit checks the course, shows " +
    "what would change, and asks before it sends anything. Fields that you remove are cleared.",
  arguments: [COURSE_ARGUMENT],
  flags: RECORD_FLAGS,
  examples: [
    { description: "Edit a course", line: "catalog courses edit K-1042" },
    {
      description: "Use another editor",
      line: "EDITOR=nano catalog courses edit 0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10",
    },
  ],
  exits: [...SERVICE_EXITS, 3, 5],
  parse: ({ values, ...words }) => ({ ...values, words: parseCourses(words) }),
  run: editCourse,
});

async function editCourse(
  { words, ...flags }: RecordFlags & { readonly words: readonly string[] },
  context: Context,
): Promise<void> {
  checkRunFlags(flags, context);
  if (!canAsk(context)) {
    const advice = `In a script, use update. For example: catalog courses update K-1042 --set level='["beginner"]'`;
    throw usageError("edit needs a terminal", advice);
  }
  const [found] = await resolveCourses(words, {}, context);
  if (found === undefined) return;
  const remote = found.course;
  if (remote instanceof CatalogError) throw remote;
  const folder = await createFolder(context);
  const file = join(folder, "course.yaml");
  const original = courseText(remote, "yaml");
  await writeFileAtomically(file, original, { mode: "private", processes: context.processes });
  let isFinished = false;
  const release = context.deferShutdown();
  try {
    isFinished = await editUntilValid(file, remote, flags, context);
  } finally {
    try {
      // Text that was not sent must not be lost.
      const isDisposable =
        isFinished || !existsSync(file) || attempt(() => readText(file)) === original;
      if (isDisposable) await rm(folder, { recursive: true });
      else await context.messages.important(`Your text is saved in ${file}.`);
    } finally {
      release();
    }
  }
}

/** Creates a folder for the text that only the user can read. @throws CatalogError of kind `output` */
async function createFolder({ environment, folder }: Context): Promise<string> {
  const parent = resolve(folder, environment.TMPDIR || tmpdir());
  return await mkdtemp(join(parent, "catalog-edit-")).catch((cause: unknown) => {
    throw writeError(parent, cause).with({ advice: "Set TMPDIR to a writable folder." });
  });
}

function readText(file: string): string {
  return readBytes({ name: file, path: file }).toString();
}

/** Opens the editor until the course is valid or the user stops. @returns whether the text may be removed */
async function editUntilValid(
  file: string,
  remote: Course,
  flags: RecordFlags,
  context: Context,
): Promise<boolean> {
  for (;;) {
    const before = readText(file);
    await openEditor(file, context);
    if (!existsSync(file)) throw usageError("the editor removed the file; nothing was sent");
    const isUntouched = readText(file) === before;
    if (isUntouched && before === courseText(remote, "yaml")) return await reportNothing(context);
    const edited = await readEdited(file, remote, context);
    if (edited !== undefined) return await send(edited, remote, flags, context);
    if (isUntouched || !(await confirm("Edit the course again?", context))) {
      context.messages.record("file");
      return false;
    }
  }
}

async function reportNothing({ messages }: Context): Promise<boolean> {
  await messages.info("Nothing was changed.");
  return true;
}

async function openEditor(file: string, context: Context): Promise<void> {
  const { VISUAL, EDITOR } = context.environment;
  const value = [VISUAL, EDITOR].find((words) => words?.trim()) ?? "vi";
  const advice = "To use another editor, set VISUAL or EDITOR.";
  const code = await runTool({ value, advice }, [file], context);
  if (context.stop.reason !== undefined) throw new CatalogError("interrupted", "interrupted");
  if (code === 0) return;
  const message = `the editor ended with exit code ${code}; nothing was sent`;
  throw new CatalogError("usage", message, { advice });
}

/** The course in the file; undefined if it has errors, which are shown. @throws CatalogError if it cannot be read */
async function readEdited(
  file: string,
  remote: Course,
  context: Context,
): Promise<PlainObject | undefined> {
  const providers = await readProviders(context);
  const { courses, diagnostics, failures } = await loadAllCourses([file], context, { providers });
  const [failure] = failures;
  if (failure !== undefined) throw failure;
  // Printed without recording a failure, because the user may still fix them.
  const { io, styles } = context;
  if (diagnostics.length > 0) await io.err.write(await diagnosticText(diagnostics, styles, io.err));
  const hasErrors = diagnostics.some(({ severity }) => severity === "error");
  const [course, ...others] = courses;
  // The temporary folder may be inside a project with default values, which the user did not type.
  const written = course === undefined ? undefined : writtenValue(course);
  if (hasErrors || !isObject(written)) return undefined;
  if (others.length > 0)
    throw usageError(`the text must contain one course, not ${courses.length}`);
  const { id, ...fields } = written;
  if (typeof id === "string" && id.toLowerCase() !== remote.id.toLowerCase()) {
    throw usageError("the id of a course cannot be changed", "Remove the id from the text.");
  }
  return resolveProvider(fields, providers);
}

/** Shows the differences, and sends them if the user confirms. @returns whether the text may be removed */
async function send(
  course: PlainObject,
  remote: Course,
  flags: RecordFlags,
  context: Context,
): Promise<boolean> {
  const step = planChange(withoutFile(course), remote, { complete: true });
  if (step.action === "unchanged") return await reportNothing(context);
  const run: StepRun = {
    steps: [step],
    doing: "Updating",
    shown: { as: "values", always: true },
    questions: { all: "Send these changes?" },
    refuse: refuseChanged,
    summarize: (counts) => [describeOutcomes(counts)],
  };
  const { counts } = await runSteps(run, flags, context);
  return counts.updated > 0;
}

/** Refuses to overwrite a field that changed in the catalog while the user edited the course. */
function refuseChanged(step: WriteStep, obstacle: Obstacle): StepTo<"refused"> {
  const fields = "fields" in obstacle ? obstacle.fields.map(({ name }) => name) : [];
  const what =
    fields.length === 0 ? "the course was deleted" : `${joinList(fields, "and")} changed`;
  const message = `${what} in the catalog while you edited the course; nothing was sent`;
  const error = new CatalogError("refused", message, { advice: "Edit the course again." });
  return refuseStep(step, "update", error);
}

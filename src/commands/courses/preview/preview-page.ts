/** Makes the page of a preview: cards of the courses in files, or in the catalog. */
import { CatalogError } from "../../../base/errors.ts";
import { maskValue } from "../../../base/secrets.ts";
import { isObject } from "../../../base/values.ts";
import type { FlagValues } from "../../../command-support/arguments.ts";
import type { Context } from "../../../command-support/context.ts";
import { loadAllCourses, type TABLE_FLAGS } from "../../../command-support/course-files.ts";
import { FileCourse } from "../../../command-support/located.ts";
import { listCourses } from "../../../command-support/read-courses.ts";
import { sourceCard, stepCard } from "../../../command-support/report-cards.ts";
import { findTarget } from "../../../command-support/show-steps.ts";
import { readProviders } from "../../../command-support/work.ts";
import { type Provider, providerNames } from "../../../course/provider.ts";
import { resolveProvider } from "../../../course/provider-ownership.ts";
import type { SourceCourse } from "../../../files/course-file.ts";
import { courseKey } from "../../../files/diagnostic.ts";
import { checkOwners } from "../../../files/validate.ts";
import { plain } from "../../../output/color.ts";
import { describeTarget, type ReportedCard, summaryText } from "../../../output/diagnostics.ts";
import type { CourseCard } from "../../../output/page/course-card.ts";
import type { Page } from "../../../output/page/page.ts";
import { attachProblems, timeText } from "../../../output/page/report-page.ts";
import { planSync } from "../../../sync/plan.ts";
import { diagnoseConflict } from "../push/plan-push.ts";

export interface PreviewSources extends FlagValues<typeof TABLE_FLAGS> {
  /** Course files and folders; none for the courses in the catalog. */
  readonly paths: readonly string[];
  readonly online: boolean;
  /** Files that the command writes, so they are not read as course files of a folder. */
  readonly except?: readonly string[];
}

/** A page, and the names of the files whose courses it shows. */
export interface Preview {
  readonly page: Page;
  readonly files: readonly string[];
}

/** Makes the page. @throws CatalogError if none of the files can be read, or if the catalog cannot be read */
export async function makePreview(sources: PreviewSources, context: Context): Promise<Preview> {
  return sources.paths.length > 0
    ? await previewFiles(sources, context)
    : await previewCatalog(sources, context);
}

async function previewFiles(sources: PreviewSources, context: Context): Promise<Preview> {
  const { paths, sheet, encoding, except = [] } = sources;
  const loaded = await loadAllCourses(paths, context, { sheet, encoding, except });
  const read = loaded.files.filter(({ isLeftOut }) => isLeftOut !== true);
  const files = read.map(({ name }) => name);
  const [failure] = loaded.failures;
  if (failure !== undefined && loaded.failures.length === files.length) {
    throw new CatalogError("file", failure.message, failure.facts);
  }
  const found = loaded.files.flatMap(({ diagnostics }) => diagnostics);
  const online = sources.online ? await compareOnline(loaded.courses, context) : undefined;
  const diagnostics = [...found, ...(online?.diagnostics ?? [])];
  const cards = await Promise.all(
    loaded.courses.map((source) => online?.cards.get(courseKey(source)) ?? sourceCard(source)),
  );
  const { shown, others } = attachProblems(cards, diagnostics);
  const summary = summaryText({ files, courses: cards.length, diagnostics }, plain);
  const providers = online?.providers ?? [];
  const outcome = [`${summary}.`];
  const content = { cards: shown, problems: others, providers, outcome, isOnline: sources.online };
  return { files, page: await pageOf(content, sources, context) };
}

async function previewCatalog(sources: PreviewSources, context: Context): Promise<Preview> {
  const providers = await readProviders(context);
  const warn = (text: string): Promise<void> => context.messages.warn(text);
  const cards = (await listCourses({}, context, warn)).map((course) => ({ course }));
  const page = { cards, problems: [], providers, outcome: [], isOnline: true };
  return { files: [], page: await pageOf(page, sources, context) };
}

interface Content extends Required<Pick<Page, "problems" | "outcome">> {
  readonly cards: readonly CourseCard[];
  readonly providers: readonly Provider[];
  readonly isOnline: boolean;
}

async function pageOf(
  { isOnline, ...content }: Content,
  { paths }: PreviewSources,
  context: Context,
): Promise<Page> {
  // Users send pages to others, so the API key is masked.
  const masked = maskValue(content, context.io.out.mask) as typeof content;
  const { cards, problems, outcome } = masked;
  const providers = new Map(Object.entries(providerNames(masked.providers)));
  const target = isOnline ? describeTarget(await findTarget(context)) : undefined;
  const time = timeText(new Date(context.clock.now()).toISOString());
  return {
    title: paths.length === 0 ? "Courses in the catalog" : "Preview of courses",
    facts: [...(target === undefined ? [] : [["Catalog", target] as const]), ["Time", time]],
    ...{ outcome, problems, providers },
    cards,
  };
}

/** Compares the courses of files with the catalog. @returns cards by `courseKey`, and the problems that this shows */
async function compareOnline(sources: readonly SourceCourse[], context: Context) {
  const providers = await readProviders(context);
  const warn = (text: string): Promise<void> => context.messages.warn(text);
  const remote = await listCourses({}, context, warn);
  const desired = sources.flatMap((source) =>
    isObject(source.value)
      ? [new FileCourse(source, resolveProvider(source.value, providers))]
      : [],
  );
  const { steps, conflicts } = planSync(desired, remote);
  const diagnostics = [
    ...(await checkOwners(sources, providers)),
    ...(await Promise.all(conflicts.map(diagnoseConflict))),
  ];
  const cards = new Map<string, ReportedCard>();
  for (const step of steps) {
    const card = await stepCard(step);
    if (card.key !== undefined) cards.set(card.key, card);
  }
  return { providers, cards, diagnostics };
}

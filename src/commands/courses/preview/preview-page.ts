/** Makes the page of a preview: cards of the courses in files, or in the catalog. */
import { CatalogError, UNRELIABLE_LISTING } from "../../../base/errors.ts";
import { maskValue } from "../../../base/secrets.ts";
import type { FlagValues } from "../../../cli/arguments.ts";
import { listCourses } from "../../../cli/catalog.ts";
import type { Context } from "../../../cli/context.ts";
import { loadAllCourses, type TABLE_FLAGS } from "../../../cli/course-files.ts";
import { sourceCard } from "../../../cli/report.ts";
import { readProviders } from "../../../cli/work.ts";
import { type Provider, providerNames } from "../../../course/provider.ts";
import { briefTime } from "../../../output/cells.ts";
import { describeTarget, summaryText } from "../../../output/diagnostics.ts";
import type { CourseCard } from "../../../output/page/course-card.ts";
import type { Page } from "../../../output/page/page.ts";
import { attachProblems } from "../../../output/page/report-page.ts";
import { plain } from "../../../output/text-measure.ts";

interface PreviewSources extends FlagValues<typeof TABLE_FLAGS> {
  /** Course files and folders; none for the courses in the catalog. */
  readonly paths: readonly string[];
  /** Files that the command writes, so they are not read as course files of a folder. */
  readonly except?: readonly string[];
}

/** A page, and the names of the files whose courses it shows. */
interface Preview {
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
  const diagnostics = loaded.files.flatMap((file) => file.diagnostics);
  const cards = loaded.courses.map(sourceCard);
  const { shown, others } = attachProblems(cards, diagnostics);
  const summary = summaryText({ files, courses: cards.length, diagnostics }, plain);
  const outcome = [`${summary}.`];
  const content = { cards: shown, problems: others, providers: [], outcome, isOnline: false };
  return { files, page: await pageOf(content, sources, context) };
}

async function previewCatalog(sources: PreviewSources, context: Context): Promise<Preview> {
  const providers = await readProviders(context);
  const { courses, isUnreliable } = await listCourses(context);
  if (isUnreliable) await context.messages.warn(UNRELIABLE_LISTING);
  const cards = courses.map((course) => ({ course }));
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
  const target = isOnline ? describeTarget(await context.target()) : undefined;
  const time = `${briefTime(new Date(context.clock.now()).toISOString())} UTC`;
  return {
    title: paths.length === 0 ? "Courses in the catalog" : "Preview of courses",
    facts: [...(target === undefined ? [] : [["Catalog", target] as const]), ["Time", time]],
    ...{ outcome, problems, providers },
    cards,
  };
}

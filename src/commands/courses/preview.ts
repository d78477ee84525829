/** `catalog courses preview`: writes courses as cards on a page, which the browser shows. */
import { pathToFileURL } from "node:url";
import { writeFileAtomically } from "../../base/atomic-write.ts";
import { asCatalogError, UNRELIABLE_LISTING } from "../../base/errors.ts";
import { temporaryPath } from "../../base/files.ts";
import { pluralize } from "../../base/text.ts";
import { DRY_RUN_FLAG, type Flag, newFile, type Typed } from "../../cli/arguments.ts";
import { readCatalog } from "../../cli/catalog.ts";
import { command } from "../../cli/command.ts";
import type { Context } from "../../cli/context.ts";
import { loadAllCourses, PATH_ARGUMENT, stopAtErrors } from "../../cli/course-files.ts";
import { canOpenBrowser, openInBrowser } from "../../cli/programs.ts";
import { readProviders } from "../../cli/work.ts";
import { publishReport, sourceCard, writeReport } from "../../cli/write-reports.ts";
import { providerNames } from "../../course/provider.ts";
import { reportText } from "../../output/report-text.ts";

const FLAGS = [
  {
    name: "out",
    value: "<file.html>",
    parse: newFile,
    file: "written",
    description: "write the page to this file, and open no browser",
  },
  DRY_RUN_FLAG,
] as const satisfies readonly Flag[];

/** With paths, sends nothing; without paths, sends GETs of the providers and courses. */
export const preview = command({
  description:
    "Writes one HTML file that needs nothing else, and opens it in your browser. With files, preview needs neither " +
    "an API key nor a network. Without files, the page shows the courses in your catalog. Without --out, the page " +
    "is a temporary file that only you can read.",
  arguments: [PATH_ARGUMENT],
  flags: FLAGS,
  examples: {
    "Look at course files": "catalog courses preview courses/",
    "Write the page to a file, for example to send it by email":
      "catalog courses preview courses/ --out courses.html",
    "Look at your catalog": "catalog courses preview",
  },
  run: previewCourses,
});

async function previewCourses(
  { words: paths, out, dryRun }: Typed<typeof FLAGS>,
  context: Context,
): Promise<void> {
  const { clock, environment, messages, path } = context;
  const content = paths.length > 0 ? await readFiles(paths, context) : await readCards(context);
  const { cards } = content;
  const time = { start: clock.now(), duration: 0 };
  const report = { ...content, command: `catalog ${path}`, time, courses: cards.length };
  const text = await reportText("html", publishReport(report, context));
  // It stays, because the browser may read it after this process has ended.
  const file = out ?? temporaryPath(`catalog-${clock.uuid()}.html`, environment);
  if (out !== undefined) await writeReport(out, text, context, dryRun);
  else if (!dryRun) {
    const to = { name: file, path: file, root: undefined };
    await context.deferShutdown(() => writeFileAtomically(to, text, true));
  }
  const wrote = dryRun ? "Would write" : "Wrote";
  await messages.info(`${wrote} ${pluralize(cards.length, "course")} to ${file}.`);
  if (dryRun || out !== undefined || !canOpenBrowser(context)) return;
  await openInBrowser(pathToFileURL(file).href, context).catch(async (thrown: unknown) => {
    const { message } = asCatalogError(thrown);
    await messages.warn(`${message}; open the file in a browser yourself`);
  });
}

/** @throws ReportedError if the files have errors and no course */
async function readFiles(paths: readonly string[], context: Context) {
  const loaded = await loadAllCourses(paths, context);
  const read = loaded.files.filter(({ isLeftOut }) => isLeftOut !== true);
  const files = read.map(({ name }) => name);
  const { diagnostics, courses } = loaded;
  if (courses.length === 0) await stopAtErrors(diagnostics, context, "no page was written");
  return { files, diagnostics, cards: courses.map(sourceCard) };
}

/** @throws CatalogError if the catalog cannot be read */
async function readCards(context: Context) {
  const providers = providerNames(await readProviders(context));
  const index = await readCatalog(context);
  if (!index.isReliable) await context.messages.warn(UNRELIABLE_LISTING);
  const cards = [...index.courses].map((course) => ({ course }));
  return { files: [], diagnostics: [], cards, providers, target: await context.target() };
}

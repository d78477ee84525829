/** `catalog courses preview`: shows courses as cards on a page, in a file or in the browser. */
import { asCatalogError, CatalogError, usageError } from "../../../base/errors.ts";
import { STANDARD_INPUT } from "../../../base/io.ts";
import { pluralize } from "../../../base/text.ts";
import {
  type Flag,
  type FlagValues,
  newFile,
  type ParsedArguments,
  wholeNumber,
} from "../../../command-support/arguments.ts";
import { canOpenBrowser, openInBrowser } from "../../../command-support/browser.ts";
import { command } from "../../../command-support/command.ts";
import type { Context } from "../../../command-support/context.ts";
import {
  FILES_FROM_FLAG,
  PATH_ARGUMENT,
  parsePaths,
  readPaths,
  TABLE_FLAGS,
} from "../../../command-support/course-files.ts";
import { SERVICE_EXITS } from "../../../command-support/exit-codes.ts";
import { requireNoFormat } from "../../../command-support/globals.ts";
import { writeReport } from "../../../command-support/report-flag.ts";
import { watchFiles } from "../../../files/watch.ts";
import { failureFacts } from "../../../output/failure.ts";
import { contentPolicy, renderPage } from "../../../output/page/page.ts";
import { makePreview, type Preview, type PreviewSources } from "./preview-page.ts";
import { servePage } from "./serve-page.ts";

const FLAGS = [
  {
    name: "out",
    value: "<file.html>",
    completes: "file",
    parse: newFile,
    description: "write one HTML file instead of opening a page",
  },
  { name: "images", description: "let the browser load the images of the courses" },
  {
    name: "online",
    description: "also show approval states, and what differs from the catalog",
  },
  { name: "no-open", excludes: ["out"], description: "do not open the browser" },
  {
    name: "port",
    value: "<n>",
    excludes: ["out"],
    parse: wholeNumber(0),
    description: "port of the page (default: a free one)",
  },
  FILES_FROM_FLAG,
  ...TABLE_FLAGS,
] as const satisfies readonly Flag[];

interface Options extends FlagValues<typeof FLAGS> {
  readonly paths: readonly string[];
}

/** With paths no request, with `--online` GETs of the providers and courses; without paths these. */
export const preview = command({
  description:
    "With files, the page in the browser follows their changes, and nothing is sent or loaded. " +
    "Without files, it shows the courses of the catalog.",
  arguments: [PATH_ARGUMENT],
  flags: FLAGS,
  examples: [
    { description: "See course files as students will", line: "catalog courses preview courses/" },
    {
      description: "Write one file, for example to send it by email",
      line: "catalog courses preview courses/ --out courses.html",
    },
    {
      description: "Also show what differs from the catalog",
      line: "catalog courses preview courses/ --online",
    },
    { description: "See the catalog, with images", line: "catalog courses preview --images" },
  ],
  exits: [...SERVICE_EXITS, 3],
  parse: parseOptions,
  run: previewCourses,
});

function parseOptions({ values, ...words }: ParsedArguments<typeof FLAGS>): Options {
  const paths = parsePaths(words, values.filesFrom);
  const { online, sheet, encoding } = values;
  const given = Object.entries({ online, sheet, encoding });
  const [flag] = given.find(([, value]) => Boolean(value)) ?? [];
  if (flag !== undefined && paths.length === 0 && values.filesFrom === undefined) {
    throw usageError(
      `--${flag} is about course files, and none is given`,
      "Without files, the preview shows the catalog.",
    );
  }
  return { ...values, paths };
}

async function previewCourses(options: Options, context: Context): Promise<number | undefined> {
  requireNoFormat("courses preview", context.options);
  const paths = await readPaths(options, context);
  // An empty list of files is not the whole catalog.
  if (paths.length === 0 && options.filesFrom !== undefined) return undefined;
  if (options.out === undefined) return await servePreview({ ...options, paths }, context);
  const sources = { ...options, paths, follows: false, except: [options.out] };
  const { page, files } = await makePreview(sources, context);
  await writeReport(options.out, files, async () => renderPage(page), context);
  await context.messages.info(`Wrote ${options.out}: ${describePage(page)}.`);
  return undefined;
}

/** Serves the page until the command is stopped. */
async function servePreview(options: Options, context: Context): Promise<number | undefined> {
  const { paths, port = 0, noOpen } = options;
  const { clock, folder, stop, io, messages } = context;
  // Standard input can be read only once.
  const isFixed = paths.includes(STANDARD_INPUT);
  const follows = paths.length > 0 && !isFixed;
  const sources: PreviewSources = { ...options, follows };
  // The first page shows whether there is anything to serve.
  let latest = await makePreview(sources, context);
  const render = async () => {
    const made = isFixed ? latest : await makePreview(sources, context).catch(asCatalogError);
    const isFailed = made instanceof CatalogError;
    // A page that cannot be made again stays as it was, and says why.
    if (!isFailed) latest = made;
    const failed = isFailed ? { isFailed, failures: [failureFacts(made)] } : {};
    return { text: renderPage({ ...latest.page, ...failed }), policy: contentPolicy(latest.page) };
  };
  const release = context.deferShutdown();
  try {
    const watching = { folder, clock, signal: stop.signal };
    const changes = follows ? watchFiles(paths, watching) : undefined;
    await servePage({ port, render, changes }, context, async (url) => {
      await io.out.write(`Preview of ${describePage(latest.page)}: ${url}\n`);
      const reloads = follows ? "It shows every change of the files at once. " : "";
      await messages.info(`${reloads}Press Ctrl-C to stop it.`);
      if (noOpen || !canOpenBrowser(context)) return;
      // Some browsers end only when they are closed.
      void openInBrowser(url, context).catch((error) =>
        messages.warn(`${asCatalogError(error).message}; open the page yourself`),
      );
    });
    // Whoever looks at a page ends it in no other way.
    return stop.reason === "SIGINT" ? 0 : undefined;
  } finally {
    release();
  }
}

function describePage({ groups }: Preview["page"]): string {
  const cards = groups.reduce((sum, group) => sum + group.cards.length, 0);
  return pluralize(cards, "course");
}

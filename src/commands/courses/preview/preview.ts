/** `catalog courses preview`: shows courses as cards on a page, in the browser or in an HTML file. */
import { asCatalogError, CatalogError, usageError } from "../../../base/errors.ts";
import { STANDARD_INPUT } from "../../../base/io.ts";
import { pluralize } from "../../../base/text.ts";
import {
  type Flag,
  newFile,
  type ParsedArguments,
  parsePort,
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
    description: "write the page to an HTML file instead of serving it",
  },
  { name: "images", description: "let the browser load images from the urls in the courses" },
  {
    name: "online",
    description: "also show approval statuses and differences from the catalog (needs an API key)",
  },
  { name: "no-open", excludes: ["out"], description: "do not open the browser" },
  {
    name: "port",
    value: "<n>",
    excludes: ["out"],
    parse: parsePort,
    description: "serve the page on this port (default: any free port)",
  },
  FILES_FROM_FLAG,
  ...TABLE_FLAGS,
] as const satisfies readonly Flag[];

type Options = ReturnType<typeof parseOptions>;

/** With paths, sends nothing; with `--online` or without paths, sends GETs of the providers and courses. */
export const preview = command({
  description:
    "Opens the page in your browser. With files, the page follows their changes, and preview needs neither an " +
    "API key nor a network. Without files, the page shows the courses in your catalog.",
  arguments: [PATH_ARGUMENT],
  flags: FLAGS,
  examples: [
    { description: "See course files as students will", line: "catalog courses preview courses/" },
    {
      description: "Write the page to a file, for example to send it by email",
      line: "catalog courses preview courses/ --out courses.html",
    },
    {
      description: "Also show what differs from the catalog",
      line: "catalog courses preview courses/ --online",
    },
    { description: "See your catalog, with images", line: "catalog courses preview --images" },
  ],
  exits: [...SERVICE_EXITS, 3],
  parse: parseOptions,
  run: previewCourses,
});

function parseOptions({ values, ...words }: ParsedArguments<typeof FLAGS>) {
  const paths = parsePaths(words, values.filesFrom);
  const { online, sheet, encoding } = values;
  const given = Object.entries({ online, sheet, encoding });
  const [flag] = given.find(([, value]) => Boolean(value)) ?? [];
  if (flag !== undefined && paths.length === 0 && values.filesFrom === undefined) {
    throw usageError(
      `--${flag} needs course files; without files, preview shows the catalog`,
      "For example: catalog courses preview courses/",
    );
  }
  return { ...values, paths };
}

async function previewCourses(options: Options, context: Context): Promise<number | undefined> {
  requireNoFormat("courses preview", context.options);
  const paths = await readPaths(options, context);
  // An empty list of files must not show the complete catalog.
  if (paths.length === 0 && options.filesFrom !== undefined) return undefined;
  if (options.out === undefined) return await servePreview({ ...options, paths }, context);
  const sources = { ...options, paths, follows: false, except: [options.out] };
  const { page, files } = await makePreview(sources, context);
  await writeReport(options.out, files, async () => renderPage(page), context);
  await context.messages.info(`Wrote ${describePage(page)} to ${options.out}.`);
  return undefined;
}

async function servePreview(options: Options, context: Context): Promise<number | undefined> {
  const { paths, port = 0, noOpen } = options;
  const { clock, folder, stop, io, messages } = context;
  // Standard input can be read only once.
  const isFixed = paths.includes(STANDARD_INPUT);
  const follows = paths.length > 0 && !isFixed;
  const sources: PreviewSources = { ...options, follows };
  // If the first page cannot be made, nothing is served.
  let latest = await makePreview(sources, context);
  const render = async () => {
    const made = isFixed ? latest : await makePreview(sources, context).catch(asCatalogError);
    const isFailed = made instanceof CatalogError;
    // If the page cannot be updated, it keeps its cards and shows the failure.
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
      const reloads = follows ? "The page follows changes of the files. " : "";
      await messages.info(`${reloads}Press Ctrl-C to stop.`);
      if (noOpen || !canOpenBrowser(context)) return;
      // Not awaited, because some browsers end only when the user closes them.
      void openInBrowser(url, context).catch((error) =>
        messages.warn(`${asCatalogError(error).message}; open the URL in a browser yourself`),
      );
    });
    // Ctrl-C is the usual way to stop a page, so it is a success.
    return stop.reason === "SIGINT" ? 0 : undefined;
  } finally {
    release();
  }
}

function describePage({ groups }: Preview["page"]): string {
  const cards = groups.reduce((sum, group) => sum + group.cards.length, 0);
  return pluralize(cards, "course");
}

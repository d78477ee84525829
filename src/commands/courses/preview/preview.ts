/** `catalog courses preview`: writes courses as cards on a page, which the browser shows. */
import { pathToFileURL } from "node:url";
import { writeFileAtomically } from "../../../base/atomic-write.ts";
import { asCatalogError } from "../../../base/errors.ts";
import { temporaryPath } from "../../../base/folders.ts";
import { pluralize } from "../../../base/text.ts";
import { DRY_RUN_FLAG, type Flag, newFile, type ParsedArguments } from "../../../cli/arguments.ts";
import { command, SERVICE_EXITS } from "../../../cli/command.ts";
import type { Context } from "../../../cli/context.ts";
import { PATH_ARGUMENT, parsePaths, TABLE_FLAGS } from "../../../cli/course-files.ts";
import { canOpenBrowser, openInBrowser } from "../../../cli/programs.ts";
import { writeReport } from "../../../cli/report.ts";
import { renderPage } from "../../../output/page/page.ts";
import { makePreview } from "./preview-page.ts";

const FLAGS = [
  {
    name: "out",
    value: "<file.html>",
    parse: newFile,
    description: "write the page to this file, and open no browser",
  },
  ...TABLE_FLAGS,
  DRY_RUN_FLAG,
] as const satisfies readonly Flag[];

type Options = ReturnType<typeof parseOptions>;

/** With paths, sends nothing; without paths, sends GETs of the providers and courses. */
export const preview = command({
  description:
    "Writes one HTML file that needs nothing else, and opens it in your browser. With files, preview needs neither " +
    "an API key nor a network. Without files, the page shows the courses in your catalog. Without --out, the page " +
    "is a temporary file that only you can read.",
  arguments: [PATH_ARGUMENT],
  flags: FLAGS,
  examples: [
    { description: "See course files as students will", line: "catalog courses preview courses/" },
    {
      description: "Write the page to a file, for example to send it by email",
      line: "catalog courses preview courses/ --out courses.html",
    },
    { description: "See your catalog", line: "catalog courses preview" },
  ],
  exits: [...SERVICE_EXITS, 3],
  parse: parseOptions,
  run: previewCourses,
});

function parseOptions({ values, ...words }: ParsedArguments<typeof FLAGS>) {
  return { ...values, paths: parsePaths(words) };
}

async function previewCourses(options: Options, context: Context): Promise<void> {
  const { out, dryRun } = options;
  const except = out === undefined ? [] : [out];
  const { page, files } = await makePreview({ ...options, except }, context);
  const text = renderPage(page);
  // It stays, because the browser may read it after this process has ended.
  const file = out ?? temporaryPath(`catalog-${context.clock.uuid()}.html`, context);
  if (out !== undefined) await writeReport(out, files, text, context, dryRun);
  else if (!dryRun) await writeFileAtomically(file, text, { mode: "private" });
  const wrote = dryRun ? "Would write" : "Wrote";
  await context.messages.info(`${wrote} ${pluralize(page.cards.length, "course")} to ${file}.`);
  if (!dryRun && out === undefined && canOpenBrowser(context)) await openPage(file, context);
}

async function openPage(file: string, context: Context): Promise<void> {
  try {
    await openInBrowser(pathToFileURL(file).href, context);
  } catch (thrown) {
    const { message } = asCatalogError(thrown);
    await context.messages.warn(`${message}; open the file in a browser yourself`);
  }
}

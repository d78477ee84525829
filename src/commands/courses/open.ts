/** `catalog courses open`: opens the page of a course in the browser. */

import { CatalogError } from "../../base/errors.ts";
import { escapeLine } from "../../base/text.ts";
import { asText } from "../../base/values.ts";
import { canOpenBrowser, openInBrowser } from "../../command-support/browser.ts";
import { command } from "../../command-support/command.ts";
import type { Context } from "../../command-support/context.ts";
import {
  COURSE_ARGUMENT,
  parseCourses,
  resolveCourses,
} from "../../command-support/course-arguments.ts";
import { SERVICE_EXITS } from "../../command-support/exit-codes.ts";
import type { Course } from "../../course/request-body.ts";
import { isWebUrl } from "../../output/cells.ts";

/** Sends a GET of the course; to find a key, url or name, GETs of the providers and courses as well. */
export const open = command({
  description: "Without a terminal, or in a CI job, prints the url of the page instead.",
  arguments: [COURSE_ARGUMENT],
  examples: [
    { description: "See a course as students do", line: "catalog courses open K-1042" },
    {
      description: "Use another browser",
      line: "BROWSER=firefox catalog courses open 0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10",
    },
  ],
  exits: [...SERVICE_EXITS, 3, 5],
  parse: parseCourses,
  run: openPages,
});

async function openPages(words: readonly string[], context: Context): Promise<void> {
  for (const { course } of await resolveCourses(words, {}, context)) {
    if (course instanceof CatalogError) await context.messages.fail(course);
    else await openPage(course, context);
  }
}

async function openPage({ id, url: value }: Course, context: Context): Promise<void> {
  const url = asText(value);
  // The launcher of the browser could run a program for another kind of url, such as file:.
  if (!isWebUrl(url)) throw new CatalogError("refused", `course ${id} has no url for a browser`);
  if (!canOpenBrowser(context)) return await context.io.out.write(`${escapeLine(url)}\n`);
  await context.messages.info(`Opening ${url}`);
  await openInBrowser(url, context);
}

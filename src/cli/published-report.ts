/** Prepares a report for others: without secrets, and with the names of files that CI services expect. */
import { existsSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { attempt } from "../base/errors.ts";
import { isInside } from "../base/folders.ts";
import { STDIN_NAME } from "../base/io.ts";
import type { Environment } from "../base/process.ts";
import { type CheckReport, maskReport, placeReport } from "../output/diagnostics.ts";
import type { Context } from "./context.ts";

/**
 * The report with secrets masked and with new names of files: relative to the folder of the CI service, the root of
 * the git repository or the current folder, with slashes. The name of a file outside that folder is absolute.
 */
export function publishReport(
  report: CheckReport,
  { environment, folder, io }: Pick<Context, "environment" | "folder" | "io">,
): CheckReport {
  const root = findRoot(environment, folder);
  // The variable or the path of a file may contain a link to the folder.
  const roots = new Set([root, attempt(() => realpathSync.native(root)) ?? root]);
  const place = (file: string): string => {
    if (file === STDIN_NAME) return file;
    const path = resolve(folder, file);
    const above = [...roots].find((each) => isInside(path, each));
    return above === undefined ? path : relative(above, path).replaceAll(sep, "/") || ".";
  };
  return maskReport(placeReport(report, place), io.out.mask);
}

function findRoot({ GITHUB_WORKSPACE, CI_PROJECT_DIR }: Environment, folder: string): string {
  const named = [GITHUB_WORKSPACE, CI_PROJECT_DIR].find((path) => path && isAbsolute(path));
  if (named !== undefined) return named;
  for (let above = folder; ; above = dirname(above)) {
    if (existsSync(join(above, ".git"))) return above;
    if (dirname(above) === above) return folder;
  }
}

/** Promises about the files that commands read and write. */
import { isDeepStrictEqual } from "node:util";
import type { Ran } from "../history.ts";
import { describeFiles, differences, findMeant, normalUrl, readCourses } from "../model.ts";
import { argumentsOf, type Check, flagValue, has, isCalm, isOf, parseJson } from "./run.ts";

/** Comments, and fields of a person's own. */
function marksIn(text: string): string[] {
  return text.match(/# (?:above|below) \d+|keep \d+/g) ?? [];
}

function isUsualJson(path: string, text: string): boolean {
  return path.endsWith(".json") && text === `${JSON.stringify(parseJson(text), undefined, 2)}\n`;
}

/** Whether a command was asked to change this file, or to replace it. */
function mayChange(ran: Ran, path: string): "edit" | "replace" | undefined {
  const isOutput = [flagValue(ran, "--out"), flagValue(ran, "--record")].includes(path);
  // pull writes tables anew.
  if (isOutput || (isOf(ran, "pull") && /\.xlsx$|courses\.(csv|ndjson)$/.test(path)))
    return "replace";
  const isPulled = isOf(ran, "pull") && has(ran, "--force", "--base");
  return isPulled || isOf(ran, "import") || has(ran, "--write-ids", "--fix") ? "edit" : undefined;
}

export const keepsFiles: Check = (ran) => {
  for (const [path, text] of ran.filesBefore) {
    const now = ran.filesAfter.get(path);
    const may = mayChange(ran, path);
    if (now === text || (may === "replace" && now !== undefined)) continue;
    if (has(ran, "--dry-run")) return `${path} changed in a dry run`;
    if (now === undefined && isOf(ran, "pull") && has(ran, "--prune")) continue;
    if (now === undefined) return `${path} was removed`;
    if (may === undefined) return `${path} changed`;
    // A row may have another note than the course of a file that it describes.
    const isReplaced = (mark: string): boolean => isOf(ran, "import") && mark.startsWith("keep");
    const lost = marksIn(text).find((mark) => !now.includes(mark) && !isReplaced(mark));
    if (lost !== undefined) return `${path} lost "${lost}"`;
    if (isUsualJson(path, text) && !isUsualJson(path, now)) return `${path} has another layout`;
    const [old, fresh] = [readCourses(path, text), readCourses(path, now)];
    if (old === undefined) continue;
    if (fresh?.length !== old.length)
      return `${path} had ${old.length} courses and has ${fresh?.length}`;
    const isSame = old.every((course, index) =>
      isDeepStrictEqual({ ...course, id: 0 }, { ...fresh[index], id: 0 }),
    );
    if (has(ran, "--write-ids") && !isSame) return `${path} has other values than before`;
  }
  const isFresh = (path: string): boolean => !ran.filesBefore.has(path);
  const written = [...ran.filesAfter.keys()].find(
    (path) => isFresh(path) && mayChange(ran, path) !== "replace",
  );
  return written && !isOf(ran, "pull", "import") ? `${written} was written` : undefined;
};

export const matchesCatalog: Check = (ran, { world }) => {
  const isSure = isCalm(ran) && ran.code === 0 && !world.freedoms.isRestless;
  if (!isOf(ran, "pull") || !isSure || has(ran, "--base", "--dry-run")) return undefined;
  const files = [...ran.filesAfter].filter(([path]) => path.startsWith(`${argumentsOf(ran)[0]}/`));
  // Columns of lists are not read here.
  if (files.some(([path]) => path.endsWith(".csv"))) return undefined;
  const described = describeFiles(new Map(files), world.providers);
  if (described === undefined) return undefined;
  const courses = [...ran.after.values()];
  const found = described.map(({ course }) => findMeant(course, courses));
  for (const [index, { file, course }] of described.entries()) {
    const wrong = differences(course, ran.after.get(found[index] ?? "") ?? course);
    if (wrong.length > 0) return `${file} and the catalog differ in ${wrong.join(", ")}`;
  }
  const missing = [...ran.after.keys()].find((id) => !found.includes(id));
  return missing && !found.includes("unclear") ? `no file has ${missing}` : undefined;
};

export const imports: Check = (ran, { world }) => {
  if (!isOf(ran, "import") || ran.code !== 0 || !has(ran, "--map")) return undefined;
  const rows = (ran.filesBefore.get("export.csv") ?? "").split("\n").slice(1).filter(Boolean);
  const files = [...ran.filesAfter].filter(([path]) => path.startsWith("courses/"));
  const described = describeFiles(new Map(files), world.providers);
  const lost = rows.find((row) => {
    const [name, url] = row.split(";");
    return !described?.some(
      ({ course }) => course.name === name && normalUrl(course.url) === normalUrl(url),
    );
  });
  return described && lost && `no file has the row ${lost}`;
};

/** Whether a run has written the complete catalog to a folder that had no file. */
export function hasPulledAll(ran: Ran): boolean {
  const isOld = (path: string): boolean => path.startsWith(`${argumentsOf(ran)[0]}/`);
  return (
    isOf(ran, "pull") &&
    ran.code === 0 &&
    ran.after.size > 0 &&
    isCalm(ran) &&
    !has(ran, "--dry-run") &&
    ![...ran.filesBefore.keys()].some(isOld)
  );
}

export const pullThenPush: Check = (ran, { pulled, world }) => {
  const [folder] = argumentsOf(ran);
  const isPulled = folder !== undefined && pulled === `${ran.who} ${folder}`;
  if (!isOf(ran, "push") || !isPulled || !isCalm(ran) || world.freedoms.isRestless)
    return undefined;
  if (ran.code !== 0)
    return `push of what was pulled ends with ${ran.code}:\n${ran.stderr.slice(0, 500)}`;
  const [sent] = ran.writes;
  return (
    sent &&
    `push of what was pulled sends ${sent.method} of ${sent.id}: ${JSON.stringify(sent.body)}`
  );
};

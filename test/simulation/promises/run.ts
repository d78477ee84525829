/** What can be said about one run. */
import { dirname } from "node:path";
import type { Ran } from "../history.ts";
import { type Course, type Described, describeFiles, normalUrl } from "../model.ts";
import type { World } from "../world.ts";
import type { Judge } from "./judge.ts";

/** A promise that a run broke, in the words of the contract, and how. */
export interface Violation {
  readonly promise: string;
  readonly how: string;
}

/** How a run broke a promise; undefined if it did not. */
export type Check = (ran: Ran, judge: Judge) => string | undefined;

/** The subcommand: `push`, `undo`. */
export function commandOf(words: readonly string[]): string {
  return words[0] === "courses" ? (words[1] ?? "") : (words[0] ?? "");
}

/** Whether a run is of one of these commands. */
export function isOf({ words }: Pick<Ran, "words">, ...commands: readonly string[]): boolean {
  return commands.includes(commandOf(words));
}

/** Whether a run changes courses. */
export function isChanging(ran: Pick<Ran, "words">): boolean {
  return isOf(ran, "push", "create", "update", "rm", "publish", "unpublish", "undo");
}

export function has(ran: Pick<Ran, "words">, ...flags: readonly string[]): boolean {
  return flags.some((flag) => ran.words.includes(flag));
}

export function flagValue({ words }: Pick<Ran, "words">, flag: string): string | undefined {
  const index = words.indexOf(flag);
  return index === -1 ? undefined : words[index + 1];
}

const VALUED =
  /^--(out|record|base|on-drift|plan|note|format|max-deletes|concurrency|retries|set|name|url|short-description|long-description|audio|provider|pace)$/;

/** The words that are neither a flag nor its value. */
export function argumentsOf({ words }: Pick<Ran, "words">): string[] {
  const skipped = words[0] === "courses" ? 2 : 1;
  return words.filter(
    (word, index) =>
      index >= skipped && !word.startsWith("-") && !VALUED.test(words[index - 1] ?? ""),
  );
}

export function isWorkbook(ran: Pick<Ran, "words">): boolean {
  return argumentsOf(ran).some((word) => word.endsWith(".xlsx"));
}

/** Whether nothing but the program acted, and every answer came. */
export function isCalm({ events, interferences }: Ran): boolean {
  return events.length === 0 && interferences.length === 0;
}

/** Whether a service lists all courses, and stores what was sent. */
export function isFaithful({ freedoms }: World): boolean {
  return !freedoms.trims && !freedoms.isRestless;
}

/** Whether a colleague did something to a course with one of some ids, or with a url, during a run. */
export function isTouched({ interferences }: Ran, ids: readonly string[], url?: unknown): boolean {
  const hasUrl = (course: Course | undefined): boolean =>
    url !== undefined && course !== undefined && normalUrl(course.url) === normalUrl(url);
  return interferences.some(
    ({ id, before, after }) => ids.includes(id) || hasUrl(before) || hasUrl(after),
  );
}

/** The value of JSON. Undefined if it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The values of lines of JSON. Undefined if one is no JSON. */
export function parseLines(text: string): Record<string, unknown>[] | undefined {
  const values = text.split("\n").filter(Boolean).map(parseJson);
  return values.includes(undefined) ? undefined : (values as Record<string, unknown>[]);
}

/** A result of a run, as JSON. */
export interface Row {
  readonly id: string | null;
  readonly name?: string | null;
  readonly action: string;
  readonly status: string;
  readonly error?: Course;
  /** What others did to the course. */
  readonly inCatalog?: string;
  readonly fields?: readonly { readonly path: readonly unknown[]; readonly changedIn?: string }[];
}

/** The results of a run, if it printed them. */
export function rowsOf(ran: Pick<Ran, "words" | "stdout">): readonly Row[] | undefined {
  const rows = has(ran, "--json") ? parseJson(ran.stdout) : undefined;
  return Array.isArray(rows) ? rows : undefined;
}

/** The courses of the files that a run names, or of another folder. Undefined if that is not sure. */
export function describedIn(
  ran: Ran,
  { world }: Judge,
  paths = argumentsOf(ran),
): Described[] | undefined {
  const isUpdate = isOf(ran, "update");
  const isNamed = (path: string): boolean =>
    paths.some((each) => {
      // update ignores defaults.
      if (path.endsWith("catalog.defaults.yaml"))
        return !isUpdate && [each, dirname(each)].includes(dirname(path));
      return path === each || path.startsWith(`${each}/`);
    });
  const files = [...ran.filesBefore].filter(([path]) => isNamed(path) && !path.endsWith(".xlsx"));
  return describeFiles(new Map(files), world.providers);
}

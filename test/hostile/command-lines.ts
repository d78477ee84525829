/** Command lines that read from the service, for tests with random values. */
import { id } from "../commands/helpers.ts";

const FORMATS = ["table", "json", "ndjson", "yaml", "csv", "tsv", "id"];

const inEachFormat = (...words: readonly string[]): string[][] => [
  [...words],
  ...FORMATS.map((format) => [...words, "-o", format]),
];

/** Command lines that print data of the service. */
export const DISPLAY_COMMANDS: readonly (readonly string[])[] = [
  ...inEachFormat("providers", "ls"),
  ...inEachFormat("courses", "ls"),
  ...inEachFormat("courses", "get", id(1)),
  ["courses", "get", id(1), id(2), "--json"],
  ["courses", "ls", "--all", "-o", "table", "--fields", "id,certificate,audio[0],video.url"],
];

/** Command lines that compare, confirm, save or write. `two.json` contains a course with an id and one without. */
export const CHANGE_COMMANDS: readonly (readonly string[])[] = [
  ["courses", "check", "--online", "two.json"],
  ["courses", "create", "three.json"],
  ["courses", "diff", "two.json"],
  ["courses", "diff", "two.json", "--json"],
  ["courses", "diff", "two.json", "--prune"],
  ["courses", "push", "two.json", "--dry-run", "--prune"],
  ["courses", "push", "two.json"],
  ["courses", "push", "two.json", "--prune", "--yes", "--json"],
  ["courses", "rm", id(1), "--yes"],
  ["courses", "rm", id(1), id(2), "--yes", "--json"],
  ["courses", "update", id(1), "--set", 'prices[0].price="3"'],
  ["courses", "unpublish", id(1)],
  ["courses", "init"],
  ["status"],
  ["status", "--json"],
];

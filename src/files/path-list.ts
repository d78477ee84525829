/** Reads lists of paths, as `git diff --name-only`, `find` and `ls` print them. */
import { basename, dirname, extname } from "node:path";
import { STANDARD_INPUT } from "../base/io.ts";
import { DEFAULTS_FILE } from "./find.ts";
import { COURSE_EXTENSIONS } from "./parse.ts";

/**
 * Parses a list of paths, which NUL or line ends separate: `a.yaml\n"\303\244.yaml"` has the paths `a.yaml` and
 * `ä.yaml`. For a defaults file, the paths contain its folder.
 */
export function parsePathList(text: string): Readonly<Record<"paths" | "defaults", string[]>> {
  const entries = splitList(text);
  const isDefaults = (path: string): boolean => basename(path) === DEFAULTS_FILE;
  return {
    // A default value can only be checked together with the courses that it fills.
    paths: entries.map((path) => (isDefaults(path) ? dirname(path) : path)),
    defaults: entries.filter(isDefaults),
  };
}

/** Whether a text that should contain courses is a list of files. */
export function looksLikePathList(text: string): boolean {
  const entries = splitList(text);
  const isCourse = (path: string): boolean => COURSE_EXTENSIONS.includes(extname(path));
  return entries.some(isCourse) && entries.every((path) => /^([A-Z]:)?[^:,;{}[\]]+$/i.test(path));
}

function splitList(text: string): string[] {
  const plain = text.replace(/^\ufeff/, "");
  const entries = plain.includes("\0")
    ? plain.split("\0").filter((entry) => entry !== "")
    : plain.split(/\r?\n/).flatMap((line) => (line.trim() === "" ? [] : unquote(line)));
  return entries.map((entry) => (entry === STANDARD_INPUT ? `./${entry}` : entry));
}

const ESCAPES: Readonly<Record<string, string>> = { t: "\t", n: "\n", r: "\r" };

/** Removes the quotes of git, which writes bytes in octal: `"\303\244 new.yaml"` is `ä new.yaml`. */
function unquote(line: string): string {
  if (!/^".*"$/.test(line)) return line;
  const bytes = Buffer.from(line.slice(1, -1)).toString("latin1");
  const text = bytes.replace(/\\([0-7]{3}|.)/g, (_, code: string) =>
    code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (ESCAPES[code] ?? code),
  );
  return Buffer.from(text, "latin1").toString();
}

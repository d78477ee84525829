/** Reads the lists of real courses, whose authors and licenses real-courses/README.md names. */
import { readFileSync } from "node:fs";
import { load } from "js-yaml";
import type { PlainObject } from "../src/base/values.ts";

/** A file of a real course. */
interface RealFile {
  readonly file: string;
  readonly language: string;
  readonly text: string;
}

/** The files of all real courses, always the same. */
export function realFiles(): RealFile[] {
  return ["courses.ndjson", "courses-share-alike.ndjson"].flatMap((name) => {
    const lines = readFileSync(new URL(`real-courses/${name}`, import.meta.url), "utf8");
    return lines
      .trimEnd()
      .split("\n")
      .map((line): RealFile => JSON.parse(line));
  });
}

/** The real courses, all or the first ones; YAML includes JSON. */
export function realCourses(count?: number): PlainObject[] {
  return realFiles()
    .slice(0, count)
    .map(({ text }) => load(text) as PlainObject);
}

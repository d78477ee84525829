/** How large and how deep a course file may be before it is refused. */
import { formatNumber } from "../base/text.ts";

/** Bytes of one file. A backup of ten thousand deleted courses, which is JSON, is three quarters. */
export const MAX_FILE_SIZE = 48 * 1024 * 1024;

/** Bytes of one YAML file, which takes far more time and memory to read: some three thousand courses. */
export const MAX_YAML_SIZE = 10 * 1024 * 1024;

/** Values of one JSON file: more than ten thousand courses, and no more than memory holds. */
export const MAX_JSON_VALUES = 2_500_000;

/** Lines, and values in brackets, of one YAML file; about as many courses as its size allows. */
export const MAX_YAML_VALUES = 500_000;

/** Mappings and lists inside one another; a course needs five. */
export const MAX_DEPTH = 64;

/** Values that a file's aliases may stand for, all together. */
export const MAX_EXPANSION = 200_000;

/** Findings of one file: more are no help to anybody, and cost memory without bound. */
export const MAX_FINDINGS = 10_000;

/** How a file is refused that nests deeper. */
export const TOO_DEEP = `more than ${MAX_DEPTH} mappings and lists inside one another`;

/** How a file is refused that holds more values. */
export function tooManyValues(most: number): string {
  return `more than ${formatNumber(most)} values in one file: make several files of it`;
}

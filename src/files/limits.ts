/** How large and how deep a course file may be before it is refused. */
import { formatNumber } from "../base/text.ts";

/** Bytes of one file: enough for a backup of ten thousand deleted courses, which is JSON. */
export const MAX_FILE_SIZE = 48 * 1024 * 1024;

/** Bytes of one YAML file, which takes far more time and memory to read: about 3,000 courses. */
export const MAX_YAML_SIZE = 10 * 1024 * 1024;

/** Values of one JSON file: more than ten thousand courses, and no more than fits in memory. */
export const MAX_JSON_VALUES = 2_500_000;

/** Lines, and values in brackets, of one YAML file; about as many courses as its size allows. */
export const MAX_YAML_VALUES = 500_000;

/**
 * Values of one JSON file, and tokens of one YAML file, up to which findings have positions: some
 * thousands of courses. Finding positions takes many times the memory of reading.
 */
export const MAX_PLACED_VALUES = 500_000;

/** Nested objects and lists; a course needs five. */
export const MAX_DEPTH = 64;

/** Values that a file's aliases may add, all together. */
export const MAX_EXPANSION = 200_000;

/** Findings of one file: more would not help, and memory is limited. */
export const MAX_FINDINGS = 10_000;

/** The message for a file that nests deeper. */
export const TOO_DEEP = `more than ${MAX_DEPTH} nested objects and lists`;

/** The message for a file with more values. */
export function tooManyValues(most: number): string {
  return `too many values (over ${formatNumber(most)}): split the file`;
}

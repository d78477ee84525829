/** Lists all properties, in the order in which they are checked. */
import { ASSIGNMENT_PROPERTIES } from "./assignments.ts";
import { COMMAND_LINE_PROPERTIES } from "./command-lines.ts";
import { CONFIG_PROPERTIES } from "./configs.ts";
import { COURSE_FILE_PROPERTIES } from "./course-files.ts";
import type { AnyProperty } from "./property.ts";
import { PUSH_PULL_PROPERTIES } from "./push-pull.ts";
import { RESPONSE_PROPERTIES } from "./responses.ts";
import { WORKBOOK_PROPERTIES } from "./workbooks.ts";
import { WRITING_PROPERTIES } from "./writing.ts";

/** All properties. */
export const PROPERTIES: readonly AnyProperty[] = [
  ...COURSE_FILE_PROPERTIES,
  ...WORKBOOK_PROPERTIES,
  ...WRITING_PROPERTIES,
  ...PUSH_PULL_PROPERTIES,
  ...RESPONSE_PROPERTIES,
  ...COMMAND_LINE_PROPERTIES,
  ...ASSIGNMENT_PROPERTIES,
  ...CONFIG_PROPERTIES,
];

/** Which fields of a course its tables show. */

import { FIELDS } from "../../course/fields.ts";

/** The columns of `courses ls`. */
export const COURSE_COLUMNS = ["id", "name", "published", "approval_status"];

/** Every field, in the document's order. */
export const ALL_COURSE_COLUMNS = FIELDS.map((field) => field.name);

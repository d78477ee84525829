/** The columns of tables of courses. */
import { FIELD_NAMES } from "../../course/field-names.ts";

/** The columns of `courses ls`. */
export const COURSE_COLUMNS = ["id", "name", "published", "approval_status"];

/** Every field, in the documented order. */
export const ALL_COURSE_COLUMNS: readonly string[] = FIELD_NAMES;

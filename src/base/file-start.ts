/** How the program's own files begin, from which even damaged ones are recognized. */

/** The version of the format of records; a record of another version cannot be read. */
export const RECORD_VERSION = 1;

/** The start of every record of a run. */
export const RECORD_START = `{"formatVersion":${RECORD_VERSION},"run":"`;

/** The version of the format of plans that this program writes and reads. */
export const PLAN_VERSION = 1;

/** The start of every plan. */
export const PLAN_START = `{\n  "formatVersion": ${PLAN_VERSION},\n  "toolVersion": "`;

/** How every record of a run begins, from which even a damaged one is recognized. */

/** The version of the format; a record of another version cannot be read. */
export const RECORD_VERSION = 1;

export const RECORD_START = `{"formatVersion":${RECORD_VERSION},"run":"`;

/** How large and how deep a course file may be before it is refused. */

/** Bytes of one file. A backup of ten thousand deleted courses is a third of this. */
export const MAX_FILE_SIZE = 64 * 1024 * 1024;

/** Mappings and lists inside one another; a course needs five. */
export const MAX_DEPTH = 64;

/** Values that a file's aliases may stand for, all together. */
export const MAX_EXPANSION = 200_000;

/** How a file is refused that nests deeper. */
export const TOO_DEEP = `more than ${MAX_DEPTH} mappings and lists inside one another`;

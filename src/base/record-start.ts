/** How every record of a run begins. */
export const RECORD_START = '{"formatVersion":1,"run":"';

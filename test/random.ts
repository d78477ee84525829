/**
 * Property tests make the same values in every run, so that a failure is a change's own. `npm run fuzz`
 * makes new ones.
 */
import fc from "fast-check";

const IS_FUZZ = process.env.CATALOG_FUZZ_MINUTES !== undefined;

/** Below the time limit of tests, so that a slow property shows the smallest case that it found so far. */
const LIMIT = { interruptAfterTimeLimit: 45_000, markInterruptAsFailure: true };

fc.configureGlobal(IS_FUZZ ? LIMIT : { seed: 1, ...LIMIT });

/** A property that runs commands shows its first case that fails: a smaller one would take minutes. */
export const FIRST_FAILURE = { endOnFailure: true, interruptAfterTimeLimit: 200_000 };

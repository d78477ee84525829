/**
 * Property tests make the same values in every run, so that a failure is a change's own. `npm run fuzz`
 * makes new ones.
 */
import fc from "fast-check";

const IS_FUZZ = process.env.CATALOG_FUZZ_MINUTES !== undefined;

if (!IS_FUZZ) fc.configureGlobal({ seed: 1 });

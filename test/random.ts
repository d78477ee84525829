/**
 * Property tests make the same values in every run, so that a failure is a change's own. The long tests and
 * `npm run fuzz` make new ones.
 */
import fc from "fast-check";
import { IS_LONG } from "./long.ts";

const IS_FUZZ = process.env.CATALOG_FUZZ_MINUTES !== undefined;

if (!IS_LONG && !IS_FUZZ) fc.configureGlobal({ seed: 1 });

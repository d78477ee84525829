/** The entry point of the bundle for `npm run fuzz`. */
export { PROPERTIES } from "./all.ts";
export { Runner } from "./runner.ts";

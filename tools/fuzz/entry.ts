/** What `npm run fuzz` takes from here. */
export { PROPERTIES } from "./all.ts";
export { Runner } from "./runner.ts";

/** What `npm run fuzz` takes from here. */
export { PROPERTIES } from "./all.ts";
export { Door } from "./door.ts";

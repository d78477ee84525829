/** Gives bundled packages of the older module format their `require`. */
import { createRequire } from "node:module";

export const require = createRequire(import.meta.url);

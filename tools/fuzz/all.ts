/** Every property, in the order in which they are looked at. */
import { ASSIGNED } from "./assigned.ts";
import { CONFIGS } from "./configs.ts";
import { FILES } from "./files.ts";
import { LINES } from "./lines.ts";
import type { AnyProperty } from "./property.ts";
import { PUSHED } from "./pushed.ts";
import { ANSWERS } from "./service-answers.ts";
import { WRITTEN } from "./written.ts";

/** Every property. */
export const PROPERTIES: readonly AnyProperty[] = [
  ...FILES,
  ...WRITTEN,
  ...PUSHED,
  ...ANSWERS,
  ...LINES,
  ...ASSIGNED,
  ...CONFIGS,
];

/** The one account of every rule, from which the terminal and docs/rules.md draw (cli.md section 7). */
import type { RuleId } from "./problem.ts";
import { FIELD_GUIDES } from "./rule-guide-fields.ts";
import { FILE_GUIDES } from "./rule-guide-files.ts";
import { OBJECT_GUIDES } from "./rule-guide-objects.ts";
import { SENSE_GUIDES } from "./rule-guide-sense.ts";
import { SERVICE_GUIDES } from "./rule-guide-service.ts";
import type { RuleGuide } from "./rule-guide-shape.ts";

export type { RuleGuide } from "./rule-guide-shape.ts";

/** What is told about each rule that a course file can break. */
export const RULE_GUIDE: Readonly<Record<RuleId, RuleGuide>> = {
  ...FILE_GUIDES,
  ...FIELD_GUIDES,
  ...OBJECT_GUIDES,
  ...SENSE_GUIDES,
  ...SERVICE_GUIDES,
};

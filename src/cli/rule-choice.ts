/** Which problems a command reports: `--ignore` and the setting `rules`. */
import { usageError } from "../base/errors.ts";
import { requireChoice } from "../base/suggest.ts";
import { joinList } from "../base/text.ts";
import { OWN_ERRORS, type Problem, RULES, type RuleId } from "../course/problem.ts";
import { type RuleLevels, readRuleLevels } from "../settings/resolve.ts";
import type { Flag } from "./arguments.ts";
import type { Context } from "./context.ts";

/** The flag that turns warnings off. */
export const IGNORE_FLAG = {
  name: "ignore",
  value: "<rule>",
  choices: RULES,
  repeatable: true,
  parse: parseRules,
  description: "ignore this rule's warnings",
} as const satisfies Flag;

/** Parses `markup` or `markup,mojibake`. */
function parseRules(text: string): readonly RuleId[] {
  return text.split(",").map(parseRule);
}

/** The rule of that name. @throws CatalogError of kind `usage` */
function parseRule(name: string): RuleId {
  const problem = `unknown rule ${JSON.stringify(name)}`;
  const otherwise = "A problem ends with its rule, such as [markup].";
  return requireChoice(name.trim(), RULES, problem, otherwise);
}

/** Returns the problems to report, with the severity that the settings give them. */
export type FindingFilter = <Finding extends Pick<Problem, "rule" | "severity">>(
  findings: readonly Finding[],
) => readonly Finding[];

/**
 * The filter for `--ignore` and the setting `rules`. Errors that the service would reject always remain.
 *
 * @throws CatalogError of kind `usage` for a rule that cannot be changed
 */
export async function findingFilter(
  { settingSources }: Context,
  ignored: readonly RuleId[] = [],
): Promise<FindingFilter> {
  const off = { value: "off", source: "flag", origin: "--ignore" } as const;
  const levels: RuleLevels = new Map([
    ...(await readRuleLevels(settingSources)),
    ...ignored.map((rule) => [rule, off] as const),
  ]);
  await requireWarnings(levels);
  return (findings) =>
    findings.flatMap((finding) => {
      const { rule, severity } = finding;
      const isFixed = severity === "error" && !OWN_ERRORS.has(rule);
      const level = isFixed ? "error" : (levels.get(rule)?.value ?? severity);
      return level === "off" ? [] : [{ ...finding, severity: level }];
    });
}

async function requireWarnings(levels: RuleLevels): Promise<void> {
  if (levels.size === 0) return;
  const { RULE_GUIDE } = await import("../course/guide.ts");
  for (const [rule, { value, origin }] of levels) {
    if (value === "error" || OWN_ERRORS.has(rule)) continue;
    if (RULE_GUIDE[rule].severity === "warning") continue;
    throw usageError(
      `the rule ${rule} cannot be ${value === "off" ? "turned off" : "a warning"} (${origin})`,
      `The service would reject the course. You can turn off warnings, and the errors ${joinList([...OWN_ERRORS], "and")}.`,
    );
  }
}

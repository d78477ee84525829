/** Which problems a command reports: `--rule`, `--ignore`, `--max-findings` and the setting `rules`. */
import { usageError } from "../base/errors.ts";
import { requireChoice } from "../base/suggest.ts";
import { joinList, pluralize } from "../base/text.ts";
import { OWN_ERRORS, type Problem, RULES, type RuleId } from "../course/problem.ts";
import { type RuleLevels, readRuleLevels } from "../settings/resolve.ts";
import { type Flag, type FlagValues, wholeNumber } from "./arguments.ts";
import type { Context } from "./context.ts";

export const RULE_FLAGS = [
  {
    name: "rule",
    value: "<rule>",
    choices: RULES,
    repeatable: true,
    parse: parseRules,
    description: "show only this rule's problems",
  },
  {
    name: "ignore",
    value: "<rule>",
    choices: RULES,
    repeatable: true,
    parse: parseRules,
    description: "ignore this rule's warnings",
  },
  {
    name: "max-findings",
    value: "<n>",
    parse: wholeNumber(1),
    description: "show at most n problems, but count them all",
  },
] as const satisfies readonly Flag[];

export interface RuleChoice {
  /** The only rules to report; all rules if it is empty. */
  readonly only: readonly RuleId[];
  readonly ignored: readonly RuleId[];
  readonly most?: number | undefined;
}

export const ALL_RULES: RuleChoice = { only: [], ignored: [] };

/** The choice in the values of the flags. */
export function ruleChoice(values: FlagValues<typeof RULE_FLAGS>): RuleChoice {
  return { only: values.rule.flat(), ignored: values.ignore.flat(), most: values.maxFindings };
}

/** Parses `markup` or `markup,mojibake`. */
function parseRules(text: string): readonly RuleId[] {
  return text.split(",").map(parseRule);
}

/** The rule of that name. @throws CatalogError of kind `usage` */
export function parseRule(name: string): RuleId {
  const problem = `unknown rule ${JSON.stringify(name)}`;
  const otherwise = 'Run "catalog courses check --explain" to list the rules.';
  return requireChoice(name.trim(), RULES, problem, otherwise);
}

/** Returns the problems to report, with the severity that the settings give them. */
export type FindingFilter = <Finding extends Pick<Problem, "rule" | "severity">>(
  findings: readonly Finding[],
) => readonly Finding[];

/**
 * The filter for the flags and the setting `rules`. Errors that the service would reject always remain.
 *
 * @throws CatalogError of kind `usage` for a rule that cannot be changed
 */
export async function findingFilter(
  { ignored, only }: RuleChoice,
  { settingSources }: Context,
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
      if (only.length > 0 && !only.includes(rule)) return [];
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

/** The first problems, at most `most`, and a notice if there are more. */
export function limitFindings<Finding>(
  findings: readonly Finding[],
  most = Number.POSITIVE_INFINITY,
): { readonly shown: readonly Finding[]; readonly notice: string | undefined } {
  const rest = findings.length - most;
  if (rest <= 0) return { shown: findings, notice: undefined };
  const notice = `${pluralize(rest, "more problem")} ${rest === 1 ? "is" : "are"} not shown, because of --max-findings ${most}.`;
  return { shown: findings.slice(0, most), notice };
}

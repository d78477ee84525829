/** Which rules count and how much: `--rule`, `--ignore`, `--max-findings` and the setting `rules`. */
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
    description: "show and count only findings of this rule",
  },
  {
    name: "ignore",
    value: "<rule>",
    choices: RULES,
    repeatable: true,
    parse: parseRules,
    description: "leave out warnings of this rule",
  },
  {
    name: "max-findings",
    value: "<n>",
    parse: wholeNumber(1),
    description: "show at most n findings; all of them are counted",
  },
] as const satisfies readonly Flag[];

export interface RuleChoice {
  /** Only these; all if it is empty. */
  readonly only: readonly RuleId[];
  readonly ignored: readonly RuleId[];
  /** How many findings are shown at most. */
  readonly most?: number | undefined;
}

export const ALL_RULES: RuleChoice = { only: [], ignored: [] };

/** The choice that the values of the flags mean. */
export function ruleChoice(values: FlagValues<typeof RULE_FLAGS>): RuleChoice {
  return { only: values.rule.flat(), ignored: values.ignore.flat(), most: values.maxFindings };
}

/** One rule, or several separated by commas. */
function parseRules(text: string): readonly RuleId[] {
  return text.split(",").map(parseRule);
}

/** The rule of that name. @throws CatalogError of kind `usage` */
export function parseRule(name: string): RuleId {
  const problem = `unknown rule ${JSON.stringify(name)}`;
  const otherwise = 'Run "catalog courses check --explain" to list the rules.';
  return requireChoice(name.trim(), RULES, problem, otherwise);
}

/** Turns findings into those that count, with the severity that was chosen. */
export type FindingFilter = <Finding extends Pick<Problem, "rule" | "severity">>(
  findings: readonly Finding[],
) => readonly Finding[];

/**
 * The filter that flags and `rules` describe. Errors, which the service would reject, always count.
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
      `The service would reject the course; only warnings, ${joinList([...OWN_ERRORS], "and")} can be turned off.`,
    );
  }
}

/** The findings that are shown, and a notice about the others if there are any. */
export function limitFindings<Finding>(
  findings: readonly Finding[],
  most = Number.POSITIVE_INFINITY,
): { readonly shown: readonly Finding[]; readonly notice: string | undefined } {
  const rest = findings.length - most;
  if (rest <= 0) return { shown: findings, notice: undefined };
  const notice = `${pluralize(rest, "more finding")} not shown; --max-findings limits their number.`;
  return { shown: findings.slice(0, most), notice };
}

/** The setting `rules` of the config files: how much a rule of course files counts. */
import { usageError } from "../base/errors.ts";
import { requireChoice } from "../base/suggest.ts";
import { truncate } from "../base/text.ts";
import { isObject } from "../base/values.ts";
import { RULES, type RuleId } from "../course/problem.ts";
import { type Resolved, readConfigs, type SettingSources } from "./resolve.ts";

const LEVELS = ["off", "warning", "error"] as const;

/** How much a rule counts. */
export type RuleLevel = (typeof LEVELS)[number];

/** The levels of the rules that do not count as usual, with their files. */
export type RuleLevels = ReadonlyMap<RuleId, Resolved<RuleLevel>>;

/** The levels of all config files; those of the project take precedence. */
export async function readRuleLevels(sources: SettingSources): Promise<RuleLevels> {
  const { project, user } = await readConfigs(sources, "use");
  const levels = new Map<RuleId, Resolved<RuleLevel>>();
  for (const [config, source] of [
    [user, "user config"],
    [project, "project config"],
  ] as const) {
    if (config?.values.rules === undefined) continue;
    const { file, values } = config;
    for (const [rule, value] of parseLevels(values.rules, file)) {
      levels.set(rule, { value, source, origin: `rules.${rule} in ${file}` });
    }
  }
  return levels;
}

function parseLevels(value: unknown, file: string): [RuleId, RuleLevel][] {
  const advice = `For example, rules: {markup: off}. The levels are ${LEVELS.join(", ")}.`;
  if (!isObject(value)) throw usageError(`rules in ${file} must be an object of rules`, advice);
  return Object.entries(value).map(([name, word]) => {
    const problem = `rules in ${file} contains the unknown rule ${JSON.stringify(truncate(name))}`;
    const rule = requireChoice(name, RULES, problem, advice);
    const level = LEVELS.find((each) => each === word);
    if (level === undefined) {
      throw usageError(`rules.${rule} in ${file} must be off, warning or error`, advice);
    }
    return [rule, level];
  });
}

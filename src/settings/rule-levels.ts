/** The setting `rules` of the config files: how much a rule of course files counts. */
import { usageError } from "../base/errors.ts";
import { closest } from "../base/suggest.ts";
import { isObject } from "../base/values.ts";
import { RULES, type RuleId } from "../course/problem.ts";
import { readConfigs, type SettingSources } from "./resolve.ts";

const LEVELS = ["off", "warning", "error"] as const;

/** How much a rule counts, for those that do not count as usual. */
export type RuleLevels = Readonly<Partial<Record<RuleId, (typeof LEVELS)[number]>>>;

/**
 * The levels of all config files, those of the project first, and the files as messages name them.
 *
 * @throws CatalogError of kind `usage` for an unknown rule or level
 */
export async function readRuleLevels(
  sources: SettingSources,
): Promise<{ readonly levels: RuleLevels; readonly origin: string }> {
  const { project, user } = await readConfigs(sources, "use");
  const files = [user, project].flatMap((config) =>
    config?.values.rules === undefined ? [] : [config],
  );
  const levels = files.map(({ file, values }) => parseLevels(values.rules, file));
  const origin = `rules in ${files.map(({ file }) => file).join(" and ")}`;
  return { levels: Object.assign({}, ...levels), origin };
}

function parseLevels(value: unknown, file: string): RuleLevels {
  const advice = `For example, rules: {markup: off}. The levels are ${LEVELS.join(", ")}.`;
  if (!isObject(value)) throw usageError(`rules in ${file} must be an object of rules`, advice);
  const entries = Object.entries(value).map(([name, word]) => {
    const rule = RULES.find((each) => each === name);
    const level = LEVELS.find((each) => each === word);
    if (rule === undefined) {
      const suggestion = closest(name, RULES);
      throw usageError(
        `rules in ${file} contains an unknown rule`,
        suggestion === undefined ? advice : `Did you mean ${suggestion}?`,
      );
    }
    if (level === undefined) {
      throw usageError(`rules.${rule} in ${file} must be off, warning or error`, advice);
    }
    return [rule, level];
  });
  return Object.fromEntries(entries);
}

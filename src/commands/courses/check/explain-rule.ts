/** Explains the rules of course files. */
import type { Context } from "../../../command-support/context.ts";
import { rendererFor } from "../../../command-support/show.ts";
import { RULES, type RuleId } from "../../../course/problem.ts";
import { terminalJson } from "../../../output/data-formats.ts";
import { JSON_FORMAT } from "../../../output/formats.ts";

const RULE_COLUMNS = ["rule", "severity", "summary"];

/** Prints every rule with its severity and one sentence, in any output format. */
export async function listRules(
  context: Pick<Context, "io" | "options" | "styles">,
): Promise<void> {
  const { RULE_GUIDE } = await import("../../../course/rule-guide.ts");
  const renderer = await rendererFor(
    { kind: "list", columns: RULE_COLUMNS, allColumns: RULE_COLUMNS },
    context,
  );
  await renderer.rows(
    RULES.map((rule) => {
      const { severity, summary } = RULE_GUIDE[rule];
      return { rule, severity, summary };
    }),
  );
  await renderer.end();
}

/** The page of one rule, as text or as JSON. */
export async function explainRule(
  rule: RuleId,
  { options, styles }: Pick<Context, "options" | "styles">,
): Promise<string> {
  const [{ RULE_GUIDE }, { rulePageText }] = await Promise.all([
    import("../../../course/rule-guide.ts"),
    import("../../../output/guide-pages.ts"),
  ]);
  const { markdown, ...guide } = RULE_GUIDE[rule];
  if (options.format === JSON_FORMAT) {
    return `${terminalJson(JSON.stringify({ rule, ...guide }, null, 2))}\n`;
  }
  return rulePageText(rule, guide, styles);
}

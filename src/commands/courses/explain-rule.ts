/** Explains the rules of course files. */
import { usageError } from "../../base/errors.ts";
import { suggestFrom } from "../../base/suggest.ts";
import { joinList } from "../../base/text.ts";
import type { Context } from "../../command-support/context.ts";
import { rendererFor } from "../../command-support/show.ts";
import { RULES } from "../../course/problem.ts";
import { JSON_FORMAT } from "../../output/formats.ts";
import { terminalJson } from "../../output/json.ts";

const RULE_COLUMNS = ["rule", "severity", "summary"];

/** Prints every rule with its severity and one sentence, in any output format. */
export async function listRules(
  context: Pick<Context, "io" | "options" | "styles">,
): Promise<void> {
  const { RULE_GUIDE } = await import("../../course/rule-guide.ts");
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

/** The page of one rule, as text or as JSON. @throws CatalogError of kind `usage` for an unknown rule */
export async function explainRule(
  name: string,
  { options, styles }: Pick<Context, "options" | "styles">,
): Promise<string> {
  const id = RULES.find((rule) => rule === name);
  if (id === undefined) {
    const list = `The rules are ${joinList(RULES, "and")}.`;
    throw usageError(`unknown rule ${JSON.stringify(name)}`, suggestFrom(name, RULES, list));
  }
  const [{ RULE_GUIDE }, { rulePageText }] = await Promise.all([
    import("../../course/rule-guide.ts"),
    import("../../output/guide-pages.ts"),
  ]);
  if (options.format === JSON_FORMAT) {
    return `${terminalJson(JSON.stringify({ rule: id, ...RULE_GUIDE[id] }, null, 2))}\n`;
  }
  return rulePageText(id, RULE_GUIDE[id], await styles());
}

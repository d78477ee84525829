/** `catalog explain`: explains a field or a rule of course files. */
import { usageError } from "../base/errors.ts";
import { closest, formatSuggestion } from "../base/text.ts";
import { parsePath } from "../base/values.ts";
import { command } from "../cli/command.ts";
import type { Context } from "../cli/context.ts";
import { FIELD_NAMES, keyAt, suggestPath } from "../course/fields.ts";
import { RULES } from "../course/problem.ts";
import { fieldCalled } from "../import/field-guesses.ts";
import { fieldPageText, rulePageText } from "../output/guide-pages.ts";

/** Sends no request. */
export const explain = command({
  description:
    "Shows what a field means, its allowed values and an example; or what a rule requires, and why. For a " +
    "part of a field, pass its path, such as prices[0].currency.",
  arguments: [
    {
      name: "field or rule",
      required: true,
      choices: [...FIELD_NAMES, ...RULES],
      description: "a field, a path such as prices[0].currency, or a rule",
    },
  ],
  examples: {
    "Show how to write prices": "catalog explain prices",
    "Show one part of a price": "catalog explain 'prices[0].currency'",
    "Explain a problem that check reported": "catalog explain unknown-field",
  },
  parse: ({ words: [name = ""] }) => name,
  run: printGuide,
});

async function printGuide(name: string, context: Context): Promise<void> {
  const { io } = context;
  // Longer lines are hard to read.
  const width = Math.min(io.out.columns, 80);
  const path = parsePath(name) ?? [];
  const key = keyAt(path);
  if (key !== undefined) {
    return await io.out.write(fieldPageText(key, path, context.styles, width));
  }
  const rule = RULES.find((each) => each === name);
  if (rule !== undefined) return await io.out.write(rulePageText(rule, context.styles, width));
  const meant = fieldCalled(name) ?? suggestPath(path) ?? closest(name, [...FIELD_NAMES, ...RULES]);
  const other = keyAt(path.slice(0, 1))
    ? `Run "catalog explain ${path[0]}" for its parts.`
    : "A problem ends with its rule, such as [spaces].";
  const advice = formatSuggestion(meant, other);
  throw usageError(`unknown field or rule ${JSON.stringify(name)}`, advice);
}

/** Explains the errors of JSONata in plain words. */
import { truncateJson } from "../base/text.ts";

/** Reasons by the codes of errors whose words in JSONata read badly; `{name}` is a function, the others are facts. */
const REASONS: Readonly<Record<string, string>> = {
  S0101: "a string has no closing quotation mark",
  S0202: "expected {value}, not {token}",
  S0203: "expected {value} before the end of the expression",
  S0211: "{token} needs a value before it",
  T0410: "argument {index} of {name} is missing, superfluous or of the wrong type",
  T0411: "argument {index} of {name} has the wrong type",
  T1003: "the name of a field must be a string, not {value}",
  T1005: "functions begin with $: write {name}",
  T1006: "{name} is not a function",
  T1007: "functions begin with $: write {name}",
  T1008: "{name} is not a function",
  D1009: "two fields have the name {value}",
  D1011: "it nests too deeply",
  D3030: "{value} cannot be converted to a number",
};

/** The functions `$error` and `$assert` of a mapping, whose messages the author of the mapping wrote. */
const WRITTEN: ReadonlySet<unknown> = new Set(["D3137", "D3141"]);

/** The reason as a clause: the code `S0203` gives `expected ":" before the end of the expression`. */
export function explainError(error: unknown): string {
  const facts: Readonly<Record<string, unknown>> = Object(error);
  const { code, token } = facts;
  const message = String(facts.message ?? error).replace(/\.$/, "");
  if (message.startsWith("Maximum call stack")) return "it nests too deeply";
  const reason = REASONS[String(code)];
  if (reason === undefined) {
    return WRITTEN.has(code)
      ? message
      : message.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase());
  }
  return reason.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (name === "name") return token === undefined ? "this value" : `$${token}`;
    const value = facts[name];
    return name === "index" ? String(value) : truncateJson(value);
  });
}

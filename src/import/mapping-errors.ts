/** Explains the errors of JSONata in plain words. */
import { truncateJson } from "../base/text.ts";

/** The reasons by JSONata's codes: `{value}` is a value, `{token}` a part of the expression, `{name}` a function. */
const REASONS: Readonly<Record<string, string>> = {
  S0101: "a string has no closing quotation mark",
  S0102: "the number {token} is too large",
  S0103: "a string contains the unknown escape sequence \\{token}",
  S0104: "\\u must be followed by four hexadecimal digits",
  S0105: "a name has no closing backquote",
  S0106: "a comment has no closing */",
  S0201: "{token} is not expected here",
  S0202: "expected {value}, not {token}",
  S0203: "expected {value} before the end of the expression",
  S0204: "unknown operator {token}",
  S0205: "{token} is not expected here",
  S0207: "the expression ends too early",
  S0211: "{token} needs a value before it",
  S0301: "a regular expression must not be empty",
  S0302: "a regular expression has no closing /",
  T0410: "argument {index} of {name} has the wrong type, or is superfluous",
  T0411: "the value for argument {index} of {name} has the wrong type",
  T0412: "argument {index} of {name} must be a list of {type}",
  D1001: "the number {value} is too large",
  D1002: "{value} must be a number",
  T1003: "the name of a field must be a string, not {value}",
  T1005: "functions begin with $: write {name}",
  T1006: "{name} is not a function",
  T1007: "functions begin with $: write {name}",
  T1008: "{name} is not a function",
  D1009: "two fields have the name {value}",
  D1011: "it nests too deeply",
  T2001: "the left side of {token} must be a number",
  T2002: "the right side of {token} must be a number",
  T2003: "the left side of .. must be a whole number",
  T2004: "the right side of .. must be a whole number",
  T2006: "the right side of ~> must be a function",
  T2009: "{value} and {value2} must have the same type to be compared",
  T2010: "both sides of {token} must be numbers or strings",
  D2014: "a range has too many numbers: {value}",
  D2015: "a list has too many items: {value}",
  D3030: "{value} cannot be converted to a number",
};

/** The functions `$error` and `$assert` of a mapping, whose messages the author of the mapping wrote. */
const WRITTEN: ReadonlySet<unknown> = new Set(["D3137", "D3141"]);

/**
 * The reason of an error, as a clause: `{code: "S0203", value: ":"}` gives
 * `expected ":" before the end of the expression`.
 */
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
    return name === "index" || name === "type" ? String(value) : truncateJson(value);
  });
}

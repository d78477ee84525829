/** Writes the code of a part in ASCII: one other letter would make V8 keep all of it in twice the memory. */
import { parseAst } from "rolldown/parseAst";

const BEYOND = /[\u0080-\uffff]/;
const EVERY_BEYOND = new RegExp(BEYOND, "g");

/**
 * The same code, with escapes for all letters beyond ASCII.
 *
 * @throws Error where an escape would mean something else: behind a backslash, in a template whose tag
 *   sees how it was written, and outside of texts
 */
export function inAscii(code) {
  if (!BEYOND.test(code)) return code;
  const odd = [...code.matchAll(/.{0,20}\\[\u0080-\uffff]/g)].map(([text]) => text);
  for (const { start, end } of taggedTemplates(parseAst(code))) {
    const text = code.slice(start, end);
    if (BEYOND.test(text)) odd.push(text);
  }
  if (odd.length > 0) throw new Error(`this would be other code in ASCII: ${odd.join("\n")}`);
  const escaped = code.replace(
    EVERY_BEYOND,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  parseAst(escaped);
  return escaped;
}

function* taggedTemplates(node) {
  if (node?.type === "TaggedTemplateExpression") yield node;
  for (const inner of Object.values(node ?? {})) {
    if (typeof inner === "object") yield* taggedTemplates(inner);
  }
}

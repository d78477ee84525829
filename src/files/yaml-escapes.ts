/** Finds the escapes of a YAML text that stand for no character, which the parser takes for others. */
import { EVENT_ID, type Event, SCALAR_STYLE } from "js-yaml";
import type { TextProblem } from "./parsed.ts";

/** Any escape in double quotes; the digits of one that may lead beyond Unicode. */
const ESCAPE = /\\(?:U([\da-fA-F]{8})|[\s\S])/g;

const LAST_CHARACTER = 0x10ffff;

/** The first escape of a parsed text that is beyond Unicode (YAML 1.2.2, section 5.7). */
export function escapeBeyond(events: readonly Event[], text: string): TextProblem | undefined {
  // Hardly any text has such an escape at all.
  if (!text.includes("\\U")) return undefined;
  for (const event of events) {
    if (event.type !== EVENT_ID.SCALAR || event.style !== SCALAR_STYLE.DOUBLE_QUOTED) continue;
    const written = text.slice(event.valueStart, event.valueEnd);
    for (const { 0: sign, 1: digits = "0", index } of written.matchAll(ESCAPE)) {
      if (Number.parseInt(digits, 16) <= LAST_CHARACTER) continue;
      const start = event.valueStart + index;
      const message = `not valid YAML: ${sign} is beyond the last character that there is`;
      return { rule: "syntax", message, span: { start, end: start + sign.length } };
    }
  }
  return undefined;
}

/** Writes JSON that a terminal can take. */
import { escapeLine } from "../base/text.ts";

/**
 * The same JSON with every character written as `\u202e` that a terminal must not get raw. Beyond
 * ASCII, JSON has characters only inside strings, where the escape means the same.
 */
export function terminalJson(json: string): string {
  return json.replace(/[^\n\u0020-\u007e]+/g, (run) =>
    escapeLine(run) === run ? run : run.replace(/[^\n]/gu, escaped),
  );
}

function escaped(character: string): string {
  if (escapeLine(character) === character) return character;
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

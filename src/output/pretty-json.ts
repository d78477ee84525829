/** Lays out a JSON text for people, token by token: numbers and repeated keys stay as they came. */
import { isBlank, scanString } from "../files/json-scan.ts";

/** A longer text is read by programs; laying it out would take many times its memory. */
const LONGEST = 2_000_000;
/** Further levels are not indented any more: a text may be nothing but brackets. */
const DEEPEST = 32;

/** The text with a value a line, indented by two; undefined where it is no JSON, or very long. */
export function prettyJson(text: string): string | undefined {
  if (text.length > LONGEST || !isJson(text)) return undefined;
  let depth = 0;
  let pretty = "";
  const broken = (): string => `\n${"  ".repeat(Math.min(depth, DEEPEST))}`;
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === '"') {
      const end = scanString(text, index);
      pretty += text.slice(index, end + 1);
      index = end;
    } else if (character === "{" || character === "[") {
      const next = nextToken(text, index + 1);
      const isEmpty = /[}\]]/.test(text.charAt(next));
      if (!isEmpty) depth++;
      pretty += isEmpty ? character + text.charAt(next) : character + broken();
      index = isEmpty ? next : index;
    } else if (character === "}" || character === "]") {
      depth--;
      pretty += broken() + character;
    } else if (character === ",") pretty += character + broken();
    else if (character === ":") pretty += ": ";
    else if (!isBlank(text.charCodeAt(index))) pretty += character;
  }
  return pretty;
}

/** The offset of the first character from there on that is no blank. */
function nextToken(text: string, from: number): number {
  let index = from;
  while (isBlank(text.charCodeAt(index))) index++;
  return index;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Makes HTML in which every text from elsewhere is text, and nothing else. */
import { UNSAFE } from "../../base/text.ts";

/** A piece of HTML. Only `html` and `trusted` make one. */
export class Html {
  readonly #text: string;

  /** @param text valid HTML, not text from elsewhere */
  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** What a template can contain: a piece, a text that is escaped, several of them, or nothing. */
export type Part = Html | string | number | undefined | readonly Part[];

/** A piece of HTML: `<b>${name}</b>`. Values of attributes must be in double quotes. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let text = strings[0] ?? "";
  for (const [index, part] of parts.entries()) text += render(part) + strings[index + 1];
  return new Html(text);
}

function render(part: Part): string {
  if (part === undefined) return "";
  if (part instanceof Html) return part.toString();
  if (typeof part === "object") return part.map(render).join("");
  return escapeHtml(String(part));
}

/** Characters of markup, and characters that change or hide text around them, also halves of characters. */
const SPECIAL = new RegExp(
  `[&<>"'\`${UNSAFE}\\ufff9-\\ufffb\\ufffe\\uffff]|(?![\\t\\n])\\p{Cc}|\\p{Cs}`,
  "gu",
);

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "`": "&#96;",
};

function escapeHtml(text: string): string {
  return text
    .replace(/\r\n/g, "\n")
    .replace(SPECIAL, (character) => ENTITIES[character] ?? showCharacter(character));
}

/** A character that cannot be seen, as one that can: `␛`, or its number in brackets. */
function showCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  return `[U+${code.toString(16).toUpperCase().padStart(4, "0")}]`;
}

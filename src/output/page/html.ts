/** Makes HTML in which text from courses and from the service is always text, never markup. */
import { UNSAFE } from "../../base/text.ts";

/** A piece of HTML. Only `html` makes one, and the page for its own style and script. */
export class Html {
  readonly #text: string;

  /** @param text valid HTML, never text from courses or from the service */
  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** What a template can contain: a piece of HTML, a text or a number, which is escaped, several of these, or nothing. */
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

/** Characters of markup, halves of characters, and characters that change or hide the text around them. */
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

/** A visible symbol for an invisible character: `␛`, or the number of the character in brackets. */
function showCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  return `[U+${code.toString(16).toUpperCase().padStart(4, "0")}]`;
}

/** Makes HTML in which text from courses and from the service is always text, never markup. */
import { escapeText } from "../../base/text.ts";

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

/** Markup, and characters that HTML cannot contain. */
const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "`": "&#96;",
  "\ufffe": "\\ufffe",
  "\uffff": "\\uffff",
};

/** Text that is safe to show, with its tabs and line breaks. */
function escapeHtml(text: string): string {
  const shown = text.toWellFormed().split("\t").map(escapeText).join("\t");
  return shown.replace(/[&<>"'`\ufffe\uffff]/g, (character) => ENTITIES[character] ?? "");
}
